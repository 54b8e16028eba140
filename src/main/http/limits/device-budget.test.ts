import { beforeEach, expect, it } from 'vitest';
import { DeviceBudgets } from './device-budget.ts';

const DAY = 24 * 3_600_000;
const ONE = 'aa'.repeat(32);
const OTHER = 'bb'.repeat(32);

let at: number;
let told: number;
let budgets: DeviceBudgets;
const onOver = (): void => {
  told += 1;
};
beforeEach(() => {
  at = 1_790_000_000_000;
  told = 0;
  budgets = new DeviceBudgets({ perSecond: 5, steady: () => at, now: () => at, onOver });
});

function send(id: string, count: number): void {
  for (let sent = 0; sent < count; sent += 1) budgets.take(id);
}

/** Returns the longest wait of these devices in seconds; 0 if none has to wait. */
function waitOf(...ids: string[]): number {
  return Math.max(0, ...budgets.waits(ids).values());
}

it('a device may send a burst, then five a second', () => {
  send(ONE, 4999);
  expect(waitOf(ONE)).toBe(0);
  send(ONE, 1);
  expect(waitOf(ONE)).toBe(1);
  at += 199;
  expect(waitOf(ONE)).toBe(1);
  at += 1;
  expect(waitOf(ONE)).toBe(0);
  send(ONE, 11);
  expect(waitOf(ONE)).toBe(3);
});

it('readings of one device do not count for another', () => {
  send(ONE, 5000);
  expect(waitOf(OTHER)).toBe(0);
  expect(budgets.waits([OTHER, ONE])).toEqual(new Map([[ONE, 1]]));
});

it('a burst refills up to its limit', () => {
  send(ONE, 5000);
  at += 30 * DAY;
  send(ONE, 5000);
  expect(waitOf(ONE)).toBe(1);
});

it('lists refused devices for a day, with times and counts', () => {
  send(ONE, 5000);
  const since = at;
  for (let times = 0; times < 3; times += 1) {
    expect(waitOf(ONE)).toBe(1);
    at += 10;
  }
  expect(budgets.over).toEqual([{ id: ONE, since, lastAt: at - 10, refused: 3 }]);
  expect(told).toBe(1);
  at += DAY;
  expect(budgets.over).toEqual([]);
});

it('0 means no limit, also after a change', () => {
  send(ONE, 5000);
  budgets.perSecond = 0;
  expect(waitOf(ONE)).toBe(0);
  send(ONE, 10_000);
  budgets.perSecond = 5;
  expect(waitOf(ONE)).toBe(1);
});
