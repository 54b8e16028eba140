import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { drawnJpeg } from '../../../../scripts/drawn-jpeg.ts';
import { recordDiskCalls } from '../../../../test/support/disk-calls.ts';
import { OwnerStoresForTest } from '../../../../test/support/owner-stores.ts';
import type { ExportFormat } from '../../../shared/owner-api/limits.ts';
import type { Photo } from '../../../shared/owner-data/journal.ts';
import { NO_NOTES } from '../../../shared/owner-data/notes.ts';
import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';
import { PhotoFolder } from '../../photos/photo-folder.ts';
import { exportData } from './export-data.ts';
import { exportSpan } from './export-span.ts';

const TASK = '5d3f0f3e-0c68-4a0b-9a55-0a3a6f1b7e01';
let stores: OwnerStoresForTest;
let photos: PhotoFolder;
let device: string;
beforeEach(() => {
  stores = new OwnerStoresForTest();
  photos = new PhotoFolder(stores.folder);
  device = stores.register({ name: 'Roof' }, ['private']).id;
});
afterEach(() => stores.dispose());

/** The name of the file with the device's readings. */
const readings = () => readdirSync(out()).find((name) => name.startsWith('Roof-'))!;
const out = () => join(stores.folder, 'out');
const linesIn = (name: string) =>
  readFileSync(join(out(), name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Writes an entry with a new photo. */
async function observed(shade: number): Promise<Photo> {
  const added = await photos.add(
    drawnJpeg(8, 6, () => [shade, 90, 90]),
    null,
    1e9,
  );
  if (added.problem !== null) throw new Error(added.problem);
  await photos.adopt([added.photo.id]);
  const act = { kind: 'observed' as const, photos: [added.photo] };
  stores.write('private', [{ kind: 'writeEntry', id: null, device, at: 1000, text: 'Leaves', act, updatedAt: 0 }]);
  return added.photo;
}

function choose(name: string, value: unknown): void {
  stores.write('private', [{ kind: 'choose', name, value: JSON.stringify(value), updatedAt: 0 }]);
}

const task = {
  ...{ id: TASK, title: 'Half of it', everyDays: 14, due: '2026-03-29', snoozedUntil: null },
  act: { kind: 'solutionChanged', amount: { value: 40, unit: 'l' } },
  done: { at: Date.parse('2026-03-15T10:00:00Z'), day: '2026-03-15', due: '2026-03-14' },
};
const cycle = {
  ...{ id: TASK, crop: 'Tomato', variety: '', zone: 'UTC', plantedAt: '2026-03-01', endedAt: null },
  ...{ plants: 10, areaM2: null, stages: [{ name: 'Seedling', from: '2026-03-01', ranges: [] }] },
};

async function exported(format: ExportFormat, devices: readonly string[] | null = null, stopAt = '') {
  const order = { folder: out(), format, dialect: 'comma', devices, ...exportSpan(null, null) } as const;
  let file = '';
  const stopIfAsked = () => {
    if (stopAt !== '' && file.startsWith(stopAt)) throw new Error('stopped');
  };
  const onProgress = (name: string) => {
    file = name;
  };
  const parts = { reader: await stores.reader, locations: stores.paths, photos };
  return (await exportData(order, { ...parts, onProgress, stopIfAsked })).files.map(({ name }) => name);
}

it('has the log, tasks by the model of farmOS, crop cycles, and photos with an index', async () => {
  choose('tasks', [{ ...task, device }]);
  choose('cycles', [{ ...cycle, place: { kind: 'device', device } }]);
  const [kept, damaged] = [await observed(10), await observed(200)];
  writeFileSync(join(stores.folder, 'photos', `${damaged.id}.jpg`), 'damaged');
  const file = `photos/${kept.id}.jpg`;
  expect(await exported('csv')).toEqual(
    expect.arrayContaining(['journal.ndjson', 'tasks.ndjson', 'cycles.ndjson', 'photos.ndjson', file]),
  );
  expect(linesIn('tasks.ndjson')).toEqual([
    {
      ...{ id: TASK, type: 'activity', name: 'solutionChanged', status: 'pending', timestamp: '2026-03-29' },
      notes: { value: 'Half of it', format: 'plain_text' },
      asset: [{ type: 'sensor', name: 'Roof', public_key: device }],
      quantity: [{ type: 'standard', measure: 'volume', value: { decimal: '40' }, units: 'l', material_type: [] }],
      ...{ image: [], owner: [], every_days: 14, snoozed_until: null, last_done: '2026-03-15T10:00:00.000Z' },
    },
  ]);
  expect(linesIn('cycles.ndjson')).toEqual([{ ...cycle, place: { kind: 'device', device } }]);
  expect(linesIn('photos.ndjson')).toMatchObject([
    { file, device, at: 1000, entry: 1, text: 'Leaves', width: 64, height: 48 },
    { file: `photos/${damaged.id}.jpg` },
  ]);
  // Of a damaged photo there is only the line of the index.
  expect(readdirSync(join(out(), 'photos'))).toEqual([`${kept.id}.jpg`]);
  expect(readFileSync(join(out(), file))).toEqual(readFileSync(join(stores.folder, file)));
  if (process.platform !== 'win32') expect(statSync(join(out(), file)).mode & 0o077).toBe(0);
});

it('has photos beside copies of the stores, none of the owner’s data with single devices, and no empty files', async () => {
  const { id } = await observed(10);
  expect(await exported('sqlite')).toEqual(['private.db', 'public.db', `photos/${id}.jpg`]);
  photos = new PhotoFolder(join(stores.folder, 'none'));
  stores.write('private', [{ kind: 'deleteEntry', id: 1 }]);
  for (const [devices, names] of [
    [[device], ['devices.ndjson']],
    [null, ['devices.ndjson', 'journal.ndjson']],
  ] as const) {
    rmSync(out(), { recursive: true, force: true });
    expect((await exported('csv', devices)).filter((name) => !name.startsWith('Roof'))).toEqual(names);
  }
});

it('has the facts and notes of each device, and derived values from the units that it sends', async () => {
  const units = { tempAmbient: { sent: 'fahrenheit', shown: 'celsius' } } as const;
  stores.write('private', [
    { kind: 'note', id: device, notes: { ...NO_NOTES, text: 'By the door', units }, updatedAt: 0 },
  ]);
  choose('climate', { [device]: { leafOffset: -2 } });
  // 77 °F are 25 °C.
  const fields = FIELD_NAMES.map((name) => ({ tempAmbient: 77, humidity: 60 })[name as string] ?? null);
  const at = 1_790_000_000_000;
  stores.append('private', device, [{ seq: 1n, timestamp: BigInt(at), receivedAt: at, fields }]);
  await exported('ndjson');
  expect(linesIn('devices.ndjson')).toMatchObject([
    {
      id: device,
      notes: { text: 'By the door', units },
      corrections: [],
      stores: { private: { name: 'Roof', createdAt: 1_700_000_000_000 } },
    },
  ]);
  expect(linesIn(readings())).toMatchObject([
    { tempAmbient: 77, derived: { vpd: 1.267, vpdLeaf: 0.909, dewPoint: 16.69 } },
  ]);
});

it('has what each reading was signed as in NDJSON alone, from the store that has it', async () => {
  const signed = { signature: Buffer.alloc(64, 7), raw: Buffer.from('a raw string') };
  const at = 1_790_000_000_000;
  const most = 2n ** 64n - 1n;
  stores.append('private', device, [{ seq: most, timestamp: BigInt(at), receivedAt: at + 1, fields: [6], signed }]);
  await exported('ndjson');
  expect(linesIn(readings())).toEqual([
    {
      ...{ seq: String(most), timestamp: String(at), time: '2026-09-21T14:13:20.000Z' },
      ...{ receivedAt: '2026-09-21T14:13:20.001Z', store: 'private', keyVersion: 0, ph: 6 },
      ...{ signed: signed.raw.toString('hex'), signature: signed.signature.toString('hex') },
    },
  ]);
  rmSync(out(), { recursive: true });
  await exported('csv');
  expect(readFileSync(join(out(), readings()), 'utf8')).not.toContain('0707');
});

it('names each file only once it is on disk', async () => {
  const { id } = await observed(10);
  for (const [format, written] of [
    ['csv', ['devices.ndjson', 'journal.ndjson', 'photos.ndjson', `photos/${id}.jpg`]],
    ['sqlite', ['private.db', 'public.db']],
  ] as const) {
    rmSync(out(), { recursive: true, force: true });
    const disk = recordDiskCalls();
    const names = await exported(format).finally(disk.end);
    expect(names).toEqual(expect.arrayContaining([...written]));
    for (const name of names) {
      const path = join(out(), name);
      const [synced, renamed] = [`sync ${path}.part`, `rename ${path}.part ${path}`].map((call) =>
        disk.calls.indexOf(call),
      );
      expect([name, synced! >= 0 && synced! < renamed!]).toEqual([name, true]);
    }
  }
});

it('ends between photos where that is asked for', async () => {
  await observed(10);
  await observed(200);
  await expect(exported('csv', null, 'photos/')).rejects.toThrow('stopped');
  expect(readdirSync(join(out(), 'photos'))).toHaveLength(1);
  expect(existsSync(join(out(), 'photos.ndjson'))).toBe(true);
});
