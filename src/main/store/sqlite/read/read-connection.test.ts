import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import { openForWriting, prepareStore } from '../file/database.ts';
import { ReadConnection } from './read-connection.ts';

let stores: OwnerStoresForTest;
let both: ReadConnection;
let one: ReadConnection;
let id: string;

beforeAll(() => {
  stores = new OwnerStoresForTest();
  ({ id } = stores.register({}, ['private']));
  both = ReadConnection.toBoth(stores.paths);
  one = ReadConnection.toOne('public', stores.paths.public!);
});
afterAll(async () => {
  both.close();
  one.close();
  await stores.dispose();
});

const pragma = (connection: ReadConnection, name: string) => connection.db.pragma(name, { simple: true });

describe('a connection', () => {
  it('is to one store, or to both, the private one first', () => {
    const alone = ReadConnection.toBoth({ ...stores.paths, public: null });
    expect([both.names, one.names, alone.names]).toEqual([['private', 'public'], ['public'], ['private']]);
    const filesOf = ({ db }: ReadConnection) => db.prepare('SELECT file FROM pragma_database_list').pluck().all();
    const { private: own, public: open } = stores.paths;
    expect([both, one, alone].map(filesOf)).toEqual([[own, open], [open], [own]]);
    alone.close();
    expect(alone.db.open).toBe(false);
  });

  it('can’t write', () => {
    for (const sql of ['DELETE FROM main.devices', 'DELETE FROM pub.devices', 'CREATE TEMP TABLE x (y)']) {
      expect(() => both.db.exec(sql), sql).toThrow('readonly');
    }
  });

  it('keeps few pages of each store, and waits longer for both', () => {
    expect(['main', 'pub'].map((schema) => pragma(both, `${schema}.cache_size`))).toEqual([-2048, -2048]);
    expect([pragma(both, 'busy_timeout'), pragma(one, 'busy_timeout')]).toEqual([1000, 50]);
  });

  it('is refused where there is no store', () => {
    const missing = join(stores.folder, 'missing.db');
    expect(() => ReadConnection.toOne('private', missing)).toThrow(
      expect.objectContaining({ code: 'SQLITE_CANTOPEN' }),
    );
    expect(existsSync(missing)).toBe(false);
  });
});

describe('a statement', () => {
  it('is of its store', () => {
    const sql = 'SELECT count(*) FROM @.devices, (SELECT count(*) AS all_of FROM @.users)';
    expect([both.statement('private', sql).all(), both.statement('public', sql).all()]).toEqual([[[1]], [[0]]]);
    expect(one.statement('public', sql).all()).toEqual([[0]]);
  });

  it('has numbers, or bigints if they must be exact', () => {
    const sql = 'SELECT id, device FROM @.devices';
    const key = Buffer.from(id, 'hex');
    expect(both.statement('private', sql).all()).toEqual([[key, 1]]);
    expect(both.statement('private', sql, true).all()).toEqual([[key, 1n]]);
    expect(both.statement('private', sql, false).all()).toEqual([[key, 1]]);
  });

  it('is prepared once', () => {
    const [sql, other] = ['SELECT 1 FROM @.devices', 'SELECT 2 FROM @.devices'];
    const statement = both.statement('private', sql);
    expect(both.statement('private', sql)).toBe(statement);
    expect(both.statement('private', sql, false)).toBe(statement);
    const others = [
      both.statement('public', sql),
      both.statement('private', sql, true),
      both.statement('private', other),
    ];
    expect(new Set([statement, ...others]).size).toBe(4);
  });
});

describe('the size of a store', () => {
  it('is that of its file and its log', () => {
    stores.register({}, ['public']);
    const path = stores.paths.public!;
    const size = statSync(path).size + statSync(`${path}-wal`).size;
    expect([both.bytes('public'), one.bytes('public')]).toEqual([size, size]);
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    expect(one.bytes('private')).toBe(0);
  });

  // Windows can't remove a file that is open.
  it.skipIf(process.platform === 'win32')('is nothing where there is no file', () => {
    const path = join(stores.folder, 'gone.db');
    prepareStore(path, 'public');
    const gone = ReadConnection.toOne('public', path);
    rmSync(`${path}-wal`, { force: true });
    expect(gone.bytes('public')).toBe(statSync(path).size);
    rmSync(path);
    expect(gone.bytes('public')).toBe(0);
    gone.close();
  });

  it('is that of its pages, of which some may be unused', () => {
    const before = both.pages('public');
    const own = both.pageBytes('private');
    expect(before).toEqual({ unusedBytes: 0, usedBytes: both.pageBytes('public'), pageBytes: 4096 });
    const db = openForWriting(stores.paths.public!, 'normal');
    db.exec('CREATE TABLE filler (x); INSERT INTO filler VALUES (zeroblob(40000))');
    const pages = db.pragma('page_count', { simple: true }) as number;
    db.exec('DROP TABLE filler');
    const unused = db.pragma('freelist_count', { simple: true }) as number;
    expect(unused).toBeGreaterThan(5);
    db.close();
    const expected = { unusedBytes: unused * 4096, usedBytes: (pages - unused) * 4096, pageBytes: 4096 };
    expect([both.pages('public'), one.pages('public')]).toEqual([expected, expected]);
    expect([both.pageBytes('public'), one.pageBytes('public')]).toEqual([pages * 4096, pages * 4096]);
    expect(both.pageBytes('private')).toBe(own);
    expect(both.pages('private')).toEqual({ unusedBytes: 0, usedBytes: own, pageBytes: 4096 });
  });
});
