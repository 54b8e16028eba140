import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { KeptFrom } from './kept-from.ts';

let db: Database.Database;
let kept: KeptFrom;
beforeEach(() => {
  db = new Database(':memory:');
  db.exec('CREATE TABLE retention (device INTEGER PRIMARY KEY, kept_from INTEGER NOT NULL) STRICT');
  kept = new KeptFrom(db);
});
afterEach(() => db.close());

it('only rises, and is what the table has after a rollback', () => {
  kept.raise(1, 5);
  kept.raise(1, 4);
  expect([kept.of(1), kept.of(2)]).toEqual([5, 0]);
  db.exec('BEGIN');
  kept.raise(1, 9);
  expect(kept.of(1)).toBe(9);
  db.exec('ROLLBACK');
  kept.rolledBack();
  expect(kept.of(1)).toBe(5);
  kept.forget(1);
  expect(kept.of(1)).toBe(0);
});
