import {
  closeSync,
  cpSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { WireClient } from '../../src/simulator/wire-client.ts';
import { ENDPOINTS, removeFolder, runToEnd, startProcess, temporaryFolder } from '../support/node-process.ts';
import { queryStore, storePath } from '../support/store-file.ts';
import { THOROUGH } from '../support/thorough.ts';
import { nodeStarter } from './faults.ts';
import { blockOf } from './load.ts';
import { expectRefused, snapshot } from './refused-start.ts';

const folder = temporaryFolder();
const sound = join(folder, 'sound');
const soundAfterKill = join(folder, 'sound-after-kill');
let cases = 0;

beforeAll(async () => {
  const started = [await startNode({ dataDir: sound }), await startProcess({ dataDir: soundAfterKill })] as const;
  for (const node of started) {
    for (const endpoint of ENDPOINTS) {
      const client = new WireClient(node.url(endpoint));
      const device = new SimulatedDevice();
      await client.register(device.registration());
      for (let seq = 1; seq <= 400; seq += 100) {
        const blocks = Array.from({ length: 100 }, (_, index) => blockOf(device, seq + index));
        expect((await client.post(blocks)).status).toBe(200);
      }
      client.close();
    }
  }
  await started[0].stop();
  await started[1].kill();
});
afterAll(() => removeFolder(folder));
// After the line above, since hooks run in reverse: the nodes end before their folders go.
const startNode = nodeStarter();

function change(path: string, edit: (fd: number, size: number) => void): void {
  const fd = openSync(path, 'r+');
  try {
    edit(fd, statSync(path).size);
  } finally {
    closeSync(fd);
  }
}

function truncate(length: (size: number) => number) {
  return (path: string) => change(path, (fd, size) => ftruncateSync(fd, length(size)));
}

/** Overwrites a stretch with bytes that are no page of SQLite's. */
function overwrite(range: (size: number) => readonly [from: number, to: number], byte = 0xa5) {
  return (path: string) =>
    change(path, (fd, size) => {
      const [from, to] = range(size);
      writeSync(fd, Buffer.alloc(to - from, byte), 0, to - from, from);
    });
}

const middle = (size: number) => Math.floor(size / 4096 / 2) * 4096;

const DAMAGE: Readonly<Record<string, (path: string) => void>> = {
  'truncated to nothing': truncate(() => 0),
  'truncated to 1 byte': truncate(() => 1),
  'truncated within the header': truncate(() => 60),
  'truncated to a byte less than a page': truncate(() => 4095),
  'truncated to a page': truncate(() => 4096),
  'truncated to a byte more than a page': truncate(() => 4097),
  'truncated to half': truncate((size) => middle(size)),
  'truncated to half, within a page': truncate((size) => middle(size) + 1000),
  'truncated by a byte': truncate((size) => size - 1),
  'truncated by a page': truncate((size) => size - 4096),
  'its first 16 bytes overwritten': overwrite(() => [0, 16]),
  'its header overwritten after the magic': overwrite(() => [16, 100]),
  'its first page overwritten': overwrite(() => [0, 4096]),
  'its schema overwritten': overwrite(() => [100, 4096]),
  'a page in the middle overwritten': overwrite((size) => [middle(size), middle(size) + 4096]),
  'a page in the middle zeroed': overwrite((size) => [middle(size), middle(size) + 4096], 0),
  'its last page overwritten': overwrite((size) => [size - 4096, size]),
  'all of it overwritten': overwrite((size) => [0, size]),
  'all of it zeroed': overwrite((size) => [0, size], 0),
};

function copyOf(dataDir: string): string {
  cases += 1;
  const copy = join(folder, `case-${cases}`);
  cpSync(dataDir, copy, { recursive: true });
  return copy;
}

/** Every kind of damage to the private store, and one to the public store; the long run has all for both. */
const damageOf = (endpoint: (typeof ENDPOINTS)[number]) =>
  Object.entries(DAMAGE).slice(0, endpoint === 'local' || THOROUGH > 1 ? undefined : 1);

describe.each(ENDPOINTS)('the %s store is damaged: the start is refused, nothing is changed', (endpoint) => {
  test.for(damageOf(endpoint))('%s', async ([, damage]) => {
    const dataDir = copyOf(sound);
    damage(storePath(dataDir, endpoint));
    await expectRefused(dataDir, storePath(dataDir, endpoint));
  });

  test('written by a newer version', async () => {
    const dataDir = copyOf(sound);
    const db = new Database(storePath(dataDir, endpoint));
    db.pragma('user_version = 999');
    db.close();
    expect(await expectRefused(dataDir, storePath(dataDir, endpoint))).toContain('999');
  });

  test('a database of another program', async () => {
    const dataDir = copyOf(sound);
    const db = new Database(storePath(dataDir, endpoint));
    db.pragma('application_id = 7');
    db.close();
    await expectRefused(dataDir, storePath(dataDir, endpoint));
  });
});

/** After a kill the newest readings are in the log: a refused start must not fold it into the store or drop it. */
describe('damaged after a kill, with the log still there', () => {
  test.for(['its first 16 bytes overwritten', 'all of it overwritten', 'truncated to nothing'])('%s', async (name) => {
    const dataDir = copyOf(soundAfterKill);
    const store = storePath(dataDir, 'local');
    expect(statSync(`${store}-wal`).size).toBeGreaterThan(0);
    DAMAGE[name]!(store);
    const line = await expectRefused(dataDir, store);
    expect(line).toContain('move private.db-wal and private.db-shm away');
  });

  test('a power cut during a checkpoint, with the end only in the log: no damage, all data is there', async () => {
    const dataDir = copyOf(soundAfterKill);
    const store = storePath(dataDir, 'local');
    const sizeBefore = statSync(store).size;
    const log = readFileSync(`${store}-wal`);
    const db = new Database(store);
    db.pragma('wal_checkpoint(TRUNCATE)');
    const rows = db.prepare('SELECT count(*) FROM readings').pluck().get();
    db.close();
    expect(statSync(store).size).toBeGreaterThan(sizeBefore + 3 * 4096);
    truncate(() => sizeBefore + 4096 + 1000)(store);
    writeFileSync(`${store}-wal`, log);
    const node = await startNode({ dataDir });
    expect(queryStore(dataDir, 'local', 'SELECT count(*) AS rows FROM readings')).toEqual([
      { rows: BigInt(rows as number) },
    ]);
    await node.stop();
  });

  test('a newer version that is only in the log', async () => {
    const dataDir = copyOf(soundAfterKill);
    const store = storePath(dataDir, 'local');
    const db = new Database(store);
    db.pragma('wal_autocheckpoint = 0');
    db.pragma('user_version = 999');
    const later = join(folder, 'newer-in-log');
    cpSync(dataDir, later, { recursive: true });
    db.close();
    await expectRefused(later, storePath(later, 'local'));
  });
});

describe('a store too large to be checked page by page at the start', () => {
  const large = join(folder, 'large');
  const store = storePath(large, 'local');

  beforeAll(() => {
    cpSync(sound, large, { recursive: true });
    const db = new Database(store);
    db.exec(`
      INSERT INTO readings (device, seq, timestamp, received_at, key_version, ph, ec, water_level)
      SELECT 1, 1000000 + value, 1000000 + value, 0, 0, 6.5, randomblob(120), randomblob(120)
      FROM (WITH RECURSIVE n(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n LIMIT 300000) SELECT value FROM n);
      PRAGMA wal_checkpoint(TRUNCATE)`);
    db.close();
    expect(statSync(store).size).toBeGreaterThan(65 * 1024 ** 2);
  });
  afterAll(() => removeFolder(large));

  test('truncated: refused like a small one', async () => {
    const dataDir = copyOf(large);
    truncate((size) => middle(size))(storePath(dataDir, 'local'));
    await expectRefused(dataDir, storePath(dataDir, 'local'));
    removeFolder(dataDir);
  });

  const lengths = [
    ['to half, within a page', (size: number) => middle(size) + 1000],
    ['to half', (size: number) => middle(size)],
    ['by a page', (size: number) => size - 4096],
  ] as const;
  // Each copies the large store: the long run tries them all.
  test.for(lengths.slice(0, THOROUGH > 1 ? undefined : 1))(
    'truncated %s, with a log that does not hold the rest: refused',
    async ([, length]) => {
      const dataDir = join(folder, `case-${++cases}`);
      const db = new Database(store);
      try {
        db.pragma('wal_autocheckpoint = 0');
        db.exec('UPDATE readings SET ph = 7 WHERE device = 1 AND seq < 100');
        cpSync(large, dataDir, { recursive: true });
      } finally {
        db.close();
      }
      truncate(length)(storePath(dataDir, 'local'));
      // SQLite itself notices some of these, in its own words.
      expect(await expectRefused(dataDir, storePath(dataDir, 'local'))).toMatch(/its end is missing|is malformed/);
      removeFolder(dataDir);
    },
  );

  test('garbage from the middle on: refused, or affected reads get 503 and the others continue', async () => {
    const dataDir = copyOf(large);
    overwrite((size) => [middle(size), size - 4096])(storePath(dataDir, 'local'));
    const before = snapshot(dataDir);
    const { code, stderr } = await runToEndOrStop(dataDir);
    if (code === 1) {
      expect(stderr).toMatch(/^wellhouse: [^\n]+\n$/);
      expect(snapshot(dataDir)).toEqual(before);
    }
    removeFolder(dataDir);
  });
});

/** Starts a node; where that works, every read answers 200 or 503 and the node stops cleanly. */
async function runToEndOrStop(dataDir: string): Promise<{ code: number | null; stderr: string }> {
  const node = await startNode({ dataDir }).catch(() => null);
  if (node === null) return await runToEnd({ dataDir });
  const client = new WireClient(node.url('local'));
  const { body } = await client.devices();
  const [device] = (body as { devices: { id: string }[] }).devices;
  expect([200, 503]).toContain((await client.readings(device!.id)).status);
  expect((await client.health()).status).toBe(200);
  client.close();
  return await node.stop();
}

test('a missing store beside the identity is the only one that is created again', async () => {
  const dataDir = copyOf(sound);
  const store = storePath(dataDir, 'public');
  for (const suffix of ['', '-wal', '-shm']) removeFolder(`${store}${suffix}`);
  const node = await startNode({ dataDir });
  expect(existsSync(store)).toBe(true);
  await node.stop();
});
