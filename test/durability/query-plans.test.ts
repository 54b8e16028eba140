import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { prepareStore } from '../../src/main/store/database.ts';
import { LATEST_READINGS_SQL } from '../../src/main/store/readings.ts';
import { Store } from '../../src/main/store/store.ts';
import { WriterThread } from '../../src/main/store/writer.ts';
import { WriterConnection } from '../../src/main/store/writer-connection.ts';
import { ENDPOINTS, removeFolder, temporaryFolder } from '../support/node-process.ts';
import { storePath } from '../support/store-file.ts';

const SOURCES = fileURLToPath(new URL('../../src/main/store/', import.meta.url));
/** Whole tables that are read by design, each bounded; readings are in none of them. */
const MAY_SCAN: readonly RegExp[] = [
  /^SELECT [\w, ]+ FROM devices ORDER BY device$/,
  /^SELECT count\(\*\) FROM devices$/,
  // The newest few, once at a start, and replaced as a whole.
  /^SELECT [\w, ]+ FROM unregistered_devices ORDER BY last_at$/,
  /^DELETE FROM unregistered_devices$/,
  // What was left to be done, once at a start.
  /^SELECT device, hour FROM dirty_hours$/,
];
/** The owner's view: statements that are prepared when they are first asked for. */
const ELSEWHERE: readonly string[] = ['owner-stores.ts'];

interface Prepared {
  readonly sql: string;
  /** The module of the store that prepared it. */
  readonly module: string;
}

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));
beforeAll(() => {
  for (const endpoint of ENDPOINTS) prepareStore(storePath(folder, endpoint), endpoint);
});

/** Every statement that a store prepares for its endpoint, taken where better-sqlite3 receives it. */
async function collectStatements(path: string): Promise<Prepared[]> {
  const thread = new WriterThread(pino({ level: 'silent' }));
  const writer = await thread.open({ path, durability: 'full', bounds: null });
  const prepared: Prepared[] = [];
  const prepare = Database.prototype.prepare;
  const spy = vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database.Database, sql) {
    const [, module = 'unknown'] = /src\/main\/store\/([\w-]+\.ts)/.exec(new Error().stack ?? '') ?? [];
    prepared.push({ sql: sql.trim().replace(/\s+/g, ' '), module });
    return prepare.call(this, sql);
  });
  try {
    const store = new Store(path, writer, '00'.repeat(32));
    store.devices.find('00'.repeat(32));
    store.latestReadingsBody(1);
    store.unregisteredDevices();
    store.close();
    const bounds = { maxDevices: 10, maxBytes: 1e9, minFreeBytes: 0 };
    new WriterConnection({ path, durability: 'full', bounds }).close();
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
  const prepared = await collectStatements(path);
  const statements = new Set(
    prepared.map(({ sql }) => sql).filter((sql) => !/^(BEGIN|COMMIT|ROLLBACK|PRAGMA)/.test(sql)),
  );
  expect(statements).toContain(LATEST_READINGS_SQL.trim().replace(/\s+/g, ' '));
  for (const sql of statements) {
    const bad = planOf(path, sql).filter((step) => /^SCAN|TEMP B-TREE|AUTOMATIC/.test(step));
    const mayScan = MAY_SCAN.some((pattern) => pattern.test(sql));
    expect(mayScan ? bad.filter((step) => step.includes('readings')) : bad, sql).toEqual([]);
  }
  const preparing = readdirSync(SOURCES)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !ELSEWHERE.includes(name))
    .filter((name) => /\.prepare\b/.test(readFileSync(SOURCES + name, 'utf8')));
  const seen = new Set(prepared.map(({ module }) => module));
  expect(
    preparing.filter((name) => !seen.has(name)),
    'modules whose statements no one looks at: let collectStatements reach them',
  ).toEqual([]);
});

test('the latest readings come out of the index in their order, one row looked up for each', () => {
  const plan = planOf(storePath(folder, 'local'), LATEST_READINGS_SQL);
  expect(plan).toEqual(['SEARCH readings USING INDEX readings_by_time (device=?)']);
});

test('a plan tells a scan from a search', () => {
  const path = storePath(folder, 'local');
  expect(planOf(path, 'SELECT * FROM readings WHERE timestamp = ?').join()).toMatch(/^SCAN readings/);
  expect(planOf(path, 'SELECT * FROM readings WHERE device = ? ORDER BY ph').join()).toContain('TEMP B-TREE');
});
