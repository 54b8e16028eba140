import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { prepareStore } from '../../src/main/store/sqlite/file/database.ts';
import { SqliteStore } from '../../src/main/store/sqlite/sqlite-store.ts';
import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import type { OwnerJob } from '../../src/main/store/sqlite/write/write-jobs.ts';
import { WriterThread } from '../../src/main/store/sqlite/write/writer.ts';
import { WriterConnection } from '../../src/main/store/sqlite/write/writer-connection.ts';
import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import { deviceRegistration } from '../../src/shared/protocol/device.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { ENDPOINTS, type Endpoint, removeFolder, temporaryFolder } from '../support/node-process.ts';
import { STORE_OF, storePath } from '../support/store-file.ts';

const SOURCES = fileURLToPath(new URL('../../src/main/store/', import.meta.url));
/** Whole tables that are read by design, each bounded; readings are in none of them. */
const MAY_SCAN: readonly RegExp[] = [
  /^SELECT [\w., ]+ FROM main.devices d LEFT JOIN main.users u ON u.id = d.owner_pubkey ORDER BY device$/,
  /^SELECT count\(\*\) FROM devices$/,
  // The newest few, once at a start, and replaced as a whole.
  /^SELECT [\w, ]+ FROM main.unregistered_devices ORDER BY last_at$/,
  /^DELETE FROM unregistered_devices$/,
  // What was left to be done, once at a start.
  /^SELECT device, hour FROM dirty_hours$/,
  // Hours whose times are moved when the clock was wrong, some hundred at a step.
  /^SELECT device, hour FROM \( SELECT device, hour FROM dirty_hours UNION /,
  // Times in tables of a row a device, then.
  /^UPDATE (withheld|unregistered_devices|devices|users) SET \w+ = \w+ \+ \? WHERE \w+ BETWEEN \? AND \?$/,
  // What an owner wrote by hand, when a device is forgotten.
  /^DELETE FROM journal WHERE device_id = \?$/,
  // What the log has besides readings, when a device is forgotten: a row for each device, and each correction.
  /^SELECT entry, content FROM log_entries WHERE content >= \? AND content < \?$/,
  // A table of one row.
  /^(?:UPDATE log_state SET size = \?|SELECT size FROM (?:main\.)?log_state)$/,
];
/** Prepares what others ask it to. */
const CONNECTION = 'sqlite/read/read-connection.ts';
/** The statements that only the owner's view runs: see query-plans.test.ts of sqlite/read. */
const ELSEWHERE: readonly string[] = [
  // Copies and counts whole stores, by design.
  'sqlite/file/rows.ts',
  'sqlite/file/snapshot.ts',
  'sqlite/read/arrival-hours.ts',
  'sqlite/read/merged-hours.ts',
  'sqlite/read/retained-hours.ts',
  // What a proof asks of the log, off the main thread.
  'sqlite/read/log.ts',
  'sqlite/read/merged-readings.ts',
  'sqlite/read/owner-records.ts',
  'sqlite/read/row-bytes.ts',
  'sqlite/read/stored-twice.ts',
  // Another engine's own.
  'postgres/schema.ts',
  // Asks for SQLite's version alone.
  'sqlite/sqlite-engine.ts',
  // Prepares stores, not statements.
  'move-store.ts',
  'stores-without-node.ts',
];

/** The tables that only the private store has. */
const OF_THE_OWNER = 'sqlite/write/owner-records.ts';

interface Prepared {
  readonly sql: string;
  /** The module of the store that prepared it. */
  readonly module: string;
}

const folder = temporaryFolder();
const device = new SimulatedDevice();
afterAll(() => removeFolder(folder));
beforeAll(() => {
  for (const endpoint of ENDPOINTS) {
    const path = storePath(folder, endpoint);
    prepareStore(path, STORE_OF[endpoint]);
    const writer = new DirectWriter(path);
    writer.register(deviceRegistration.parse(device.registration()), 0);
    writer.close();
  }
});

const entry = { kind: 'writeEntry', device: device.id, at: 0, text: 'x', updatedAt: 0 } as const;
/** Every kind of job that writes what the owner chose or noted. */
const OWNER_JOBS: readonly OwnerJob[] = [
  { kind: 'note', id: device.id, notes: NO_NOTES, updatedAt: 0 },
  { kind: 'choose', name: 'units', value: '{}', updatedAt: 0 },
  { ...entry, id: null },
  { ...entry, id: 1 },
  { kind: 'deleteEntry', id: 1 },
  { kind: 'note', id: device.id, notes: null, updatedAt: 0 },
];

/** Every statement that a store prepares for its endpoint, taken where better-sqlite3 receives it. */
async function collectStatements(endpoint: Endpoint): Promise<Prepared[]> {
  const path = storePath(folder, endpoint);
  const thread = new WriterThread(pino({ level: 'silent' }));
  const writer = await thread.open({ path, durability: 'full', bounds: null });
  const prepared: Prepared[] = [];
  const prepare = Database.prototype.prepare;
  const spy = vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database.Database, sql) {
    const frames = (new Error().stack ?? '').matchAll(/src\/main\/store\/([\w/-]+\.ts)/g);
    const module = Array.from(frames, ([, name]) => name!).find((name) => name !== CONNECTION) ?? 'unknown';
    prepared.push({ sql: sql.trim().replace(/\s+/g, ' '), module });
    return prepare.call(this, sql);
  });
  try {
    const store = new SqliteStore(endpoint === 'local' ? 'private' : 'public', path, writer);
    await store.device(device.id);
    await store.devices();
    await store.latest(device.id, 500);
    await store.unregistered();
    await store.close();
    const bounds = { maxDevices: 10, maxBytes: 1e9, minFreeBytes: 0, minFreePart: 1 };
    const connection = new WriterConnection({ path, durability: 'full', bounds });
    if (endpoint === 'local') connection.runGroup(OWNER_JOBS);
    connection.close();
    return prepared;
  } finally {
    spy.mockRestore();
    await thread.close();
  }
}

function planOf(path: string, sql: string): string[] {
  const db = new Database(path, { readonly: true });
  try {
    const parameters = Array.from(sql.matchAll(/\?/g), () => null);
    const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
    return rows.map(({ detail }) => detail);
  } finally {
    db.close();
  }
}

test.for(ENDPOINTS)('no statement on the %s store reads through a whole table or sorts', async (endpoint) => {
  const path = storePath(folder, endpoint);
  const prepared = await collectStatements(endpoint);
  const statements = new Set(
    prepared.map(({ sql }) => sql).filter((sql) => !/^(BEGIN|COMMIT|ROLLBACK|PRAGMA)/.test(sql)),
  );
  for (const sql of statements) {
    const bad = planOf(path, sql).filter((step) => /^SCAN|TEMP B-TREE|AUTOMATIC/.test(step));
    const mayScan = MAY_SCAN.some((pattern) => pattern.test(sql));
    expect(mayScan ? bad.filter((step) => step.includes('readings')) : bad, sql).toEqual([]);
  }
  const preparing = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('postgres/'))
    .filter((name) => ![CONNECTION, ...ELSEWHERE].includes(name))
    .filter((name) => endpoint === 'local' || name !== OF_THE_OWNER)
    .filter((name) => /\.(?:prepare|statement)\b/.test(readFileSync(SOURCES + name, 'utf8')));
  expect(preparing.length).toBeGreaterThan(5);
  const seen = new Set(prepared.map(({ module }) => module));
  expect(
    preparing.filter((name) => !seen.has(name)),
    'modules whose statements no one looks at: let collectStatements reach them',
  ).toEqual([]);
});

test('the latest readings come from the index in their order, with one row looked up for each', async () => {
  const prepared = await collectStatements('local');
  const latest = prepared.filter(({ sql }) => /^SELECT seq, timestamp, .* FROM main.readings r/.test(sql));
  expect(latest).toHaveLength(2);
  for (const { sql } of latest) {
    expect(planOf(storePath(folder, 'local'), sql)).toEqual([
      expect.stringMatching(/^SEARCH r USING INDEX readings_by_time \(device=\? AND <expr>=\? AND timestamp>\? AND/),
    ]);
  }
});

test('a plan distinguishes a scan from a search', () => {
  const path = storePath(folder, 'local');
  expect(planOf(path, 'SELECT * FROM readings WHERE timestamp = ?').join()).toMatch(/^SCAN readings/);
  expect(planOf(path, 'SELECT * FROM readings WHERE device = ? ORDER BY ph').join()).toContain('TEMP B-TREE');
});
