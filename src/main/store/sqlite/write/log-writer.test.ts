import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreInMemory } from '../../../../../test/support/store-in-memory.ts';
import { entryText, type LogEntry } from '../../../../shared/proof/leaf.ts';
import { nodeHash } from '../../../../shared/proof/merkle.ts';
import { hashOfText, sha256 } from '../../log-leaves.ts';
import { LogWriter } from './log-writer.ts';

const [ID, OTHER_ID] = ['0a'.repeat(32), '0b'.repeat(32)];
const CORRECTION: LogEntry = { kind: 'correction', clock: 1, next: 2, by: -5, at: 9 };

let store: StoreInMemory;
let device: number;

beforeEach(() => {
  store = new StoreInMemory();
  device = store.addDevice(ID);
});
afterEach(() => {
  vi.useRealTimers();
  store.close();
});

/** Stores readings with the given seqs, and the same timestamps. */
function addReadings(from: number, to: number): void {
  for (let seq = from; seq < to; seq += 1) store.addReading(device, { seq, timestamp: seq, receivedAt: 7, ph: seq });
}

const textOf = (seq: number) =>
  entryText({
    ...{ kind: 'reading', device: ID, seq: `${seq}`, timestamp: `${seq}`, receivedAt: 7, clock: 0, keyVersion: 0 },
    ...{ signed: null, fields: new Map([['ph', seq]]) },
  });
const hashOf = (seq: number) => Buffer.from(hashOfText(textOf(seq)));
/** Returns the hash of the leaves of the readings with consecutive seqs, in pairs of pairs. */
function treeOf(from: number, to: number): Uint8Array {
  if (to - from === 1) return hashOf(from);
  const middle = (from + to) / 2;
  return nodeHash(sha256, treeOf(from, middle), treeOf(middle, to));
}
const leaves = () => store.rows('SELECT entry, is_deleted FROM log_leaves ORDER BY entry');
const hashAt = (entry: number) => store.values(`SELECT hash FROM log_leaves WHERE entry = ${entry}`)[0];
const nodes = () => store.rows('SELECT level, position, hash FROM log_nodes ORDER BY level, position');
const size = () => store.values('SELECT size FROM log_state')[0];
/** Returns the sizes after the transactions of the rest of the test. */
function sizes(): () => unknown[] {
  store.db.exec(`CREATE TEMP TABLE sizes (size INTEGER);
    CREATE TEMP TRIGGER step AFTER UPDATE ON main.log_state BEGIN INSERT INTO sizes VALUES (new.size); END`);
  return () => store.values('SELECT size FROM sizes ORDER BY rowid');
}

describe('the next index', () => {
  it('rises with each reading and each other entry, and a rollback takes those back that were not committed', () => {
    expect(store.log.next).toBe(0);
    store.log.took();
    store.log.add(CORRECTION);
    store.log.add({ kind: 'missing' });
    expect(store.log.next).toBe(3);
    expect(store.rows('SELECT entry, content FROM log_entries')).toEqual([
      [1, 'correction\nclock 1\nnext 2\nby -5\nat 9\n'],
      [2, 'missing\n'],
    ]);
    store.log.committed();
    store.log.took();
    store.log.rolledBack();
    expect(store.log.next).toBe(3);
    const restarted = new LogWriter(store.db, store.syncs);
    restarted.took();
    restarted.rolledBack();
    expect(restarted.next).toBe(3);
  });

  it.each([
    ['reading', 'UPDATE readings SET entry = 8 WHERE entry = 0', 9],
    ['reading after readings without an entry', 'UPDATE readings SET entry = NULL WHERE entry < 2', 3],
    ['other entry', "INSERT INTO log_entries VALUES (8, '')", 9],
    ['deleted reading', "INSERT INTO log_leaves VALUES (8, x'', 1)", 9],
    ['hashed leaf, though all rows are gone', 'UPDATE log_state SET size = 8; DELETE FROM readings', 8],
    ['one, if nothing is left', 'DELETE FROM readings; DELETE FROM log_state', 0],
  ])('after a restart follows the last %s', (_name, sql, next) => {
    addReadings(0, 3);
    store.db.exec(sql);
    expect(new LogWriter(store.db, store.syncs).next).toBe(next);
  });
});

describe('hashing', () => {
  it('hashes each entry in order, in transactions without a sync, and then has none left', () => {
    addReadings(0, 2);
    store.log.add(CORRECTION);
    const pragma = vi.spyOn(store.db, 'pragma');
    expect(store.log.work(1000)).toBe(false);
    expect(pragma.mock.calls.map(([text]) => text)).toContain('synchronous = NORMAL');
    expect(leaves()).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
    ]);
    expect([hashAt(0), hashAt(1)]).toEqual([hashOf(0), hashOf(1)]);
    expect(hashAt(2)).toEqual(hashOfText(entryText(CORRECTION)));
    expect([size(), nodes()]).toEqual([3, []]);
    const steps = sizes();
    expect(store.log.work(1000)).toBe(false);
    expect(steps()).toEqual([]);
  });

  it('takes 64 leaves at a time, never across the end of a block, until its time is over', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    addReadings(0, 10);
    expect(store.log.work(0)).toBe(true);
    expect(size()).toBe(0);
    expect(store.log.work(1)).toBe(false);
    addReadings(10, 300);
    const steps = sizes();
    const pragma = store.db.pragma.bind(store.db);
    store.db.pragma = (text, options) => {
      if (/NORMAL/.test(text)) vi.advanceTimersByTime(1);
      return pragma(text, options);
    };
    expect(store.log.work(2)).toBe(true);
    expect(steps()).toEqual([74, 138]);
    expect(store.log.work(3)).toBe(false);
    expect(steps()).toEqual([74, 138, 202, 256, 300]);
  });

  it('keeps the hash of each complete block and of each larger subtree, also after restarts', () => {
    const restart = () => {
      store.log = new LogWriter(store.db, store.syncs);
    };
    const work = () => expect(store.log.work(10_000)).toBe(false);
    addReadings(0, 10);
    work();
    restart();
    addReadings(10, 256);
    work();
    expect(nodes()).toEqual([[8, 0, treeOf(0, 256)]]);
    restart();
    addReadings(256, 500);
    work();
    restart();
    addReadings(500, 1024);
    work();
    expect(nodes()).toEqual([
      ...[0, 1, 2, 3].map((at) => [8, at, treeOf(256 * at, 256 * (at + 1))]),
      ...[0, 1].map((at) => [9, at, treeOf(512 * at, 512 * (at + 1))]),
      [10, 0, treeOf(0, 1024)],
    ]);
  });

  it('records that a row is missing that another program removed', () => {
    addReadings(0, 3);
    store.db.exec('DELETE FROM readings WHERE seq = 1');
    store.log.work(1000);
    expect(store.rows('SELECT entry, content FROM log_entries')).toEqual([[1, 'missing\n']]);
    expect(hashAt(1)).toEqual(hashOfText('missing\n'));
    expect(hashAt(2)).toEqual(hashOf(2));
  });

  it('continues after a fault with the same leaves', () => {
    addReadings(0, 300);
    store.db.exec(`CREATE TEMP TRIGGER fault BEFORE INSERT ON main.log_leaves WHEN new.entry = 200
      BEGIN SELECT RAISE(ABORT, 'fault'); END`);
    expect(() => store.log.work(10_000)).toThrow('fault');
    expect([size(), leaves().length]).toEqual([192, 192]);
    store.db.exec('DROP TRIGGER fault');
    expect(store.log.work(10_000)).toBe(false);
    expect([size(), nodes()]).toEqual([300, [[8, 0, treeOf(0, 256)]]]);
  });
});

describe('deleting', () => {
  it('marks the leaf of a hashed reading, and keeps the hash of one that is not hashed yet', () => {
    addReadings(0, 2);
    store.log.work(1000);
    addReadings(2, 4);
    for (const entry of [1, 2, null, 9]) store.log.deleting(entry);
    store.db.exec('DELETE FROM readings WHERE entry IN (1, 2)');
    const expected = [
      [0, 0],
      [1, 1],
      [2, 1],
    ];
    expect(leaves()).toEqual(expected);
    expect(hashAt(2)).toEqual(hashOf(2));
    expect(store.log.work(1000)).toBe(false);
    expect(leaves()).toEqual([...expected, [3, 0]]);
    expect(store.values('SELECT content FROM log_entries')).toEqual([]);
  });

  it('uses the hash of a deleted reading for its block', () => {
    addReadings(0, 256);
    store.log.deleting(5);
    store.db.exec('DELETE FROM readings WHERE entry = 5');
    store.log.work(10_000);
    expect(nodes()).toEqual([[8, 0, treeOf(0, 256)]]);
  });

  it('marks the readings of an hour of a device, from its first timestamp to its last', () => {
    const other = store.addDevice(OTHER_ID);
    for (const [seq, timestamp] of [9, 10, 19, 20, -10, -9].entries()) store.addReading(device, { seq, timestamp });
    store.addReading(other, { seq: 0, timestamp: 15 });
    store.addReading(device, { seq: 9, timestamp: 15, isLogged: false });
    store.log.work(1000);
    store.log.deletingHour(device, 10, 20);
    const marked = 'SELECT entry FROM log_leaves WHERE is_deleted = 1 ORDER BY entry';
    expect(store.values(marked)).toEqual([1, 2]);
    store.log.deletingHour(device, -20, 0);
    expect(store.values(marked)).toEqual([1, 2]);
  });

  it('removes the texts of a device’s registrations from the log, and keeps their hashes', () => {
    const registration = (of: string, at: number): LogEntry => ({
      ...{ kind: 'registration', device: of, at, way: 'gate', by: null, received: '{}' },
    });
    store.log.add(registration(ID, 1));
    store.log.add(registration(OTHER_ID, 2));
    store.log.add(CORRECTION);
    store.log.work(1000);
    store.log.add(registration(ID, 3));
    store.log.add(registration('09'.repeat(32), 4));
    const before = hashAt(0);
    store.log.forgetRegistration(ID);
    expect(store.values('SELECT entry FROM log_entries ORDER BY entry')).toEqual([1, 2, 4]);
    expect(leaves()).toEqual([
      [0, 1],
      [1, 0],
      [2, 0],
      [3, 1],
    ]);
    expect(hashAt(0)).toEqual(before);
    expect(hashAt(3)).toEqual(hashOfText(entryText(registration(ID, 3))));
    store.log.work(1000);
    expect(leaves().slice(3)).toEqual([
      [3, 1],
      [4, 0],
    ]);
    expect(store.values('SELECT count(*) FROM log_entries')).toEqual([3]);
  });
});

it('keeps a checkpoint for each size, the latest one', () => {
  expect(store.log.keepCheckpoint({ size: 5, at: 1, note: 'a' })).toBeNull();
  store.log.keepCheckpoint({ size: 6, at: 2, note: 'b' });
  store.log.keepCheckpoint({ size: 5, at: 3, note: 'c' });
  expect(store.rows('SELECT size, at, note FROM log_checkpoints ORDER BY size')).toEqual([
    [5, 3, 'c'],
    [6, 2, 'b'],
  ]);
});
