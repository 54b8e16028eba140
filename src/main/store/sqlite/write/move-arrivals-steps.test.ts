import { afterEach, beforeEach, expect, it } from 'vitest';
import { StoreInMemory } from '../../../../../test/support/store-in-memory.ts';
import type { ArrivalMove, MovedTo } from '../../arrival-move.ts';
import { HOUR_MS } from '../../counts.ts';
import { type Moves, prepareMoves } from './move-arrivals.ts';

const WRONG = 7;
const NOW = 488_888 * HOUR_MS + 600_000;
const BY = 90_000;
/** The start of an hour; arrivals are in that hour unless a test says otherwise. */
const FROM = NOW - 600_000;
const MOVE: ArrivalMove = { clock: WRONG, next: WRONG + 1, by: BY, at: NOW, from: FROM, to: FROM + 1000 };
const [ID, OTHER_ID] = ['0a'.repeat(32), '0b'.repeat(32)];
let store: StoreInMemory;
let device: number;
let other: number;
let moves: Moves;
beforeEach(() => {
  store = new StoreInMemory();
  [device, other] = [store.addDevice(ID), store.addDevice(OTHER_ID)];
  restart();
});
afterEach(() => store.close());

function restart(): void {
  moves = prepareMoves(store.db, store.rollups, store.log);
}
const add = (of: number, seq: number, timestamp: number | bigint, receivedAt = FROM, clock: number | null = WRONG) =>
  store.addReading(of, { seq, timestamp, receivedAt, clock });
const step = (after: MovedTo | null, limit: number, move = MOVE) =>
  moves.move({ kind: 'moveArrivals', move, after, limit });
const moved = () => store.rows('SELECT device, seq FROM readings WHERE first_arrival IS NOT NULL ORDER BY device, seq');
const mark = (of: number, from: number, count: number) => {
  for (let hour = from; hour < from + count; hour += 1) {
    store.db.exec(`INSERT OR IGNORE INTO dirty_hours VALUES (${of}, ${hour})`);
  }
};

it('moves the readings of whole hours until there are enough, in order of device and hour', () => {
  for (let index = 0; index < 8; index += 1) {
    add(index < 4 ? device : other, index, (10 + Math.floor(index / 2)) * HOUR_MS + index);
  }
  expect(step(null, 2)).toEqual({ devices: [ID], next: '1 10' });
  expect(moved()).toEqual([
    [device, 0],
    [device, 1],
  ]);
  expect(step('1 10', 3)).toEqual({ devices: [ID, OTHER_ID], next: '2 12' });
  expect(store.rows('SELECT clock FROM moved_clocks')).toEqual([]);
  expect(step('2 12', 3)).toEqual({ devices: [OTHER_ID], next: null });
  expect(moved()).toHaveLength(8);
  expect(store.rows('SELECT clock, at FROM moved_clocks')).toEqual([[WRONG, NOW]]);
  expect(store.rows('SELECT * FROM moved_arrivals')).toEqual([
    [device, NOW, BY, 4],
    [other, NOW, BY, 4],
  ]);
  const text = `correction\nclock ${WRONG}\nnext ${WRONG + 1}\nby ${BY}\nat ${NOW}\n`;
  expect(store.rows('SELECT entry, content FROM log_entries')).toEqual([[8, text]]);
  expect(step(null, 2)).toEqual({ devices: [], next: null });
  expect(store.values('SELECT count(*) FROM log_entries')).toEqual([1]);
});

it('leaves readings of other clocks, and finds those of the first hour and from 2^63 on', () => {
  add(device, 1, 0);
  add(device, 2, 1, FROM, WRONG + 2);
  add(device, 3, 2, FROM, null);
  add(other, 4, -1n);
  expect(step(null, 10)).toEqual({ devices: [ID, OTHER_ID], next: null });
  const all = 'SELECT seq, received_at, clock, first_arrival FROM readings ORDER BY seq';
  const expected = [
    [1, FROM + BY, WRONG + 1, `${FROM} ${WRONG}`],
    [2, FROM, WRONG + 2, null],
    [3, FROM, null, null],
    [4, FROM + BY, WRONG + 1, `${FROM} ${WRONG}`],
  ];
  expect(store.rows(all)).toEqual(expected);
  const again = { ...MOVE, clock: WRONG + 1, next: WRONG + 2, by: -5 };
  expect(step(null, 10, again).devices).toEqual([ID, OTHER_ID]);
  expect(store.rows(all)[0]).toEqual([1, FROM + BY - 5, WRONG + 2, `${FROM} ${WRONG}`]);
});

it('adds to the counts of the hours that a reading leaves and enters, and nothing if they are the same', () => {
  const counts = () => store.rows('SELECT hour - 488888, outcome, count FROM hourly_counts');
  add(device, 1, 0);
  add(device, 2, 0);
  step(null, 10);
  expect(counts()).toEqual([]);
  store.db.exec("INSERT INTO hourly_counts VALUES (488888, 'stored', 5)");
  step(null, 10, { ...MOVE, clock: WRONG + 1, next: WRONG + 2, by: HOUR_MS });
  expect(counts()).toEqual([
    [0, 'stored', 3],
    [1, 'stored', 2],
  ]);
});

it('looks into hours with arrivals from a minute before its span to a minute after it, and marks them', () => {
  const arrivals = [FROM - 60_001, FROM - 60_000, FROM + 61_000, FROM + 61_001];
  for (const [hour, receivedAt] of arrivals.entries()) add(device, hour, hour * HOUR_MS, receivedAt);
  add(device, 9, 9 * HOUR_MS, FROM, null);
  while (store.rollups.work(1000));
  store.db.exec('DELETE FROM dirty_hours');
  expect(step(null, 10)).toEqual({ devices: [ID], next: null });
  expect(moved()).toEqual([
    [device, 1],
    [device, 2],
  ]);
  expect(store.values('SELECT hour FROM dirty_hours ORDER BY hour')).toEqual([1, 2]);
});

it('names only devices of which it moved a reading', () => {
  mark(device, 3, 2);
  add(other, 1, 0);
  expect(step(null, 1)).toEqual({ devices: [OTHER_ID], next: '2 0' });
  expect(store.values('SELECT device FROM moved_arrivals')).toEqual([other]);
});

it('reads 200 hours at a time', () => {
  mark(device, 0, 199);
  expect(step(null, 10)).toEqual({ devices: [], next: null });
  mark(device, 199, 1);
  const next = { ...MOVE, clock: WRONG + 1, next: WRONG + 2 };
  expect(step(null, 10, next)).toEqual({ devices: [], next: '1 199' });
  expect(store.values('SELECT clock FROM moved_clocks')).toEqual([WRONG]);
  expect(step('1 199', 10, next)).toEqual({ devices: [], next: null });
  expect(store.values('SELECT clock FROM moved_clocks')).toEqual([WRONG, WRONG + 1]);
});

it('lets later readings by the clock arrive at the right time, after all moves that concern them', () => {
  expect(moves.now(1000, WRONG)).toEqual({ receivedAt: 1000, clock: WRONG });
  step(null, 10);
  expect(moves.now(1000, WRONG)).toEqual({ receivedAt: 1000 + BY, clock: WRONG + 1 });
  step(null, 10, { ...MOVE, clock: WRONG + 1, next: 0, by: -5 });
  expect(moves.now(1000, WRONG)).toEqual({ receivedAt: 1000 + BY - 5, clock: 0 });
  expect(moves.now(1000, WRONG + 1)).toEqual({ receivedAt: 995, clock: 0 });
  expect(moves.now(1000, 0)).toEqual({ receivedAt: 1000, clock: 0 });
  restart();
  expect(moves.now(1000, WRONG)).toEqual({ receivedAt: 1000, clock: WRONG });
  expect(step(null, 10)).toEqual({ devices: [], next: null });
  expect(moves.now(1000, WRONG)).toEqual({ receivedAt: 1000 + BY, clock: WRONG + 1 });
});

it('leaves notes, which are forgotten with their device', () => {
  for (const each of [device, other]) add(each, 1, 0);
  step(null, 10);
  moves.forget(device);
  expect(store.values('SELECT device FROM moved_arrivals')).toEqual([other]);
});
