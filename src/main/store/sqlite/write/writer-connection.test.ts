import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../../test/support/node-process.ts';
import { newReading } from '../../../../../test/support/readings.ts';
import { deviceRegistration } from '../../../../shared/protocol/device.ts';
import { SimulatedDevice } from '../../../../simulator/device.ts';
import { StorageUnavailable } from '../../storage-unavailable.ts';
import { Fate } from '../../verifier/packed-blocks.ts';
import { prepareStore } from '../file/database.ts';
import { toRow, type WriteJob } from './write-jobs.ts';
import { type StoreWriter, WriterThread } from './writer.ts';
import { WriterConnection, type WriterOptions } from './writer-connection.ts';

const log = pino({ level: 'silent' });
const bounds = { maxDevices: 10, maxBytes: 1024 ** 3, minFreeBytes: 1, minFreePart: 1 };
let folder: string;
let thread: WriterThread | null;
/** Starts the thread with its first store: a test that needs none must not wait for its end. */
function openStore(options: WriterOptions): Promise<StoreWriter> {
  thread ??= new WriterThread(log);
  return thread.open(options);
}

beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'data'));
  thread = null;
});
afterEach(async () => {
  await thread?.close();
  removeFolder(folder);
});

const count = (writer: StoreWriter, outcome: string) =>
  writer.write<'count'>({
    kind: 'count',
    counts: { withheld: [], outcomes: [{ hour: 1, outcome, count: 1 }], unregistered: null },
  });

/** Stands for readings: a job of a device, which is refused if there is no room. */
const append = (writer: StoreWriter) => writer.write<'append'>({ kind: 'append', rows: [] });

// Windows can't rename a folder that contains an open file.
it.skipIf(process.platform === 'win32')(
  'refuses the group, and goes on, where the free space of the disk can’t be asked for',
  async () => {
    const path = join(folder, 'data', 'public.db');
    prepareStore(path, 'public');
    const writer = await openStore({ path, durability: 'full', bounds });
    renameSync(join(folder, 'data'), join(folder, 'away'));
    const refusals = await Promise.allSettled([append(writer), append(writer)]);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnavailable) });
      expect(refusal).toMatchObject({ reason: { code: 'unreachable' } });
    }
    renameSync(join(folder, 'away'), join(folder, 'data'));
    // It is the same thread: a dead one would restart only after half a second.
    expect(await count(writer, 'stored')).toBe(null);
  },
);

it('reserves only a part of a small disk', async () => {
  const path = join(folder, 'data', 'private.db');
  prepareStore(path, 'private');
  const minFreeBytes = Number.MAX_SAFE_INTEGER;
  const writer = await openStore({
    path,
    durability: 'full',
    bounds: { ...bounds, minFreeBytes, minFreePart: 1e-9 },
  });
  await expect(append(writer)).resolves.toBeDefined();
});

it('takes readings below its limit of bytes, and none at it', async () => {
  for (const [name, more] of [
    ['private', 1],
    ['public', 0],
  ] as const) {
    const path = join(folder, 'data', `${name}.db`);
    prepareStore(path, name);
    const maxBytes = statSync(path).size + more;
    const writer = await openStore({ path, durability: 'full', bounds: { ...bounds, maxBytes } });
    if (more > 0) await expect(append(writer)).resolves.toBeDefined();
    else await expect(append(writer)).rejects.toMatchObject({ code: 'limit' });
  }
});

it.each([
  { ...bounds, minFreeBytes: Number.MAX_SAFE_INTEGER },
  { ...bounds, maxBytes: 1 },
])('writes counts at the limit where readings are refused: a restart would lose them', async (atBound) => {
  const path = join(folder, 'data', 'private.db');
  prepareStore(path, 'private');
  const writer = await openStore({ path, durability: 'full', bounds: atBound });
  await expect(append(writer)).rejects.toThrow(StorageUnavailable);
  expect(await count(writer, 'stored')).toBe(null);
  await expect(append(writer)).rejects.toThrow(StorageUnavailable);
});

describe('a job that fails in a group is undone with it, and the others are run again alone:', () => {
  const HOUR_MS = 3_600_000;
  const START = 480_000 * HOUR_MS;
  const device = new SimulatedDevice();
  const registration = deviceRegistration.parse(device.registration());
  const faulty: WriteJob = {
    kind: 'count',
    counts: { withheld: [], outcomes: [{ hour: null as never, outcome: 'stored', count: 1 }], unregistered: null },
  };
  const append = (from: number, to: number) => {
    const readings = Array.from({ length: to - from }, (_, index) => {
      const at = START + (from + index) * 60_000;
      return newReading(device.id, { seq: BigInt(from + index), timestamp: BigInt(at), receivedAt: at, fields: [1] });
    });
    return { kind: 'append', rows: readings.map(toRow) } as const;
  };
  let path: string;
  let connection: WriterConnection;
  const open = () => {
    connection = new WriterConnection({ path, durability: 'normal', bounds: null });
  };
  beforeEach(() => {
    path = join(folder, 'data', 'private.db');
    prepareStore(path, 'private');
    open();
  });
  afterEach(() => connection.close());
  const run = (...jobs: WriteJob[]) => connection.runGroup(jobs)!;

  it('a device is registered, and has its readings', () => {
    const [registered, appended, failed] = run({ kind: 'register', registration, createdAt: 1 }, append(0, 1), faulty);
    expect(registered).toEqual({ ok: true, result: 'created' });
    expect(appended).toMatchObject({ ok: true, result: { fates: Uint8Array.of(Fate.STORED) } });
    expect(failed).toMatchObject({ ok: false, code: null, message: expect.stringContaining('NOT NULL') });
  });

  it('what retention deletes stays deleted, also after a restart', () => {
    run({ kind: 'register', registration, createdAt: 1 });
    run(append(0, 700));
    while (connection.sumUp(1000));
    const [pruned] = run({ kind: 'prune', id: device.id, before: START + 2 * HOUR_MS, limit: 1000 }, faulty);
    expect(pruned).toMatchObject({ ok: true, result: { readings: 120 } });
    connection.close();
    open();
    expect(run(append(0, 1))).toMatchObject([{ ok: true, result: { fates: Uint8Array.of(Fate.DUPLICATE) } }]);
  });
});
