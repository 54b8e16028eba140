import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { APPLICATION_IDS, migrate, STORE_VERSION } from './migrations.ts';

let db: Database.Database;
beforeEach(() => {
  db = new Database(':memory:');
});
afterEach(() => db.close());

/** Returns the names of everything in the schema, and those of all columns with their tables. */
function names(): string[] {
  const schema = "SELECT name, type FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'";
  const columns = `SELECT s.name || '.' || c.name FROM (${schema}) s, pragma_table_info(s.name) c WHERE s.type = 'table'`;
  return db.prepare<[], string>(`SELECT name FROM (${schema}) UNION ALL ${columns}`).pluck().all();
}
const marks = () => ['application_id', 'user_version'].map((name) => db.pragma(name, { simple: true }));

/** The additions of each version to both stores and to the private store, without the columns of new tables. */
const ADDED: readonly (readonly [both: readonly string[], own: readonly string[]])[] = [
  [
    [
      ...['devices', 'hourly_counts', 'reading_forms', 'readings', 'readings_by_time', 'unregistered_devices'],
      ...['users', 'withheld'],
    ],
    ['device_notes'],
  ],
  [['dirty_hours', 'hourly_rollups'], ['device_notes.mine']],
  [[], ['device_notes.text', 'device_notes.units', 'journal', 'journal_by_time', 'owner_choices']],
  [['retained_hours', 'retention'], []],
  [['moved_arrivals', 'moved_clocks', 'readings.clock'], []],
  [['readings.signature', 'readings.signed'], []],
  [
    [
      ...['log_checkpoints', 'log_entries', 'log_leaves', 'log_nodes', 'log_state', 'readings.entry'],
      ...['readings.first_arrival', 'readings_by_entry'],
    ],
    [],
  ],
  [[], ['journal.act', 'journal.author']],
  [[], ['journal_calibrations']],
];

describe.each(['private', 'public'] as const)('a %s store', (name: StoreName) => {
  it('gets the tables and columns of each version in turn', () => {
    expect(STORE_VERSION).toBe(ADDED.length);
    let before: string[] = [];
    for (const [index, [both, own]] of ADDED.entries()) {
      migrate(db, name, index + 1);
      const after = names();
      const added = after.filter((each) => !before.includes(each));
      const columnsOfNew = (each: string) => added.includes(each.split('.')[0]!) && each.includes('.');
      const expected = [...both, ...(name === 'private' ? own : [])].sort();
      expect(added.filter((each) => !columnsOfNew(each)).sort(), `version ${index + 1}`).toEqual(expected);
      expect(before.filter((each) => !after.includes(each))).toEqual([]);
      expect(marks()).toEqual([APPLICATION_IDS[name], index + 1]);
      before = after;
    }
  });

  it('is the same in one step as in many', () => {
    const schema = () => db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all();
    migrate(db, name);
    const [inOne, markedInOne] = [schema(), marks()];
    db.close();
    db = new Database(':memory:');
    for (let version = 1; version <= STORE_VERSION; version += 1) migrate(db, name, version);
    expect([schema(), marks()]).toEqual([inOne, markedInOne]);
  });

  it('begins with an empty log', () => {
    migrate(db, name);
    expect(db.prepare('SELECT * FROM log_state').all()).toEqual([{ row: 1, size: 0 }]);
  });

  it('of the present version stays as it is', () => {
    migrate(db, name);
    db.pragma('query_only = ON');
    expect(() => migrate(db, name)).not.toThrow();
  });
});

it('marks the hours of the readings that it finds, also of timestamps from 2^63 on', () => {
  migrate(db, 'public', 1);
  db.pragma('foreign_keys = OFF');
  db.exec(`INSERT INTO readings (device, seq, timestamp, received_at, key_version) VALUES
    (1, 1, 7199999, 1, 0), (1, 2, 7200000, 1, 0), (1, 3, 7200001, 1, 0), (2, 1, -1, 1, 0)`);
  migrate(db, 'public', 2);
  expect(db.prepare('SELECT * FROM dirty_hours').safeIntegers().raw().all()).toEqual([
    [1n, 1n],
    [1n, 2n],
    [2n, (2n ** 64n - 1n) / 3_600_000n],
  ]);
});

it('keeps the rows of earlier versions', () => {
  migrate(db, 'private', 2);
  db.exec(
    `INSERT INTO device_notes (id, unit_labels, silent_after_ms, updated_at, mine) VALUES (x'01', '{"ec":"x"}', 5, 6, 1)`,
  );
  migrate(db, 'private');
  const note = {
    unit_labels: '{"ec":"x"}',
    silent_after_ms: 5,
    status: 0,
    updated_at: 6,
    mine: 1,
    units: null,
    text: '',
  };
  expect(db.prepare('SELECT * FROM device_notes').all()).toEqual([{ id: Buffer.of(1), display_name: null, ...note }]);
});

it('does all of a migration or nothing', () => {
  db.exec('CREATE TABLE hourly_rollups (other)');
  expect(() => migrate(db, 'public')).toThrow('table hourly_rollups already exists');
  expect([names(), marks()]).toEqual([
    ['hourly_rollups', 'hourly_rollups.other'],
    [0, 0],
  ]);
});

it('waits for no other connection that reads: it locks the store from the start', () => {
  const begun: string[] = [];
  const other = new Database(':memory:', { verbose: (sql) => begun.push(String(sql)) });
  migrate(other, 'public');
  other.close();
  expect(begun.slice(0, 2)).toEqual(['PRAGMA user_version', 'BEGIN EXCLUSIVE']);
  expect(begun.at(-1)).toBe('COMMIT');
});
