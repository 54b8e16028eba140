import fs, { renameSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../../test/support/node-process.ts';
import { FIELD_NAMES } from '../../../../shared/protocol/fields.ts';
import type { StoreFault } from '../../../common/node-events.ts';
import type { StoreBounds } from '../../port.ts';
import { prepareStore } from '../file/database.ts';
import type { ReadingRow, WriteJob } from './write-jobs.ts';
import { busyOutcome, isBound, takesRoom, WriterConnection } from './writer-connection.ts';

const HOUR = 3_600_000;
const NO_FIELDS = FIELD_NAMES.map(() => null);
const ID = '0a'.repeat(32);
const OK = { ok: true, result: null };
const WIDE: StoreBounds = { maxDevices: 10, maxBytes: 2 ** 40, minFreeBytes: 0, minFreePart: 0 };
const LOCKED = { ok: false, code: 'busy', message: 'database is locked', engineCode: 'SQLITE_BUSY' };

let template: string;
let folder: string;
let path: string;
let connection: WriterConnection;
let other: Database.Database;
beforeAll(() => {
  template = temporaryFolder();
  const store = join(template, 'private.db');
  prepareStore(store, 'private');
  const db = new Database(store);
  db.exec(`INSERT INTO users (id, name, created_at) VALUES (x'01', 'o', 0);
    INSERT INTO devices (id, mac, owner_pubkey, name, type, publish_to, networks, local_servers, privacy_policy,
      hardware, created_at) VALUES (x'${ID}', x'', x'01', 'd', 0, 2, '[]', '[]', '{}', '{}', 0)`);
  db.close();
});
afterAll(() => removeFolder(template));
beforeEach(() => {
  folder = temporaryFolder();
  fs.mkdirSync(join(folder, 'data'));
  path = join(folder, 'data', 'private.db');
  fs.copyFileSync(join(template, 'private.db'), path);
  other = new Database(path);
  open();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  connection.close();
  other.close();
  removeFolder(folder);
});

function open(bounds: StoreBounds | null = null): void {
  connection?.close();
  connection = new WriterConnection({ path, durability: 'full', bounds });
}
const count = (outcome: string): WriteJob => ({
  kind: 'count',
  counts: { withheld: [], outcomes: [{ hour: 1, outcome, count: 1 }], unregistered: null },
});
/** A job that the store refuses, without a fault of the store. */
const FAULTY = count(null as never);
const FAILED = {
  ...{ ok: false, code: null, engineCode: 'SQLITE_CONSTRAINT_NOTNULL' },
  message: 'NOT NULL constraint failed: hourly_counts.outcome',
};
const EMPTY: WriteJob = { kind: 'append', rows: [] };
const APPENDED = { ok: true, result: { fates: new Uint8Array(0), receivedAt: new Float64Array(0) } };
const reading = (seq: number, hour: number): WriteJob => ({
  ...{ kind: 'append', rows: [[ID, 0, null, null, seq, hour * HOUR, 0, 0, ...NO_FIELDS] as ReadingRow] },
});
const values = (sql: string) => other.prepare(sql).pluck().all();
const lock = () => other.exec('BEGIN IMMEDIATE');
const unlock = () => other.exec('ROLLBACK');

describe('a group', () => {
  it('is written whole, with an outcome for each job in order', () => {
    expect(connection.runGroup([count('a'), EMPTY, { kind: 'deleteEntry', id: 5 }])).toEqual([
      ...[OK, APPENDED],
      { ok: true, result: false },
    ]);
    expect(values('SELECT outcome FROM hourly_counts')).toEqual(['a']);
    expect(connection.runGroup([])).toEqual([]);
  });

  it('waits for the disk unless a power cut may undo it', () => {
    const pragma = vi.spyOn(Database.prototype, 'pragma');
    connection.runGroup([count('a')]);
    expect(pragma).not.toHaveBeenCalled();
    expect(connection.runGroup([count('b')], false)).toEqual([OK]);
    expect(pragma.mock.calls.map(([text]) => text)).toEqual([
      ...['synchronous = NORMAL', 'synchronous = 2', 'synchronous'],
    ]);
    expect(values('SELECT outcome FROM hourly_counts')).toEqual(['a', 'b']);
  });

  it('is not written while the connection may still be at the lower level', () => {
    const pragma = Database.prototype.pragma;
    vi.spyOn(Database.prototype, 'pragma').mockImplementation(function (this: Database.Database, text, options) {
      if (/^synchronous = [0-9]/.test(text)) throw new Error('no');
      return pragma.call(this, text, options);
    });
    const failed = { ok: false, code: null, message: 'no', engineCode: null };
    // It is on the disk: a failure would let it be written twice.
    expect(connection.runGroup([count('a')], false)).toEqual([OK]);
    expect(connection.runGroup([count('b')])).toEqual([failed]);
    expect(connection.runGroup([count('b')], false)).toEqual([failed]);
    expect(connection.compact()).toEqual(failed);
    vi.restoreAllMocks();
    expect(connection.runGroup([count('c')])).toEqual([OK]);
    expect(values('SELECT outcome FROM hourly_counts')).toEqual(['a', 'c']);
  });

  it('is undone if a job fails, and its jobs are run again alone', () => {
    connection.runGroup([reading(1, 0)]);
    expect(connection.runGroup([FAULTY])).toEqual([FAILED]);
    const [appended, failed, counted] = connection.runGroup([reading(2, 1), FAULTY, count('a')])!;
    expect([appended!.ok, failed, counted]).toEqual([true, FAILED, OK]);
    expect(values('SELECT entry FROM readings ORDER BY seq')).toEqual([0, 1]);
    expect(values('SELECT hour FROM dirty_hours ORDER BY hour')).toEqual([0, 1]);
    connection.runGroup([reading(3, 2)]);
    while (connection.sumUp(1000));
    expect(values('SELECT hour FROM hourly_rollups ORDER BY hour')).toEqual([0, 1]);
    expect(values('SELECT count FROM hourly_counts')).toEqual([1]);
  });

  it('reports the fault itself if SQLite has undone the transaction', () => {
    other.exec("CREATE TRIGGER t BEFORE INSERT ON hourly_counts BEGIN SELECT RAISE(ROLLBACK, 'undone'); END");
    const failed = { ok: false, code: null, message: 'undone', engineCode: 'SQLITE_CONSTRAINT_TRIGGER' };
    expect(connection.runGroup([count('a')])).toEqual([failed]);
    expect(connection.runGroup([EMPTY])).toEqual([APPENDED]);
  });

  it('is not written while another process uses the store, nor a job that is run again alone', () => {
    lock();
    expect(connection.runGroup([count('a')])).toBeNull();
    unlock();
    let asked = 0;
    const late = {
      ...count('b'),
      get kind() {
        asked += 1;
        if (asked === 2) lock();
        return 'count' as const;
      },
    };
    expect(connection.runGroup([FAULTY, late as WriteJob])).toEqual([FAILED, busyOutcome]);
    unlock();
    expect(values('SELECT * FROM hourly_counts')).toEqual([]);
    expect(busyOutcome).toEqual({
      ...{ ok: false, code: 'busy', message: 'another process uses the store', engineCode: null },
    });
  });

  it('can’t be written after the end', () => {
    connection.close();
    const failed = { ok: false, code: null, message: 'The database connection is not open', engineCode: null };
    expect(connection.runGroup([count('a')])).toEqual([failed]);
  });
});

it('opens at once while another process uses the store', () => {
  lock();
  const from = performance.now();
  open();
  expect(performance.now() - from).toBeLessThan(4500);
  unlock();
});

describe('the bounds of a store', () => {
  const { statfsSync } = fs;
  let disk: { bavail: number; blocks: number; bsize: number };
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    disk = { bavail: 10, blocks: 100, bsize: 4096 };
    fs.statfsSync = ((folder: string) => {
      statSync(folder);
      return disk;
    }) as never;
    syncBuiltinESMExports();
  });
  afterEach(() => {
    fs.statfsSync = statfsSync;
    syncBuiltinESMExports();
  });
  const reserved = (bytes: number) => ({
    ...{ ok: false, code: 'reserved', message: `the last ${bytes} bytes of the disk are kept free`, engineCode: null },
  });

  it.each([
    ['less than a part of it', 2 ** 40, 0.1, null],
    ['more than a part of it', 2 ** 40, 0.110001, reserved(45_056)],
    ['as many bytes', 40_960, 0.9, null],
    ['more bytes', 40_961, 0.9, reserved(40_961)],
  ])('refuse devices if the disk must keep %s free', (_name, minFreeBytes, minFreePart, refusal) => {
    open({ ...WIDE, minFreeBytes, minFreePart });
    expect([connection.refusal(false), connection.refusal(true)]).toEqual([refusal, refusal]);
  });

  it('refuse nothing where the disk tells no size', () => {
    disk = { bavail: 0, blocks: 0, bsize: 4096 };
    open({ ...WIDE, minFreeBytes: 1, minFreePart: 1 });
    expect(connection.refusal(true)).toBeNull();
  });

  it('ask the disk once a second', () => {
    open({ ...WIDE, minFreeBytes: 1, minFreePart: 1 });
    expect(connection.refusal(false)).toBeNull();
    disk = { ...disk, bavail: 0 };
    vi.advanceTimersByTime(999);
    expect(connection.refusal(false)).toBeNull();
    vi.advanceTimersByTime(1);
    expect(connection.refusal(false)).toEqual(reserved(1));
  });

  it('refuse devices from the limit of bytes on, while the owner’s jobs continue', () => {
    const bytes = () => statSync(path).size;
    open({ ...WIDE, maxBytes: bytes() + 1 });
    expect(connection.runGroup([EMPTY])).toEqual([APPENDED]);
    open({ ...WIDE, maxBytes: bytes() });
    const refused = { ok: false, code: 'limit', message: expect.stringMatching(/^the store holds its limit of \d+ b/) };
    const full = { ...refused, engineCode: null };
    const chunk = { kind: 'chunk', chunk: null as never } as const;
    expect(connection.runGroup([EMPTY, count('a'), chunk, count('b')])).toEqual([full, OK, full, OK]);
    expect(connection.runGroup([EMPTY, chunk])).toEqual([full, full]);
    lock();
    expect(connection.runGroup([EMPTY, count('a')])).toBeNull();
    expect(connection.runGroup([EMPTY])).toEqual([full]);
    expect(connection.refusal(true)).toEqual(full);
    unlock();
    expect(values('SELECT outcome FROM hourly_counts')).toEqual(['a', 'b']);
  });

  it('are not reached while another process uses the store, but a trial finds it busy', () => {
    lock();
    expect([connection.refusal(false), connection.refusal(true)]).toEqual([null, busyOutcome]);
    unlock();
  });

  // Windows can't rename a folder that contains an open file.
  it.skipIf(process.platform === 'win32')('refuse every job of a group whose disk can’t be asked', () => {
    open(WIDE);
    renameSync(join(folder, 'data'), join(folder, 'away'));
    const failed = { ok: false, code: 'unreachable', message: expect.stringContaining('ENOENT'), engineCode: 'ENOENT' };
    expect(connection.runGroup([count('a'), EMPTY])).toEqual([failed, failed]);
    expect(connection.refusal(false)).toEqual(failed);
    expect(connection.runGroup([count('a')])).toEqual([OK]);
  });

  it('concern what comes from devices', () => {
    const kinds = ['chunk', 'append', 'register', 'count', 'forget', 'note'] as const;
    expect(kinds.map((kind) => takesRoom({ kind }))).toEqual([true, true, true, false, false, false]);
    const codes: StoreFault[] = ['limit', 'reserved', 'full', 'busy'];
    expect(codes.map(isBound)).toEqual([true, true, false, false]);
  });
});

describe('between groups', () => {
  it('the store returns unused pages to the disk', () => {
    connection.runGroup(Array.from({ length: 500 }, (_, seq) => reading(seq, 0)));
    connection.runGroup([{ kind: 'forget', id: ID, limit: 5000 }]);
    expect(connection.compact()).toEqual(OK);
    expect(statSync(`${path}-wal`).size).toBe(0);
    expect(values('PRAGMA freelist_count')).toEqual([0]);
    lock();
    expect(connection.compact()).toEqual(LOCKED);
    unlock();
  });

  it('the level of its syncs can be set', () => {
    const pragma = vi.spyOn(Database.prototype, 'pragma');
    expect(connection.setDurability('normal')).toEqual(OK);
    expect(pragma.mock.calls.map(([text]) => text)).toEqual(['synchronous = normal', 'synchronous']);
    pragma.mockImplementation(() => {
      throw 'a text';
    });
    expect(connection.setDurability('full')).toEqual({ ok: false, code: null, message: 'a text', engineCode: null });
  });

  it('hours are summed up and readings hashed, in steps', () => {
    connection.runGroup([reading(1, 0)]);
    expect(connection.sumUp(0)).toBe(true);
    expect(connection.sumUp(1000)).toBe(false);
    expect(values('SELECT size FROM log_state')).toEqual([1]);
    for (let hour = 1; hour <= 15; hour += 1) other.exec(`INSERT INTO dirty_hours VALUES (1, ${hour})`);
    open();
    expect(connection.sumUp(0)).toBe(true);
    lock();
    expect(connection.sumUp(1000)).toBe(false);
    unlock();
    expect(connection.sumUp(0)).toBe(false);
    expect(values('SELECT count(*) FROM dirty_hours')).toEqual([0]);
  });
});
