import { afterEach, beforeEach, expect, it } from 'vitest';
import { StoreInMemory } from '../../../../../test/support/store-in-memory.ts';
import { HOUR_MS } from '../../counts.ts';
import { prepareForget } from './forget.ts';
import { prepareMoves } from './move-arrivals.ts';
import { preparePruning } from './prune.ts';

const [ID, OTHER_ID] = ['0a'.repeat(32), '0b'.repeat(32)];
let store: StoreInMemory;
let device: number;
let other: number;
let forget: ReturnType<typeof prepareForget>;
beforeEach(() => {
  store = new StoreInMemory();
  [device, other] = [store.addDevice(ID), store.addDevice(OTHER_ID)];
  const { db, numbers, rollups, keptFrom, log } = store;
  const pruning = preparePruning(db, numbers, rollups, keptFrom, log);
  const moves = prepareMoves(db, rollups, log);
  forget = prepareForget(db, { numbers, rollups, pruning, moves, log });
});
afterEach(() => store.close());

const step = (limit: number, id = ID) => forget({ kind: 'forget', id, limit });
const leaves = () => store.rows('SELECT entry, is_deleted FROM log_leaves ORDER BY entry');

it('deletes the oldest readings first, by timestamp and then seq, both unsigned', () => {
  store.addReading(device, { seq: 1, timestamp: -1 });
  store.addReading(device, { seq: -1, timestamp: 5 });
  store.addReading(device, { seq: 3, timestamp: 5 });
  store.addReading(device, { seq: 9, timestamp: 4 });
  store.addReading(other, { seq: 9, timestamp: 3 });
  const left = () => store.values(`SELECT seq FROM readings WHERE device = ${device} ORDER BY seq`);
  for (const expected of [[-1, 1, 3], [-1, 1], [1], []]) {
    expect(step(1)).toEqual({ readings: 1, isDone: false });
    expect(left()).toEqual(expected);
  }
  expect(store.values(`SELECT count(*) FROM devices WHERE device = ${device}`)).toEqual([1]);
  expect(step(1)).toEqual({ readings: 0, isDone: true });
  expect(store.values('SELECT device FROM devices')).toEqual([other]);
  expect(store.values('SELECT device FROM readings')).toEqual([other]);
});

it('keeps the hashes of the deleted readings, and marks their hours until the device is gone', () => {
  store.addReading(device, { seq: 1, timestamp: 0 });
  store.log.work(1000);
  store.addReading(device, { seq: 2, timestamp: HOUR_MS });
  store.addReading(device, { seq: 3, timestamp: 2 * HOUR_MS, isLogged: false });
  store.addReading(device, { seq: 4, timestamp: 3 * HOUR_MS });
  store.rollups.work(1000);
  const marks = () => store.values(`SELECT hour FROM dirty_hours WHERE device = ${device} ORDER BY hour`);
  expect(marks()).toEqual([3]);
  expect(step(3)).toEqual({ readings: 3, isDone: false });
  expect(marks()).toEqual([0, 1, 2, 3]);
  expect(leaves()).toEqual([
    [0, 1],
    [1, 1],
  ]);
  expect(step(3)).toEqual({ readings: 1, isDone: true });
  expect(marks()).toEqual([]);
  expect(leaves()).toEqual([
    [0, 1],
    [1, 1],
    [2, 1],
  ]);
});

it('deletes all else of the device in the last step, and nothing of other devices', () => {
  const tables = ['readings', 'hourly_rollups', 'dirty_hours', 'retained_hours', 'retention', 'moved_arrivals'];
  const columns = store.db.prepare('SELECT name FROM pragma_table_info(?) WHERE "notnull"').pluck();
  for (const each of [device, other]) {
    for (const [seq, hour] of [0, 1, 2].entries()) store.addReading(each, { seq, timestamp: hour * HOUR_MS });
    const retained = (columns.all('retained_hours') as string[]).filter((name) => name !== 'device');
    store.db.exec(`INSERT INTO retained_hours (device, ${retained.join(', ')})
      VALUES (${each}, ${retained.map(() => 0).join(', ')});
      INSERT INTO moved_arrivals VALUES (${each}, 1, 1, 1);
      INSERT INTO withheld VALUES (${each}, 'omit', 'ph', 1, 0, 0)`);
    store.keptFrom.raise(each, 5);
  }
  for (const each of [ID, OTHER_ID]) {
    store.log.add({ kind: 'registration', device: each, at: 1, way: 'gate', by: null, received: '{}' });
  }
  store.rollups.work(1000);
  expect(step(4)).toEqual({ readings: 3, isDone: true });
  for (const table of [...tables, 'withheld', 'devices']) {
    expect(store.values(`SELECT DISTINCT device FROM ${table}`), table).toEqual([other]);
  }
  expect(store.values('SELECT entry FROM log_entries')).toEqual([7]);
  expect(store.numbers.of(ID)).toBeNull();
  expect(store.keptFrom.of(device)).toBe(0);
  expect(store.rollups.work(1000)).toBe(false);
});

it('has nothing to do for an unknown device', () => {
  expect(step(4, '0c'.repeat(32))).toEqual({ readings: 0, isDone: true });
  expect(store.values('SELECT count(*) FROM devices')).toEqual([2]);
});
