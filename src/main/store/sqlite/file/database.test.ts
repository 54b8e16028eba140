import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../../test/support/node-process.ts';
import { StartError } from '../../../common/start-error.ts';
import {
  advanceChangeCounter,
  keepFewPages,
  keepScratchIn,
  openForReading,
  openForWriting,
  prepareStore,
} from './database.ts';
import { APPLICATION_IDS, migrate, STORE_VERSION } from './migrations.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'private.db');
});
afterEach(() => removeFolder(folder));

const pragmas = (db: Database.Database, ...names: string[]) => names.map((name) => db.pragma(name, { simple: true }));

describe('a new store', () => {
  it('is complete, readable only by its owner, and alone in its folder', () => {
    prepareStore(path, 'private');
    expect(readdirSync(folder)).toEqual(['private.db']);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    const db = new Database(path, { readonly: true });
    expect(pragmas(db, 'application_id', 'user_version', 'journal_mode')).toEqual([
      ...[APPLICATION_IDS.private, STORE_VERSION, 'wal'],
    ]);
    expect(db.prepare('SELECT count(*) FROM device_notes').pluck().get()).toBe(0);
    db.close();
  });

  it('takes the place of unfinished ones', () => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) writeFileSync(`${path}.new${suffix}`, 'unfinished');
    prepareStore(path, 'public');
    expect(readdirSync(folder)).toEqual(['private.db']);
    const db = new Database(path, { readonly: true });
    expect(pragmas(db, 'application_id')).toEqual([APPLICATION_IDS.public]);
    db.close();
  });

  it('is refused beside the log of another one, and where there is no folder', () => {
    writeFileSync(`${path}-wal`, 'readings');
    expect(() => prepareStore(path, 'private')).toThrow(/^the store .* is missing, but its log .* exists/);
    expect(readdirSync(folder)).toEqual(['private.db-wal']);
    const away = join(folder, 'away', 'private.db');
    expect(() => prepareStore(away, 'private')).toThrow(StartError);
    expect(() => prepareStore(away, 'private')).toThrow(
      /^the store .* can't be opened \(ENOENT: .*\); nothing was changed/,
    );
  });
});

describe('a store that is there', () => {
  it('stays as it is', () => {
    prepareStore(path, 'private');
    const before = readFileSync(path);
    prepareStore(path, 'private');
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(['private.db']);
  });

  it('is refused as another one', () => {
    prepareStore(path, 'private');
    expect(() => prepareStore(path, 'public')).toThrow(
      new StartError(`${path} is a private store under the wrong name; nothing was changed; give it its own name`),
    );
  });

  it('is brought to the present version', () => {
    const old = new Database(path);
    migrate(old, 'private', 3);
    old.close();
    prepareStore(path, 'private');
    const db = new Database(path, { readonly: true });
    expect(pragmas(db, 'user_version')).toEqual([STORE_VERSION]);
    db.close();
  });

  it('keeps what only its log has', () => {
    prepareStore(path, 'public');
    const db = openForWriting(path, 'normal');
    db.exec("INSERT INTO hourly_counts VALUES (1, 'stored', 5)");
    const killed = join(folder, 'public.db');
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, killed + suffix);
    db.close();
    prepareStore(killed, 'public');
    expect(existsSync(`${killed}-wal`)).toBe(false);
    const after = openForReading(killed);
    expect(after.prepare('SELECT * FROM hourly_counts').all()).toEqual([{ hour: 1, outcome: 'stored', count: 5 }]);
    after.close();
  });
});

describe('a connection', () => {
  beforeEach(() => prepareStore(path, 'private'));

  it.each([
    ['normal', 1],
    ['full', 2],
  ] as const)('that writes with durability %s is set up for it', (durability, synchronous) => {
    const db = openForWriting(path, durability);
    const facts = pragmas(
      db,
      ...['journal_mode', 'synchronous', 'foreign_keys', 'wal_autocheckpoint', 'journal_size_limit'],
      ...['cache_size', 'busy_timeout'],
    );
    expect(facts).toEqual(['wal', synchronous, 1, 2000, 16_777_216, -4096, 5000]);
    db.close();
  });

  it('that writes makes a log for a store without one', () => {
    const other = join(folder, 'other.db');
    const db = new Database(other);
    db.exec('CREATE TABLE rows (content)');
    db.close();
    const writing = openForWriting(other, 'normal');
    expect(pragmas(writing, 'journal_mode')).toEqual(['wal']);
    writing.close();
  });

  it('that reads writes nothing', () => {
    const db = openForReading(path);
    expect([db.readonly, ...pragmas(db, 'query_only', 'cache_size', 'busy_timeout')]).toEqual([true, 1, -2048, 50]);
    expect(() => db.exec('DELETE FROM devices')).toThrow('attempt to write a readonly database');
    db.exec(`ATTACH '${join(folder, 'private.db')}' AS second`);
    expect(pragmas(db, 'second.cache_size')).not.toEqual([-2048]);
    keepFewPages(db, 'second');
    expect(pragmas(db, 'second.cache_size')).toEqual([-2048]);
    db.close();
  });

  it('creates no file', () => {
    const missing = join(folder, 'missing.db');
    expect(() => openForWriting(missing, 'full')).toThrow('unable to open database file');
    expect(() => openForReading(missing)).toThrow('unable to open database file');
    expect(existsSync(missing)).toBe(false);
  });
});

describe('the change counter of a store', () => {
  const counter = () => readFileSync(path).readUInt32BE(24);
  beforeEach(() => prepareStore(path, 'private'));

  it('is advanced, and the version stays', () => {
    const before = counter();
    const db = openForWriting(path, 'normal');
    advanceChangeCounter(db);
    expect(pragmas(db, 'user_version')).toEqual([STORE_VERSION]);
    db.close();
    expect(counter()).toBe(before + 1);
  });

  it('stays the same while another program writes, which is no fault, but every other error is', () => {
    const before = counter();
    const [other, db] = [openForWriting(path, 'normal'), openForWriting(path, 'normal')];
    db.pragma('busy_timeout = 0');
    other.exec('BEGIN IMMEDIATE');
    expect(() => advanceChangeCounter(db)).not.toThrow();
    other.exec('ROLLBACK');
    other.close();
    db.close();
    expect(counter()).toBe(before);
    expect(() => advanceChangeCounter(db)).toThrow('The database connection is not open');
  });
});

it('the folder for temporary files is the one that the environment names, or else the given one', () => {
  const before = process.env.SQLITE_TMPDIR;
  try {
    delete process.env.SQLITE_TMPDIR;
    keepScratchIn('/first');
    expect(process.env.SQLITE_TMPDIR).toBe('/first');
    keepScratchIn('/second');
    expect(process.env.SQLITE_TMPDIR).toBe('/first');
  } finally {
    delete process.env.SQLITE_TMPDIR;
    if (before !== undefined) process.env.SQLITE_TMPDIR = before;
  }
});
