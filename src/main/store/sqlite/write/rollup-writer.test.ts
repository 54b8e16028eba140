import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { TestReading } from '../../../../../test/support/readings.ts';
import { queryStore, storePath } from '../../../../../test/support/store-file.ts';
import { FIELD_NAMES } from '../../../../shared/protocol/fields.ts';
import { Fate } from '../../verifier/packed-blocks.ts';
import { openForWriting } from '../file/database.ts';
import { RollupWriter } from './rollup-writer.ts';
import { SyncLevel } from './sync-level.ts';
import { WriterConnection } from './writer-connection.ts';

const HOUR = 3_600_000;
const BASE = 488_888 * HOUR;
/** The fields of a row with only a pH value. */
const PH_ALONE = FIELD_NAMES.map((name) => (name === 'ph' ? 1 : null));

let stores: OwnerStoresForTest;
let id: string;
let number: number;

beforeEach(() => {
  stores = new OwnerStoresForTest();
  id = stores.register({}, ['private']).id;
  number = stores.numberIn('private', id);
});
afterEach(async () => {
  vi.useRealTimers();
  await stores.dispose();
});

/** Returns one reading for each of the given hours, with consecutive seqs. */
function readingsIn(hours: readonly number[], firstSeq = 0): TestReading[] {
  return hours.map((hour, index) => ({
    seq: BigInt(firstSeq + index),
    timestamp: BigInt(BASE + hour * HOUR + index),
    receivedAt: BASE + hour * HOUR + 7,
    fields: [hour],
  }));
}

function hoursIn(table: string): number[] {
  const rows = queryStore(stores.folder, 'local', `SELECT hour FROM ${table} ORDER BY hour`);
  return rows.map(({ hour }) => Number(hour) - BASE / HOUR);
}

describe('marks and sums', () => {
  it('a stored reading marks its hour in its own transaction; a duplicate marks nothing', async () => {
    stores.append('private', id, readingsIn([0, 0, 1]));
    expect(hoursIn('dirty_hours')).toEqual([0, 1]);
    stores.append('private', id, readingsIn([2, 3, 4]));
    expect(hoursIn('dirty_hours')).toEqual([0, 1]);
  });

  it('sums up past hours, and leaves the present one', async () => {
    stores.append('private', id, readingsIn([0, 1, 1, 2]));
    stores.sumUp('private');
    expect(hoursIn('hourly_rollups')).toEqual([0, 1]);
    expect(hoursIn('dirty_hours')).toEqual([2]);
    const sums = 'SELECT readings, seq_min, seq_max, ph_count, ph_sum, ph_max FROM hourly_rollups ORDER BY hour';
    expect(queryStore(stores.folder, 'local', sums)).toEqual([
      { readings: 1n, seq_min: 0n, seq_max: 0n, ph_count: 1n, ph_sum: 0, ph_max: 0 },
      { readings: 2n, seq_min: 1n, seq_max: 2n, ph_count: 2n, ph_sum: 2, ph_max: 1 },
    ]);
  });

  it('a late reading marks a summed hour again, and the hour is summed again when the device has moved on', async () => {
    stores.append('private', id, readingsIn([0, 1]));
    stores.sumUp('private');
    stores.append('private', id, readingsIn([0], 10));
    stores.sumUp('private');
    expect(hoursIn('dirty_hours')).toEqual([0]);
    stores.append('private', id, readingsIn([1], 20));
    stores.sumUp('private');
    const sums = 'SELECT hour, readings FROM hourly_rollups ORDER BY hour';
    expect(queryStore(stores.folder, 'local', sums)[0]).toMatchObject({ readings: 2n });
    expect(hoursIn('dirty_hours')).toEqual([1]);
  });

  it('the last hour of a silent device is summed up when it is over', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const connection = new WriterConnection({
      path: storePath(stores.folder, 'local'),
      durability: 'full',
      bounds: null,
    });
    const rows = [[id, 0, null, null, 1, BASE, BASE, 0, ...PH_ALONE]] as const;
    connection.runGroup([{ kind: 'append', rows }]);
    const lookAfter = (minutes: number) => {
      vi.advanceTimersByTime(minutes * 60_000);
      connection.findHoursThatAreOver();
      connection.sumUp(1000);
      return hoursIn('hourly_rollups');
    };
    expect(lookAfter(60)).toEqual([]);
    expect(lookAfter(10)).toEqual([0]);
    expect(hoursIn('dirty_hours')).toEqual([]);
    connection.close();
  });
});

describe('after a crash or a failure', () => {
  it('marks survive their process', async () => {
    stores.append('private', id, readingsIn([0, 1, 2]));
    const next = new WriterConnection({ path: storePath(stores.folder, 'local'), durability: 'full', bounds: null });
    while (next.sumUp(1000));
    next.close();
    expect(hoursIn('hourly_rollups')).toEqual([0, 1, 2]);
    expect(hoursIn('dirty_hours')).toEqual([]);
  });

  it('a mark that was rolled back with its transaction is made again', async () => {
    const rows = (values: readonly TestReading[]) =>
      values.map(({ seq, timestamp, receivedAt }) => [id, 0, seq, timestamp, receivedAt, 0, ...PH_ALONE] as const);
    // An object can't be bound: the transaction fails after the first row has marked its hour.
    const bad = [...rows(readingsIn([0])), [id, 0, 9, BASE, {}, 0, ...PH_ALONE]];
    expect(() => stores.write('private', [{ kind: 'append', rows: bad as never }])).toThrow();
    expect(hoursIn('dirty_hours')).toEqual([]);
    stores.append('private', id, readingsIn([0]));
    expect(hoursIn('dirty_hours')).toEqual([0]);
  });

  it('a migration of a store of the first version marks every hour', async () => {
    const { migrate } = await import('../file/migrations.ts');
    const db = new Database(':memory:');
    migrate(db, 'private', 1);
    db.exec(`INSERT INTO users (id, name, created_at) VALUES (x'01', 'o', 0);
      INSERT INTO devices (device, id, mac, owner_pubkey, name, type, publish_to, networks, local_servers,
        privacy_policy, hardware, created_at)
      VALUES (1, x'02', x'', x'01', 'd', 0, 2, '[]', '[]', '{}', '{}', 0)`);
    const insert = db.prepare(
      'INSERT INTO readings (device, seq, timestamp, received_at, key_version) VALUES (1, ?, ?, 0, 0)',
    );
    const timestamps = [0n, 3_599_999n, 3_600_000n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n];
    for (const [seq, timestamp] of timestamps.entries()) insert.run(seq, BigInt.asIntN(64, timestamp));
    migrate(db, 'private');
    const hours = db.prepare('SELECT hour FROM dirty_hours ORDER BY hour').pluck().all();
    expect(hours).toEqual([...new Set(timestamps.map((timestamp) => Number(timestamp / 3_600_000n)))]);
    db.close();
  });
});

describe('the sync of the connection', () => {
  /** Opens a separate connection with sums, like the writer's, and adds an hour of the device to sum up. */
  function opened() {
    stores.append('private', id, readingsIn([0, 1]));
    const db = openForWriting(storePath(stores.folder, 'local'), 'full');
    const read = db.pragma.bind(db);
    const level = () => read('synchronous', { simple: true });
    const syncs = new SyncLevel(db);
    const rollups = new RollupWriter(db, syncs);
    return { db, syncs, rollups, level, full: level() };
  }

  it('is off while sums are written, but a checkpoint never precedes the log', () => {
    const { db, rollups, level, full } = opened();
    const pragma = db.pragma.bind(db);
    const levels: unknown[] = [];
    db.pragma = (text, options) => {
      const result = pragma(text, options);
      if (/^synchronous =/.test(text)) levels.push(level());
      return result;
    };
    expect(rollups.work(1000)).toBe(false);
    // 1 is NORMAL. With 0, OFF, a power cut could leave pages in the store whose log never reached the disk.
    expect(levels).toEqual([1, full]);
    expect(hoursIn('hourly_rollups')).toEqual([0, 1]);
    db.close();
  });

  it.each(['ABORT', 'FAIL', 'ROLLBACK'])('is as before after a fault within the sums (%s)', (kind) => {
    const { db, rollups, level, full } = opened();
    db.exec(`CREATE TEMP TRIGGER fault BEFORE INSERT ON main.hourly_rollups BEGIN SELECT RAISE(${kind}, 'fault'); END`);
    expect(() => rollups.work(1000)).toThrow('fault');
    expect([level(), db.inTransaction]).toEqual([full, false]);
    db.exec('DROP TRIGGER fault');
    expect(rollups.work(1000)).toBe(false);
    expect(level()).toBe(full);
    expect(hoursIn('hourly_rollups')).toEqual([0, 1]);
    db.close();
  });

  it('is as before if another connection holds the store', async () => {
    const { db, rollups, level, full } = opened();
    const other = openForWriting(storePath(stores.folder, 'local'), 'full');
    db.pragma('busy_timeout = 0');
    other.exec('BEGIN IMMEDIATE');
    expect(() => rollups.work(1000)).toThrow(/locked/);
    expect(level()).toBe(full);
    other.close();
    db.close();
  });

  it('is restored before the next transaction that is reported, if a fault prevented that', async () => {
    const { db, syncs, rollups, level, full } = opened();
    const pragma = db.pragma.bind(db);
    db.pragma = (text, options) => {
      if (/^synchronous = [0-9]/.test(text)) throw new Error('no');
      return pragma(text, options);
    };
    rollups.work(1000);
    expect(pragma('synchronous', { simple: true })).not.toBe(full);
    expect(() => syncs.ensure()).toThrow('no');
    db.pragma = pragma;
    syncs.ensure();
    expect(level()).toBe(full);
    db.close();
  });
});

describe('forgetting', () => {
  it('deletes in steps, the device’s remaining data with the last one', async () => {
    const other = stores.register({}, ['private']);
    const otherNumber = stores.numberIn('private', other.id);
    stores.append('private', other.id, readingsIn([0]));
    stores.append('private', id, readingsIn([0, 1, 2, 3, 4]));
    stores.sumUp('private');
    const withheld = { deviceId: id, cause: 'omit', field: 'ph', count: 1, firstAt: 0, lastAt: 0 } as const;
    stores.write('private', [{ kind: 'count', counts: { withheld: [withheld], outcomes: [], unregistered: null } }]);
    const step = () => stores.write('private', [{ kind: 'forget', id, limit: 2 }])[0];
    expect(step()).toEqual({ ok: true, result: { readings: 2, isDone: false } });
    // If the process stops here, the device has fewer readings, and its sums agree.
    stores.memory.summaries.forgotten(id);
    expect((await stores.ask('device', { id })).readings).toEqual([{ store: 'private', count: 3 }]);
    expect(step()).toEqual({ ok: true, result: { readings: 2, isDone: false } });
    expect(step()).toEqual({ ok: true, result: { readings: 1, isDone: true } });
    for (const table of ['readings', 'hourly_rollups', 'dirty_hours', 'withheld', 'devices']) {
      const rows = queryStore(stores.folder, 'local', `SELECT device FROM ${table}`);
      expect(
        rows.filter(({ device }) => device === BigInt(number)),
        table,
      ).toEqual([]);
    }
    expect(queryStore(stores.folder, 'local', 'SELECT device FROM readings')).toEqual([
      { device: BigInt(otherNumber) },
    ]);
  });

  it('a block of a device deleted meanwhile is refused as unknown, and its number is not used again', async () => {
    stores.write('private', [{ kind: 'forget', id, limit: 10 }]);
    const rows = [[id, 0, null, null, 1, BASE, BASE, 0, ...PH_ALONE]] as const;
    expect(stores.write('private', [{ kind: 'append', rows }])).toEqual([
      { ok: true, result: { fates: Uint8Array.of(Fate.UNKNOWN_DEVICE), receivedAt: Float64Array.of(0) } },
    ]);
    const again = stores.register({}, ['private']);
    expect(stores.numberIn('private', again.id)).toBeGreaterThan(number);
  });
});
