import { copyFileSync, mkdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../../test/support/node-process.ts';
import { hasLog, logPathOf, readLog } from './write-ahead-log.ts';

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

describe('the log of a store', () => {
  it('is beside it, also if it is missing or in another folder', () => {
    expect(logPathOf(join(folder, 'missing.db'))).toBe(join(folder, 'missing.db-wal'));
    expect(logPathOf(path)).toBe(`${realpathSync(path)}-wal`);
    mkdirSync(join(folder, 'links'));
    const link = join(folder, 'links', 'store.db');
    symlinkSync(path, link);
    if (process.platform !== 'win32') expect(logPathOf(link)).toBe(`${realpathSync(path)}-wal`);
  });

  it('counts only if it is not empty', () => {
    const other = join(folder, 'other.db');
    expect(hasLog(other)).toBe(false);
    writeFileSync(`${other}-wal`, '');
    expect(hasLog(other)).toBe(false);
    writeFileSync(`${other}-wal`, 'x');
    expect(hasLog(other)).toBe(true);
    expect(readLog(other)).toEqual({ pages: new Set(), changeCounters: null });
  });
});

describe('a log of either byte order', () => {
  const PAGE_BYTES = 512;
  const SALTS = [7, 8] as const;

  interface Frame {
    readonly page: number;
    /** The number of pages after a commit; 0: the transaction goes on. */
    readonly commit: number;
    readonly counter?: number;
    readonly salts?: readonly [number, number];
  }

  /** Writes a log as the format's description says. `spoil` changes its header before the checksum. */
  function write(isLittleEndian: boolean, frames: readonly Frame[], spoil = (_header: Buffer) => {}): string {
    let [a, b] = [0, 0];
    const sum = (bytes: Buffer) => {
      for (let at = 0; at < bytes.length; at += 8) {
        const word = (from: number) => (isLittleEndian ? bytes.readUInt32LE(from) : bytes.readUInt32BE(from));
        a = (a + word(at) + b) >>> 0;
        b = (b + word(at + 4) + a) >>> 0;
      }
    };
    const numbers = (...values: number[]) => {
      const bytes = Buffer.alloc(4 * values.length);
      for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
      return bytes;
    };
    const header = numbers(isLittleEndian ? 0x377f0682 : 0x377f0683, 3_007_000, PAGE_BYTES, 0, ...SALTS);
    spoil(header);
    sum(header);
    const parts = [header, numbers(a, b)];
    for (const { page, commit, counter = 0, salts = SALTS } of frames) {
      const [start, content] = [numbers(page, commit), Buffer.alloc(PAGE_BYTES)];
      content.writeUInt32BE(counter, 24);
      sum(start);
      sum(content);
      parts.push(start, numbers(...salts), numbers(a, b), content);
    }
    const store = join(folder, 'written.db');
    writeFileSync(`${store}-wal`, Buffer.concat(parts));
    return store;
  }

  const FRAMES: readonly Frame[] = [
    { page: 1, commit: 0, counter: 5 },
    { page: 9, commit: 9, counter: 99 },
    { page: 1, commit: 9, counter: 6 },
    { page: 1, commit: 9, counter: 7 },
    { page: 1, commit: 0, counter: 8 },
    { page: 3, commit: 0 },
  ];
  const READ = { pages: new Set([1, 9]), changeCounters: { first: 5, last: 7 } };

  it.each([true, false])('is read up to its last commit (little-endian: %s)', (isLittleEndian) => {
    expect(readLog(write(isLittleEndian, FRAMES))).toEqual(READ);
  });

  it('has no change counters without page 1', () => {
    expect(readLog(write(true, [{ page: 2, commit: 2 }]))).toEqual({ pages: new Set([2]), changeCounters: null });
  });

  it('ends at a frame of an earlier use', () => {
    for (const salts of [
      [7, 9],
      [6, 8],
    ] as const) {
      const frames = [...FRAMES.slice(0, 4), { page: 4, commit: 4, salts }, { page: 5, commit: 5 }];
      expect(readLog(write(true, frames))).toEqual(READ);
    }
  });

  it.each([0, 3])('is empty if its mark is another one, at byte %d', (at) => {
    const store = write(true, FRAMES, (header) => {
      header[at]! ^= 4;
    });
    expect(readLog(store)).toEqual({ pages: new Set(), changeCounters: null });
  });

  it.each([16, 20, 24, 28])('is empty if its header was not written whole, at byte %d', (at) => {
    const store = write(true, FRAMES);
    const bytes = readFileSync(`${store}-wal`);
    bytes[at]! ^= 1;
    writeFileSync(`${store}-wal`, bytes);
    expect(readLog(store)).toEqual({ pages: new Set(), changeCounters: null });
  });

  it.each([0, 4, 16, 20, 24, 535])('ends before a frame with another byte %d', (at) => {
    const store = write(true, FRAMES);
    const bytes = readFileSync(`${store}-wal`);
    bytes[32 + 2 * (24 + PAGE_BYTES) + at]! ^= 1;
    writeFileSync(`${store}-wal`, bytes);
    expect(readLog(store)).toEqual({ pages: new Set([1, 9]), changeCounters: { first: 5, last: 5 } });
  });
});
