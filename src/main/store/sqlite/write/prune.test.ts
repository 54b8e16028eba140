import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreInMemory } from '../../../../../test/support/store-in-memory.ts';
import { HOUR_MS } from '../../counts.ts';
import { type Pruning, preparePruning } from './prune.ts';

const [ID, OTHER_ID] = ['0a'.repeat(32), '0b'.repeat(32)];
/** The first millisecond and hour of 2001. */
const YEAR_2001 = 978_307_200_000;
const FIRST = YEAR_2001 / HOUR_MS;
const NEWEST = FIRST + 100;
const NOTHING = { readings: 0, isDone: true, isWaiting: false };

let store: StoreInMemory;
let device: number;
let other: number;
let pruning: Pruning;
let seq: number;

beforeEach(() => {
  store = new StoreInMemory();
  [device, other] = [store.addDevice(ID), store.addDevice(OTHER_ID)];
  const { db, numbers, rollups, keptFrom, log } = store;
  pruning = preparePruning(db, numbers, rollups, keptFrom, log);
  seq = 0;
});
afterEach(() => store.close());

const startOf = (hour: number) => hour * HOUR_MS;
/** Stores a reading of the device with the next seq. Returns its seq. */
function add(timestamp: number | bigint, receivedAt = Number(timestamp)): number {
  seq += 1;
  store.addReading(device, { seq, timestamp, receivedAt, ph: seq });
  return seq;
}
/** Stores readings that are newer than all others; by default as many as always stay. */
function addNewest(count = 500, from = startOf(NEWEST)): void {
  for (let index = 0; index < count; index += 1) add(from + index);
}
/** Stores two readings of each hour: of its first and its last millisecond. */
function addHours(...hours: number[]): void {
  for (const hour of hours) {
    add(startOf(hour));
    add(startOf(hour + 1) - 1);
  }
}
const sumUp = () => {
  while (store.rollups.work(1000));
};
const prune = (before: number, limit = 1000) => pruning.prune({ kind: 'prune', id: ID, before, limit });
/** Returns the hours of readings before the newest ones, from the first of 2001. */
const hoursLeft = () =>
  store
    .values(`SELECT DISTINCT timestamp / ${HOUR_MS} - ${FIRST} AS hour FROM readings WHERE device = ${device}
      AND timestamp BETWEEN 0 AND ${startOf(NEWEST) - 1} ORDER BY hour`)
    .map(Number);
const hoursIn = (table: string) =>
  store.values(`SELECT hour - ${FIRST} FROM ${table} WHERE device = ${device} AND hour < ${NEWEST} ORDER BY hour`);

describe('pruning', () => {
  it('deletes hours before a time from 2001 on, and keeps their sums and hashes', () => {
    addHours(FIRST - 1, FIRST, FIRST + 1, FIRST + 2, FIRST + 3);
    addNewest();
    sumUp();
    const sums = `FROM hourly_rollups WHERE hour BETWEEN ${FIRST} AND ${FIRST + 2} ORDER BY hour`;
    const columns = 'hour, readings, ph_count, ph_min, ph_max, ph_sum, ec_count';
    const before = store.rows(`SELECT ${columns} ${sums}`);
    expect(before).toHaveLength(3);
    expect(prune(startOf(FIRST + 4) - 1)).toEqual({ readings: 6, isDone: true, isWaiting: false });
    expect(hoursLeft()).toEqual([-1, 3]);
    expect([hoursIn('hourly_rollups'), hoursIn('retained_hours')]).toEqual([
      [-1, 3],
      [0, 1, 2],
    ]);
    expect(store.rows(`SELECT ${columns} FROM retained_hours ORDER BY hour`)).toEqual(before);
    expect(store.rows('SELECT device, kept_from FROM retention')).toEqual([[device, FIRST + 3]]);
    expect(store.rows('SELECT entry, is_deleted FROM log_leaves')).toEqual([2, 3, 4, 5, 6, 7].map((at) => [at, 1]));
    expect(store.values('SELECT count(*) FROM readings')).toEqual([504]);
    expect(prune(startOf(FIRST + 4) - 1)).toEqual(NOTHING);
    expect(prune(startOf(FIRST + 4))).toEqual({ readings: 2, isDone: true, isWaiting: false });
  });

  it('skips an hour of which something arrived at that time or later', () => {
    const before = startOf(FIRST + 10);
    add(startOf(FIRST), before - 1);
    add(startOf(FIRST + 1), before);
    add(startOf(FIRST + 2));
    addNewest();
    sumUp();
    expect(prune(before)).toEqual({ readings: 2, isDone: true, isWaiting: false });
    expect(hoursLeft()).toEqual([1]);
  });

  it('stops after the hour with which it has deleted enough, the oldest hours first', () => {
    addHours(FIRST + 2, FIRST, FIRST + 1, FIRST + 3);
    addNewest();
    sumUp();
    expect(prune(startOf(NEWEST), 2)).toEqual({ readings: 2, isDone: false, isWaiting: false });
    expect(hoursLeft()).toEqual([1, 2, 3]);
    expect(prune(startOf(NEWEST), 3)).toEqual({ readings: 4, isDone: false, isWaiting: false });
    expect(hoursLeft()).toEqual([3]);
    expect(prune(startOf(NEWEST), 3)).toEqual({ readings: 2, isDone: true, isWaiting: false });
  });

  it('waits at an hour whose sums are missing or outdated', () => {
    addHours(FIRST - 1, FIRST, FIRST + 1, FIRST + 2, FIRST + 3);
    addNewest();
    sumUp();
    store.db.exec(`INSERT INTO dirty_hours VALUES (${device}, ${FIRST - 1}), (${other}, ${FIRST}),
      (${device}, ${FIRST + 2})`);
    expect(prune(startOf(FIRST + 2), 2)).toEqual({ readings: 2, isDone: false, isWaiting: false });
    expect(prune(startOf(FIRST + 2))).toEqual({ readings: 2, isDone: true, isWaiting: false });
    expect(prune(startOf(FIRST + 3))).toEqual({ readings: 0, isDone: true, isWaiting: true });
    store.db.exec(`UPDATE dirty_hours SET hour = hour + 1 WHERE hour = ${FIRST + 2}`);
    expect(prune(startOf(FIRST + 4), 2)).toEqual({ readings: 2, isDone: false, isWaiting: true });
    expect(hoursLeft()).toEqual([-1, 3]);
  });

  it('leaves the hour of the oldest of the newest 500 readings', () => {
    addHours(FIRST + 4, FIRST + 5);
    addNewest(499);
    // Those from 2^63 on have no place among the newest.
    for (const stored of [-1n, -2n]) add(stored, 5);
    sumUp();
    expect(prune(startOf(NEWEST))).toEqual({ readings: 2, isDone: true, isWaiting: false });
    expect(hoursLeft()).toEqual([5]);
  });

  it('deletes nothing of a device with fewer than 500 readings, or of an unknown one', () => {
    addHours(FIRST);
    addNewest(497);
    sumUp();
    expect(prune(startOf(NEWEST))).toEqual(NOTHING);
    addNewest(1, startOf(NEWEST + 1));
    sumUp();
    expect(prune(startOf(NEWEST))).toEqual(NOTHING);
    expect(pruning.prune({ kind: 'prune', id: '0c'.repeat(32), before: 1e15, limit: 1 })).toEqual(NOTHING);
    expect(store.values('SELECT count(*) FROM readings')).toEqual([500]);
  });

  it('leaves other devices', () => {
    store.addReading(other, { seq: 1, timestamp: startOf(FIRST) });
    store.addReading(other, { seq: 2, timestamp: startOf(NEWEST) });
    addHours(FIRST);
    addNewest();
    sumUp();
    expect(prune(startOf(NEWEST))).toEqual({ readings: 2, isDone: true, isWaiting: false });
    const ofOther = (table: string) => store.values(`SELECT count(*) FROM ${table} WHERE device = ${other}`)[0];
    expect(['readings', 'hourly_rollups', 'retained_hours', 'retention'].map(ofOther)).toEqual([2, 1, 0, 0]);
  });
});

describe('pruning strays', () => {
  const BEFORE = startOf(FIRST + 50);
  const strays = (after: bigint | null = null, limit = 1000, before = BEFORE) =>
    pruning.pruneStrays({ kind: 'pruneStrays', id: ID, before, after, limit });
  const seqsBefore = (end: number) =>
    store.values(`SELECT seq FROM readings WHERE device = ${device} AND seq <= ${end} ORDER BY seq`);

  it('deletes what is dated before 2001 or an hour after its arrival, and arrived before a time', () => {
    const received = startOf(FIRST + 40);
    const gone = [
      add(0, received),
      add(YEAR_2001 - 1, received),
      add(received + HOUR_MS + 1, received),
      add(5, BEFORE - 1),
      add(startOf(NEWEST) - 1, BEFORE - 1),
    ];
    const kept = [
      add(YEAR_2001, received),
      add(received + HOUR_MS, received),
      add(5, BEFORE),
      add(startOf(NEWEST) - 1, BEFORE),
      add(-5n, received),
      // The oldest of the newest 500, which always stay.
      add(startOf(NEWEST), received),
    ];
    const end = seq;
    addNewest(499, startOf(NEWEST) + 1);
    store.addReading(other, { seq: 1, timestamp: 5, receivedAt: 5 });
    sumUp();
    expect(strays()).toEqual({ readings: gone.length, next: null });
    expect(seqsBefore(end)).toEqual(kept);
    expect(store.values(`SELECT count(*) FROM readings WHERE device = ${other}`)).toEqual([1]);
    expect(store.rows('SELECT entry, is_deleted FROM log_leaves')).toEqual(gone.map((at) => [at - 1, 1]));
    const hours = [0, FIRST - 1, FIRST + 41, NEWEST - 1];
    const dirty = `SELECT hour FROM dirty_hours WHERE device = ${device} AND hour <> ${NEWEST} ORDER BY hour`;
    expect(store.values(dirty)).toEqual(hours);
    expect(strays()).toEqual({ readings: 0, next: null });
  });

  it('deletes a reading that is not in the log, and those with a seq from 2^63 on', () => {
    store.addReading(device, { seq: 900, timestamp: 5, isLogged: false });
    store.addReading(device, { seq: -900, timestamp: 5 });
    store.addReading(device, { seq: -(2n ** 63n), timestamp: 5, isLogged: false });
    addNewest();
    expect(strays()).toEqual({ readings: 3, next: null });
    expect(store.rows('SELECT entry, is_deleted FROM log_leaves')).toEqual([[0, 1]]);
  });

  it('continues at the reading after the last one that it was allowed to delete', () => {
    for (let index = 0; index < 3; index += 1) add(5);
    addNewest();
    expect(strays(null, 2)).toEqual({ readings: 2, next: 2n });
    expect(seqsBefore(4)).toEqual([3, 4]);
    expect(strays(2n, 2)).toEqual({ readings: 1, next: 22n });
    expect(strays(22n, 50)).toEqual({ readings: 0, next: null });
  });

  it('reads ten readings for each one that it may delete, and says whether there may be more', () => {
    addNewest();
    add(5);
    expect(strays(null, 49)).toEqual({ readings: 0, next: 490n });
    expect(strays(490n, 2)).toEqual({ readings: 1, next: null });
    expect(strays(490n, 1)).toEqual({ readings: 0, next: 500n });
    expect(strays(491n, 1)).toEqual({ readings: 0, next: null });
  });

  it.each([
    ['0', 0, true],
    ['the end of 2000', YEAR_2001 - 1, true],
    ['2001', YEAR_2001, false],
    ['a time just before the given one', BEFORE - 1, false],
    ['the given time', BEFORE, true],
  ])(
    'searches at first only where a reading is dated before 2001 or after a time: %s',
    (_name, timestamp, searches) => {
      // It arrived too late to be deleted.
      add(timestamp, BEFORE);
      for (let index = 0; index < 500; index += 1) add(YEAR_2001 + HOUR_MS + index);
      expect(strays(null, 1)).toEqual({ readings: 0, next: searches ? 10n : null });
      expect(strays(0n, 1)).toEqual({ readings: 0, next: 10n });
    },
  );

  it('deletes nothing of a device with fewer than 500 readings, or of an unknown one', () => {
    add(5);
    addNewest(498);
    expect(strays()).toEqual({ readings: 0, next: null });
    const unknown = { kind: 'pruneStrays', id: '0c'.repeat(32), before: BEFORE, limit: 1 } as const;
    expect(pruning.pruneStrays({ ...unknown, after: null })).toEqual({ readings: 0, next: null });
    expect(pruning.pruneStrays({ ...unknown, after: 1n })).toEqual({ readings: 0, next: null });
    expect(store.values('SELECT count(*) FROM readings')).toEqual([499]);
  });
});

describe('an hour with only sums', () => {
  const retain = (of: number, hour: number) => {
    const sums = store.db.prepare('SELECT name FROM pragma_table_info(?) WHERE "notnull"').pluck();
    const names = sums.all('retained_hours') as string[];
    const values = names.map((name) => (name === 'device' ? of : name === 'hour' ? hour : 0));
    store.db.prepare(`INSERT INTO retained_hours (${names.join(', ')}) VALUES (${values.join(', ')})`).run();
  };

  it('is known by its sums, before the hour since which all is kept', () => {
    for (const hour of [3, 4, 5]) retain(device, hour);
    retain(other, 2);
    expect(pruning.isPruned(device, startOf(4))).toBe(false);
    store.keptFrom.raise(device, 5);
    const isPruned = (timestamp: number | bigint) => pruning.isPruned(device, timestamp);
    expect([startOf(3) - 1, startOf(3), BigInt(startOf(5) - 1)].map(isPruned)).toEqual([false, true, true]);
    expect([startOf(5), startOf(7), -1n].map(isPruned)).toEqual([false, false, false]);
    expect(pruning.isPruned(other, startOf(2))).toBe(false);
  });

  it('is forgotten with its device', () => {
    for (const of of [device, other]) {
      retain(of, 3);
      store.keptFrom.raise(of, 4);
    }
    pruning.forget(device);
    expect(store.values('SELECT device FROM retained_hours')).toEqual([other]);
    expect(store.values('SELECT device FROM retention')).toEqual([other]);
    expect([pruning.isPruned(device, startOf(3)), pruning.isPruned(other, startOf(3))]).toEqual([false, true]);
    expect(store.keptFrom.of(device)).toBe(0);
  });
});
