import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../../test/support/node-process.ts';
import { readLog } from './write-ahead-log.ts';

let folder: string;
let path: string;
let db: Database.Database;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'store.db');
  db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('wal_autocheckpoint = 0');
  // So that pages of an open transaction are written to the log before its commit.
  db.pragma('cache_size = 10');
  db.exec('CREATE TABLE rows (content TEXT)');
});
afterEach(() => {
  db.close();
  removeFolder(folder);
});

const insert = (count: number) =>
  db.exec(`INSERT INTO rows WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    SELECT printf('%.1000c', 'x') FROM n`);

/** The contents of the log as it is on disk now. */
function contents(): ReturnType<typeof readLog> & { readonly bytes: number } {
  const copy = join(folder, 'copy.db');
  for (const end of ['', '-wal']) copyFileSync(path + end, copy + end);
  return { ...readLog(copy), bytes: statSync(`${copy}-wal`).size };
}

it('has the pages of commits, and none of a transaction that did not end', () => {
  insert(20);
  const before = contents();
  expect(before.pages.size).toBe(db.pragma('page_count', { simple: true }));
  db.exec('BEGIN');
  insert(500);
  const during = contents();
  expect(during.bytes).toBeGreaterThan(before.bytes + 100_000);
  expect({ ...during, bytes: before.bytes }).toEqual(before);
  db.exec('COMMIT');
  const after = contents();
  expect(after.pages.size).toBe(db.pragma('page_count', { simple: true }));
});

it('has nothing of an earlier use of its file', () => {
  insert(500);
  const before = contents();
  db.pragma('wal_checkpoint(RESTART)');
  insert(1);
  const after = contents();
  expect(after.bytes).toBe(before.bytes);
  expect(after.pages.size).toBeLessThan(5);
});

it('ends with the last commit before a frame that was not written whole', () => {
  const first = contents();
  insert(20);
  expect(contents().pages.size).toBeGreaterThan(first.pages.size);
  const log = join(folder, 'copy.db-wal');
  const bytes = readFileSync(log);
  for (const change of [
    () => writeFileSync(log, bytes.subarray(0, -1)),
    () => {
      bytes[bytes.length - 1]! ^= 1;
      writeFileSync(log, bytes);
    },
  ]) {
    change();
    expect(readLog(join(folder, 'copy.db'))).toEqual({ pages: first.pages, changeCounters: first.changeCounters });
  }
});

it('is empty where there is no log', () => {
  expect(readLog(join(folder, 'nothing.db'))).toEqual({ pages: new Set(), changeCounters: null });
});
