import { hash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../../test/support/node-process.ts';
import { StartError } from '../../../common/start-error.ts';
import { openForWriting, prepareStore } from './database.ts';
import { APPLICATION_IDS, STORE_VERSION } from './migrations.ts';
import { checkWithoutTrace, refusal, refuseLogWithoutStore } from './store-check.ts';
import { readLog } from './write-ahead-log.ts';

const [PAGE_BYTES, MIB] = [4096, 1024 ** 2];
const PAGE_COUNT_AT = 28;

let folder: string;
let [path, log] = ['', ''];
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'public.db');
  log = `${path}-wal`;
});
afterEach(() => removeFolder(folder));

/** Runs SQL on the store and closes it, so that its log is empty again. */
function change(sql: string): void {
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

/** Writes numbers of four bytes into the store's header, by their offsets. */
function patch(numbers: Readonly<Record<number, number>>): void {
  const file = openSync(path, 'r+');
  for (const [at, value] of Object.entries(numbers)) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    writeSync(file, bytes, 0, 4, Number(at));
  }
  closeSync(file);
}

/** Makes the store as large as it says it is, with pages that nothing refers to. */
function enlarge(bytes: number): void {
  truncateSync(path, bytes);
  patch({ [PAGE_COUNT_AT]: bytes / PAGE_BYTES });
}

/** Returns the message of the refusal, and expects that the folder stays as it was. */
function refused(run: () => void): string {
  const contents = () =>
    readdirSync(folder)
      .filter((name) => !name.endsWith('-shm'))
      .map((name) => [name, hash('sha256', readFileSync(join(folder, name)))]);
  const before = contents();
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(StartError);
  expect(contents()).toEqual(before);
  return (thrown as StartError).message;
}

const check = () => checkWithoutTrace(path, 'public');
const damage = (how: string) =>
  `the store ${path} is damaged (${how}); nothing was changed; put a good copy in its place, or move it away to start ` +
  'with an empty store, and move public.db-wal and public.db-shm away with it: they belong to it';

const damageBesideLog = (how: string) =>
  `${damage(how)}; where public.db is a good copy already, they are of the store before it: move them away`;

describe('a log without its store', () => {
  const run = () => refuseLogWithoutStore(path);

  it('is refused, and kept', () => {
    writeFileSync(log, 'readings');
    expect(refused(run)).toBe(
      `the store ${path} is missing, but its log ${log}, which may contain the newest readings, exists; nothing was ` +
        'changed; put the store back beside it, or move the log away too to start with an empty store',
    );
  });

  it('is no reason to refuse if it is empty, or if the store or a link to it is there', () => {
    run();
    writeFileSync(log, '');
    run();
    writeFileSync(log, 'readings');
    symlinkSync(join(folder, 'gone.db'), path);
    run();
  });
});

describe('what is no store is refused:', () => {
  it('a link to nothing', () => {
    symlinkSync(join(folder, 'gone.db'), path);
    expect(() => check()).toThrow(
      new StartError(`${path} is a link to a file that does not exist; mount its disk, or remove the link`),
    );
    expect(readdirSync(folder)).toEqual(['public.db']);
  });

  it.each([
    ['an empty file', '', 'it is empty'],
    ['a text', 'SQLite format 3 ', 'it is not an SQLite file'],
    ['a long text', 'x'.repeat(5000), 'it is not an SQLite file'],
  ])('%s', (_what, contents, how) => {
    writeFileSync(path, contents);
    expect(refused(check)).toBe(damage(how));
    writeFileSync(log, 'readings');
    expect(refused(check)).toBe(damageBesideLog(how));
  });

  it('a file that ends within its header, as SQLite refuses it, whatever log it has', () => {
    writeFileSync(path, `SQLite format 3\0${'\0'.repeat(83)}`);
    expect(check).toThrow(expect.objectContaining({ code: 'SQLITE_NOTADB' }));
    expect(readdirSync(folder)).toEqual(['public.db']);
  });
});

describe('a store', () => {
  beforeEach(() => prepareStore(path, 'public'));

  it('is refused under the name of the other store, either way', () => {
    const named = (other: string) =>
      `${path} is a ${other} store under the wrong name; nothing was changed; give it its own name`;
    expect(refused(() => checkWithoutTrace(path, 'private'))).toBe(named('public'));
    change(`PRAGMA application_id = ${APPLICATION_IDS.private}`);
    expect(refused(check)).toBe(named('private'));
    expect(readdirSync(folder)).toEqual(['public.db']);
  });

  it('of another program is refused', () => {
    change('PRAGMA application_id = 7');
    expect(refused(check)).toBe(
      `${path} is not a Wellhouse store; nothing was changed; move it away or set another DATA_DIR`,
    );
  });

  it('of a newer version is refused, and an older one is not', () => {
    change(`PRAGMA user_version = ${STORE_VERSION - 1}`);
    check();
    change(`PRAGMA user_version = ${STORE_VERSION + 1}`);
    expect(refused(check)).toBe(
      `${path} was written by a newer Wellhouse (store version ${STORE_VERSION + 1}, this one knows ${STORE_VERSION}); ` +
        'nothing was changed; update Wellhouse, or set another DATA_DIR. To stay with this version, restore the backup ' +
        `from before the upgrade, which is in ${join(folder, 'before-migration')} or in your backup folder: wellhouse ` +
        'restore --replace --keep-version <backup>',
    );
  });

  it('is refused if only a part of a page is at its end', () => {
    const { length } = readFileSync(path);
    for (const bytes of [length - 1, length + 1]) {
      truncateSync(path, bytes);
      expect(refused(check)).toBe(damage('its end is missing'));
    }
  });

  it('is checked page by page up to 64 MiB, and is refused in one line if a page is damaged', () => {
    enlarge(64 * MIB);
    expect(check).toThrow(/^the store .* is damaged \(public\.db: \S.*Page \d+: never used\); nothing/);
    enlarge(64 * MIB + PAGE_BYTES);
    check();
  });

  // Only a sparse file is as large as this.
  it.skipIf(process.platform === 'win32')('has no page where SQLite locks', () => {
    enlarge(2 ** 30);
    const db = openForWriting(path, 'normal');
    db.exec('CREATE TABLE more (content TEXT)');
    expect(Math.max(...readLog(path).pages)).toBe(2 ** 30 / PAGE_BYTES + 2);
    expect(check).not.toThrow();
    db.close();
  });
});

describe('a store with a log', () => {
  let db: Database.Database;
  beforeEach(() => {
    prepareStore(path, 'public');
    db = openForWriting(path, 'normal');
    db.pragma('wal_autocheckpoint = 0');
  });
  afterEach(() => db.close());

  it('is whole if the log has the pages at its end', () => {
    const { length } = readFileSync(path);
    db.exec(`CREATE TABLE more (content TEXT); INSERT INTO more VALUES (printf('%.20000c', 'x'))`);
    check();
    // A checkpoint that was cut off has written a part of the first new page.
    truncateSync(path, length + 1);
    check();
    // The page before it is in the store only.
    expect(readLog(path).pages.has(length / PAGE_BYTES)).toBe(false);
    truncateSync(path, length - PAGE_BYTES);
    expect(refused(check)).toContain('its end is missing');
    truncateSync(path, length);
  });

  it('is refused if only its last page is missing', () => {
    db.pragma(`user_version = ${STORE_VERSION}`);
    const { length } = readFileSync(path);
    truncateSync(path, length - PAGE_BYTES);
    expect(refused(check)).toBe(damageBesideLog('its end is missing'));
    truncateSync(path, length);
  });

  it('keeps the log when it is refused', () => {
    db.pragma('user_version = 1000');
    const before = readFileSync(log);
    expect(before.length).toBeGreaterThan(0);
    expect(check).toThrow('was written by a newer Wellhouse');
    expect(readFileSync(log).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(['public.db', 'public.db-shm', 'public.db-wal']);
  });

  describe('of a copy:', () => {
    /** The offsets of the change counter and of the value that shows whether it counts. */
    const [COUNTER_AT, VALID_FOR_AT] = [24, 92];
    let counters: { readonly first: number; readonly last: number };
    beforeEach(() => {
      // Each connection advances the counter once.
      db.pragma(`user_version = ${STORE_VERSION}`);
      const second = openForWriting(path, 'normal');
      second.pragma(`user_version = ${STORE_VERSION}`);
      const copy = join(folder, 'copy');
      for (const suffix of ['', '-wal']) copyFileSync(path + suffix, copy + suffix);
      second.close();
      db.close();
      for (const suffix of ['', '-wal']) copyFileSync(copy + suffix, path + suffix);
      counters = readLog(path).changeCounters!;
      expect(counters.last).toBe(counters.first + 1);
    });

    const foreign = (which: string) =>
      `the log ${log} is not of the store ${path} but of ${which} copy of it; nothing was changed; put that copy back, ` +
      'or move the log and public.db-shm away to use this one without it';

    it.each([
      ['the log that follows it', 'first', -1, null],
      ['a log that is copied into it in part', 'first', 0, null],
      ['a log that is copied into it', 'last', 0, null],
      ['a log of a newer copy', 'first', -2, 'a newer'],
      ['a log of an older copy', 'last', 1, 'an older'],
    ] as const)('%s', (_what, end, more, which) => {
      const counter = counters[end] + more;
      patch({ [COUNTER_AT]: counter, [VALID_FOR_AT]: counter });
      if (which === null) check();
      else expect(refused(check)).toBe(foreign(which));
    });

    it('a counter of another program does not count', () => {
      patch({ [COUNTER_AT]: counters.last + 1, [VALID_FOR_AT]: counters.last });
      check();
    });

    it('a counter counts only in a whole header', () => {
      patch({ [COUNTER_AT]: 1000, [VALID_FOR_AT]: 1000 });
      truncateSync(path, 100);
      expect(refused(check)).toBe(foreign('an older'));
      truncateSync(path, 99);
      expect(check).toThrow(expect.objectContaining({ name: 'SqliteError' }));
    });
  });
});

describe('the refusal of a store that can’t be opened', () => {
  const sqlite = (code: string) => new Database.SqliteError('said\n by SQLite', code);
  const other = (message: string) =>
    `the store ${path} can't be opened (${message}); nothing was changed; check its folder and disk`;
  const locked = () => `the store ${path} is locked by another program; close that program and start again`;

  it.each([
    [sqlite('SQLITE_CORRUPT'), () => damage('said by SQLite')],
    [sqlite('SQLITE_NOTADB'), () => damage('said by SQLite')],
    [sqlite('SQLITE_BUSY'), locked],
    [sqlite('SQLITE_BUSY_RECOVERY'), locked],
    [sqlite('SQLITE_CANTOPEN'), () => other('said\n by SQLite')],
    [Object.assign(new Error('of the system'), { code: 'SQLITE_BUSY' }), () => other('of the system')],
    ['a text', () => other('a text')],
  ])('%s', (error, message) => {
    const refused = refusal(path, error);
    expect(refused).toBeInstanceOf(StartError);
    expect(refused.message).toBe(message());
  });
});
