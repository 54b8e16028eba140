import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { drawnJpeg } from '../../scripts/drawn-jpeg.ts';
import type { FarmosLog } from '../../src/shared/export/farmos.ts';
import type { JournalEntry, LogAct } from '../../src/shared/owner-data/journal.ts';
import { registeredDevice } from '../support/client.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { answerOf, wellhouse } from '../support/wellhouse.ts';

let node: RunningNode;
let id: string;
beforeAll(async () => {
  node = await startNode({ args: ['--ui'] });
  ({ id } = await registeredDevice(node.url('local'), { name: 'Roof' }));
});
afterAll(() => node.dispose());

const run = (...args: string[]) => wellhouse(node.dataDir, ['log', ...args]);
const list = async (...args: string[]): Promise<JournalEntry[]> =>
  (await run('list', ...args)).stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalEntry);

it.each<[string, string[], string]>([
  ['a negative amount', ['toppedUp', '--amount', '-20l'], 'an amount must be more than 0'],
  ['no amount', ['toppedUp'], 'toppedUp needs an amount'],
  ['an unknown unit', ['toppedUp', '--amount', '20gal'], '--amount takes a number with its unit'],
  ['an unknown kind', ['sold'], 'there is no kind sold'],
  ['a product where there is none', ['cleaned', '--product', 'Soap'], 'cleaned has no product'],
  ['a flag of the list', ['cleaned', '--farmos'], '--farmos is not for "log add"'],
  [
    'one value of two',
    ['calibrated', '--sensor', 'ph', '--reference', '4', '7', '--shown', '4.1'],
    'needs a --shown value',
  ],
  ['a calibration of all', ['calibrated', '--sensor', 'ph', '--reference', '7', '--shown', '7.2'], 'is of one device'],
  ['a word for a number', ['calibrated', '--sensor', 'ph', '--reference', 'seven', '--shown', '7'], 'take numbers'],
  ['a sensor of a cleaning', ['cleaned', '--sensor', 'ph'], 'are for "log add calibrated"'],
  ['a time to come', ['cleaned', '--at', '2999-01-01'], 'more than a day ahead'],
  ['no kind', [], 'no kind is named'],
])('refuses %s, and writes nothing', async (_, args, message) => {
  const { code, stderr } = await run('add', ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(await list()).toEqual([]);
});

it('adds through a running node, and without one, and lists by kind and as farmOS has it', async () => {
  const dosed = await answerOf<JournalEntry>(node.dataDir, [
    ...['log', 'add', 'dosed', '--device', 'roof', '--product', 'Part A', '--amount', '7,5 ml', '--at', '2h'],
  ]);
  expect(dosed).toMatchObject({
    device: id,
    act: { kind: 'dosed', product: 'Part A', amount: { value: 7.5, unit: 'ml' } },
  });
  await node.stop();
  const cleaned = await answerOf<JournalEntry>(node.dataDir, ['log', 'add', 'cleaned', '--text', 'with a brush']);
  expect(await list()).toEqual([dosed, cleaned]);
  expect(await list('dosed')).toEqual([dosed]);
  expect(await list('--since', '1h')).toEqual([cleaned]);
  const logs = await answerOf<FarmosLog[]>(node.dataDir, ['log', 'list', '--farmos']);
  expect(logs.map(({ type, asset }) => [type, asset[0]?.name])).toEqual([
    ['input', 'Roof'],
    ['maintenance', undefined],
  ]);
});

it('adds a calibration, which corrects what is printed', async () => {
  const entry = await answerOf<JournalEntry>(node.dataDir, [
    ...['log', 'add', 'calibrated', '--device', 'Roof', '--sensor', 'ph', '--reference', '4', '7'],
    ...['--shown', '4,2', '7.1'],
  ]);
  const points = [
    { reference: 4, shown: 4.2 },
    { reference: 7, shown: 7.1 },
  ];
  expect(entry.act).toEqual({ kind: 'calibrated', field: 'ph', points });
  expect(await list('calibrated')).toEqual([entry]);
});

it('imports the log, its photos and the cycles of another node’s export, once, and refuses what is damaged', async () => {
  const other = await startNode({ args: ['--ui'] });
  // Without a public store, as the desktop app begins.
  const here = await startNode({ args: ['--ui'], env: { PUBLIC_ENABLED: 'false' } });
  const root = temporaryFolder();
  try {
    const device = await registeredDevice(other.url('local'), { name: 'Shed' });
    const picture = drawnJpeg(8, 6, (column) => [9, column * 20, 90]);
    const added = await call(other, 'addPhoto', { image: Buffer.from(picture).toString('base64'), preview: null });
    if (added.problem !== null) throw new Error(added.problem);
    const cycle = await call(other, 'writeCycle', {
      ...{ id: null, crop: 'Tomato', variety: '', place: { kind: 'device', device: device.id }, zone: 'UTC' },
      ...{ plantedAt: '2026-03-01', plants: 4, areaM2: null, endedAt: null, stages: [] },
    });
    const write = (act: LogAct, text = '') =>
      call(other, 'writeJournalEntry', { id: null, device: device.id, at: Date.now(), text, act });
    await write({ kind: 'harvested', amount: { value: 2, unit: 'kg' }, cycle: cycle.id });
    await write({ kind: 'calibrated', field: 'ph', points: [{ reference: 7, shown: 7.2 }] });
    await write({ kind: 'observed', photos: [added.photo] }, 'First "fruit"\nin March');
    const made = async (of: typeof other) => {
      const entries = await call(of, 'journal', { device: null, from: null, to: null });
      return entries.entries.map(({ id: _, ...entry }) => entry);
    };
    const expected = await made(other);
    const folder = join(root, 'out');
    expect((await wellhouse(other.dataDir, ['export', folder, '--format', 'csv'])).code).toBe(0);
    expect((await wellhouse(here.dataDir, ['log', 'import', folder])).stderr).toContain('stop it first');
    await here.stop();
    const bad = join(root, 'bad');
    mkdirSync(bad);
    const lines = readFileSync(join(folder, 'journal.ndjson'), 'utf8');
    writeFileSync(join(bad, 'journal.ndjson'), `${lines}{"id":9,"device":null,"at":-1}\n`);
    const refused = await wellhouse(here.dataDir, ['log', 'import', bad]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('line 4')]);
    if (process.platform !== 'win32') {
      rmSync(join(bad, 'journal.ndjson'));
      execFileSync('mkfifo', [join(bad, 'journal.ndjson')]);
      const pipe = await wellhouse(here.dataDir, ['log', 'import', bad]);
      expect([pipe.code, pipe.stderr]).toEqual([1, expect.stringContaining('is a pipe')]);
    }
    const run = () => answerOf(here.dataDir, ['log', 'import', folder]);
    expect(await run()).toEqual({ entries: 3, cycles: 1, photos: 1, known: 0 });
    expect(await run()).toEqual({ entries: 0, cycles: 0, photos: 0, known: 4 });
    const again = await startNode({ args: ['--ui'], dataDir: here.dataDir });
    expect(await made(again)).toEqual(expected);
    expect((await call(again, 'cycles', {})).cycles).toEqual([cycle]);
    expect(readdirSync(join(here.dataDir, 'photos'))).toContain(`${added.photo.id}.jpg`);
    await again.stop();
  } finally {
    await other.dispose();
    await here.dispose();
    removeFolder(root);
  }
});
