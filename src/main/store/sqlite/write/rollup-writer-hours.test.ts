import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreInMemory } from '../../../../../test/support/store-in-memory.ts';
import { RollupWriter } from './rollup-writer.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** The stored hash of a set of seqs, which never changes: of 5, 3, 2^64 - 1, 9 and 20. */
const KNOWN_HASH = 2_191_957_409_479_326;
let store: StoreInMemory;
let device: number;
let other: number;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  store = new StoreInMemory();
  [device, other] = [store.addDevice('0a'.repeat(32)), store.addDevice('0b'.repeat(32))];
});
afterEach(() => {
  vi.useRealTimers();
  store.close();
});

const work = (budgetMs = 1000) => store.rollups.work(budgetMs);
const touch = (of: number, ...hours: number[]) => {
  for (const hour of hours) store.rollups.touch(of, hour * HOUR);
};
const marks = () => store.rows('SELECT device, hour FROM dirty_hours ORDER BY device, hour');
const hoursLeft = () => marks().length;
const upTo = (count: number) => Array.from({ length: count }, (_, hour) => hour);

describe('the sums of an hour', () => {
  const sums = () =>
    store.db
      .prepare(`SELECT device, hour, readings, seq_hash, seq_min, seq_max, received_min, received_max, ph_count,
        ph_sealed, ph_min, ph_max, ph_sum, ec_count, ec_sealed, ec_min, ec_max, ec_sum, humidity_sealed
        FROM hourly_rollups ORDER BY hour`)
      .raw()
      .all();

  it('cover exactly its readings, with seqs as unsigned integers', () => {
    const rows = [
      [5, 50, 2],
      [3, 20, 1],
      [-1, 90, 4],
      [9, 60, null],
    ] as const;
    for (const [index, [seq, receivedAt, ph]] of rows.entries()) {
      store.addReading(device, { seq, timestamp: 5 * HOUR + index, receivedAt, ph });
    }
    store.db.exec("UPDATE readings SET ec = x'01', humidity = x'02' WHERE seq IN (3, 9)");
    store.addReading(device, { seq: 20, timestamp: 6 * HOUR - 1, receivedAt: 55 });
    store.addReading(device, { seq: 21, timestamp: 6 * HOUR, receivedAt: 1 });
    store.addReading(other, { seq: 22, timestamp: 5 * HOUR, receivedAt: 1 });
    expect(work()).toBe(false);
    const expected = [device, 5, 5, KNOWN_HASH, 3, -1, 20, 90, 3, 0, 1, 4, 7, 0, 2, null, null, 0, 2];
    expect(sums()).toEqual([expected]);
    expect(marks()).toEqual([
      [device, 6],
      [other, 5],
    ]);
  });

  it('cover the hour in which the sign of a timestamp changes', () => {
    const [last, first] = [2n ** 63n - 1n, -(2n ** 63n)];
    store.addReading(device, { seq: 2, timestamp: last, receivedAt: 7 });
    store.addReading(device, { seq: 1, timestamp: first, receivedAt: 8 });
    store.addReading(device, { seq: 3, timestamp: 0 });
    work();
    const bounds = 'SELECT hour, readings, seq_min, seq_max, received_min, received_max FROM hourly_rollups';
    expect(store.rows(bounds)).toEqual([[Number(2n ** 63n / BigInt(HOUR)), 2, 1, 2, 7, 8]]);
  });

  it('are removed when its last reading is, and replaced when another one comes', () => {
    for (const [seq, hour] of [5, 6, 7].entries()) store.addReading(device, { seq, timestamp: hour * HOUR });
    work();
    store.db.exec(`DELETE FROM readings WHERE timestamp = ${5 * HOUR}`);
    touch(device, 5);
    store.addReading(device, { seq: 9, timestamp: 6 * HOUR + 1 });
    touch(device, 8);
    work();
    expect(store.rows('SELECT hour, readings FROM hourly_rollups ORDER BY hour')).toEqual([
      [6, 2],
      [7, 1],
    ]);
    expect(marks()).toEqual([[device, 8]]);
  });
});

describe('marks', () => {
  it('are made once for each device and hour', () => {
    touch(device, 5, 5, 6, 5);
    touch(other, 5);
    expect(marks()).toEqual([
      [device, 5],
      [device, 6],
      [other, 5],
    ]);
    store.db.exec('DELETE FROM dirty_hours');
    touch(device, 6, 5);
    expect(marks()).toEqual([]);
  });

  it('that were rolled back are made again, and those of earlier transactions stay', () => {
    touch(device, 5);
    store.rollups.committed();
    store.db.exec('BEGIN');
    touch(device, 6);
    touch(other, 7);
    store.db.exec('ROLLBACK');
    store.rollups.rolledBack();
    expect(marks()).toEqual([[device, 5]]);
    touch(device, 6);
    touch(other, 7);
    store.rollups.committed();
    store.rollups.rolledBack();
    expect(marks()).toEqual([
      [device, 5],
      [device, 6],
      [other, 7],
    ]);
    expect(work()).toBe(false);
    expect(marks()).toEqual([
      [device, 6],
      [other, 7],
    ]);
  });

  it('that are found at the start are all ready', () => {
    touch(device, 5, 6);
    touch(other, 7);
    const restarted = new RollupWriter(store.db, store.syncs);
    expect(restarted.work(1000)).toBe(false);
    expect(marks()).toEqual([]);
  });

  it('are forgotten with their device', () => {
    for (const each of [device, other]) store.addReading(each, { seq: 1, timestamp: 4 * HOUR });
    touch(device, 5);
    touch(other, 5);
    work();
    touch(device, 6);
    store.rollups.forget(device);
    expect(marks()).toEqual([[other, 5]]);
    expect(store.values('SELECT device FROM hourly_rollups')).toEqual([other]);
    expect(work(0)).toBe(false);
    touch(device, 6);
    expect(marks()).toHaveLength(2);
  });
});

describe('work', () => {
  it('sums up ten hours at a time until its time is over, and says whether any are left', () => {
    touch(device, ...upTo(16));
    touch(other, ...upTo(7));
    const lefts = () => [work(0), hoursLeft()];
    expect(lefts()).toEqual([true, 13]);
    expect(lefts()).toEqual([true, 3]);
    expect(lefts()).toEqual([false, 2]);
    expect(lefts()).toEqual([false, 2]);
  });

  it.each([
    [10, [true, 1], [false, 0]],
    [9, [false, 0], [false, 0]],
  ])('knows when the last of %i hours and one more are summed up', (hours, first, second) => {
    touch(device, ...upTo(hours + 1));
    const restarted = new RollupWriter(store.db, store.syncs);
    expect([restarted.work(0), hoursLeft()]).toEqual(first);
    expect([restarted.work(0), hoursLeft()]).toEqual(second);
  });

  it.each([9, 10])('leaves the present hour after %i others', (hours) => {
    touch(device, ...upTo(hours + 1));
    expect([work(0), hoursLeft()]).toEqual([false, 1]);
  });

  it('goes on while there is time', () => {
    touch(device, ...upTo(41));
    const pragma = store.db.pragma.bind(store.db);
    store.db.pragma = (text, options) => {
      if (/NORMAL/.test(text)) vi.advanceTimersByTime(5);
      return pragma(text, options);
    };
    expect([work(6), hoursLeft()]).toEqual([true, 21]);
    expect([work(5), hoursLeft()]).toEqual([true, 11]);
  });

  it('writes nothing if only present hours are left', () => {
    store.db.exec('BEGIN');
    touch(device, 5);
    store.rollups.committed();
    touch(device, 6);
    store.db.exec('ROLLBACK');
    store.rollups.rolledBack();
    touch(device, 5);
    const pragma = vi.spyOn(store.db, 'pragma');
    expect(work()).toBe(false);
    expect(pragma).not.toHaveBeenCalled();
  });

  it('keeps hours for the next time if it fails', () => {
    touch(device, ...upTo(5));
    store.db.exec("CREATE TEMP TRIGGER t BEFORE DELETE ON main.dirty_hours BEGIN SELECT RAISE(ABORT, 'fault'); END");
    expect(() => work()).toThrow('fault');
    store.db.exec('DROP TRIGGER t');
    expect([work(), hoursLeft()]).toEqual([false, 1]);
  });
});

describe('the last hour of a silent device', () => {
  it('is over 65 minutes after its first reading', () => {
    touch(device, 5);
    vi.advanceTimersByTime(1);
    touch(other, 6);
    const found = (ms: number) => {
      vi.advanceTimersByTime(ms);
      store.rollups.findOver();
      work();
      return marks();
    };
    expect(found(65 * MINUTE - 2)).toHaveLength(2);
    expect(found(1)).toEqual([[other, 6]]);
    touch(device, 5);
    expect(found(1)).toEqual([[device, 5]]);
  });
});
