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

const stored = () => db.prepare('SELECT device, kept_from FROM retention ORDER BY device').raw().all();

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

it('is stored when it rises, until its device is forgotten', () => {
  kept.raise(1, 5);
  kept.raise(2, 6);
  kept.raise(2, 7);
  kept.raise(3, 0);
  expect(stored()).toEqual([
    [1, 5],
    [2, 7],
  ]);
  kept.forget(1);
  expect(stored()).toEqual([[2, 7]]);
  expect(new KeptFrom(db).of(2)).toBe(7);
});

it('is read once and written only when it rises', () => {
  kept.raise(1, 5);
  expect([kept.of(1), kept.of(2)]).toEqual([5, 0]);
  db.exec('UPDATE retention SET kept_from = 3; INSERT INTO retention VALUES (2, 3)');
  expect([kept.of(1), kept.of(2)]).toEqual([5, 0]);
  kept.raise(1, 5);
  expect(stored()).toEqual([
    [1, 3],
    [2, 3],
  ]);
  kept.raise(1, 6);
  expect(kept.of(1)).toBe(6);
  expect(new KeptFrom(db).of(1)).toBe(6);
});
