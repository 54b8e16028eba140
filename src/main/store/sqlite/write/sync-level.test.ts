import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SyncLevel } from './sync-level.ts';

const [NORMAL, FULL] = [1, 2];
let db: Database.Database;
let syncs: SyncLevel;
beforeEach(() => {
  db = new Database(':memory:');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE t (x)');
  syncs = new SyncLevel(db);
});
afterEach(() => db.close());

const level = () => db.pragma('synchronous', { simple: true });
const count = () => db.prepare('SELECT count(*) FROM t').pluck().get();
/** Makes every reset of the level do nothing, or throw, until the returned function is called. */
function preventReset(error: Error | null): () => void {
  const pragma = db.pragma.bind(db);
  db.pragma = (text, options) => {
    if (!/^synchronous = [0-9]/.test(text)) return pragma(text, options);
    if (error !== null) throw error;
  };
  return () => {
    db.pragma = pragma;
  };
}

it('is lower only while transactions run that may be lost', () => {
  expect(syncs.relaxed(() => [level(), 'result'])).toEqual([NORMAL, 'result']);
  expect(level()).toBe(FULL);
  expect(() =>
    syncs.relaxed(() => {
      throw new Error('fault');
    }),
  ).toThrow('fault');
  expect(level()).toBe(FULL);
});

it.each([
  ['normal', NORMAL],
  ['full', FULL],
] as const)('stays at the level that was set: %s', (durability, number) => {
  syncs.set(durability);
  expect(level()).toBe(number);
  db.pragma('synchronous = OFF');
  syncs.relaxed(() => expect(level()).toBe(NORMAL));
  expect(level()).toBe(number);
});

it('is not touched if it is as it should be', () => {
  syncs.relaxed(() => null);
  db.exec('BEGIN; INSERT INTO t VALUES (1)');
  const pragma = vi.spyOn(db, 'pragma');
  syncs.ensure();
  expect([db.inTransaction, pragma.mock.calls]).toEqual([true, []]);
  db.exec('COMMIT');
  expect(count()).toBe(1);
});

it('rolls back what a fault left open, since the level cannot be reset within it', () => {
  syncs.relaxed(() => db.exec('BEGIN; INSERT INTO t VALUES (1)'));
  expect([db.inTransaction, count(), level()]).toEqual([false, 0, FULL]);
});

it('is reset before the next transaction if a fault prevented it', () => {
  const allow = preventReset(new Error('no'));
  expect(syncs.relaxed(() => 'result')).toBe('result');
  expect(() => syncs.ensure()).toThrow('no');
  expect(() => syncs.set('full')).toThrow('no');
  allow();
  expect(level()).toBe(NORMAL);
  syncs.ensure();
  expect(level()).toBe(FULL);
});

it('is an error if the reset has no effect', () => {
  const allow = preventReset(null);
  syncs.relaxed(() => null);
  expect(() => syncs.ensure()).toThrow('the store syncs at level 1, not 2');
  allow();
  syncs.ensure();
  expect(level()).toBe(FULL);
});
