import { describe, expect, it } from 'vitest';
import { type Arrival, isClockUnset, usualInterval } from './device-clock.ts';

const NOW = 1_760_000_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns readings, newest first, `step` apart by the device's clock and `arrival` apart by ours. */
function readings(count: number, { step = MINUTE, arrival = MINUTE, offset = 0 } = {}): Arrival[] {
  return Array.from({ length: count }, (_, index) => ({
    timestamp: BigInt(NOW + offset - index * step),
    receivedAt: NOW - index * arrival,
  }));
}

describe('isClockUnset', () => {
  it('is false without readings, and for a device that has the time', () => {
    expect(isClockUnset([])).toBe(false);
    expect(isClockUnset(readings(1))).toBe(false);
    expect(isClockUnset(readings(30))).toBe(false);
  });

  it('is true for uptimes, also for a single one', () => {
    expect(isClockUnset(readings(30, { offset: 5 * HOUR - NOW }))).toBe(true);
    expect(isClockUnset([{ timestamp: 61_000n, receivedAt: NOW }])).toBe(true);
  });

  it('is true for timestamps that lie more than an hour ahead', () => {
    expect(isClockUnset(readings(20, { offset: HOUR }))).toBe(false);
    expect(isClockUnset(readings(20, { offset: HOUR + 1 }))).toBe(true);
    expect(isClockUnset([{ timestamp: 2n ** 64n - 1n, receivedAt: NOW }])).toBe(true);
  });

  it('is true for timestamps of days ago that arrive at their own pace', () => {
    expect(isClockUnset(readings(20, { offset: -30 * DAY }))).toBe(true);
    expect(isClockUnset(readings(20, { offset: -23 * HOUR }))).toBe(false);
  });

  it('is false for a backlog: old readings that arrive faster than they were measured', () => {
    expect(isClockUnset(readings(20, { offset: -30 * DAY, arrival: 0 }))).toBe(false);
    expect(isClockUnset(readings(20, { offset: -30 * DAY, arrival: 2000 }))).toBe(false);
    expect(isClockUnset(readings(20, { offset: -30 * DAY, step: 10 * MINUTE }))).toBe(false);
  });

  it('depends on the majority of the latest 20', () => {
    const fresh = readings(40);
    const withUptimes = (count: number) =>
      fresh.map((one, index) => (index < count ? { ...one, timestamp: BigInt(index) } : one));
    expect(isClockUnset(withUptimes(10))).toBe(false);
    expect(isClockUnset(withUptimes(11))).toBe(true);
    // A device that has the time now is trusted, regardless of the uptimes that it sent before.
    expect(isClockUnset([...readings(20), ...readings(100, { offset: -NOW })])).toBe(false);
  });
});

describe('usualInterval', () => {
  const arrivals = (...seconds: number[]): Arrival[] =>
    seconds.map((second) => ({ timestamp: 0n, receivedAt: NOW + second * 1000 }));

  it('is the median of the gaps between arrivals, for any order', () => {
    expect(usualInterval(arrivals(60, 0, 180, 120))).toBe(60_000);
    expect(usualInterval(arrivals(0, 60, 120, 180, 7200))).toBe(60_000);
    expect(usualInterval(arrivals(0, 10, 30, 60, 100))).toBe(25_000);
  });

  it('ignores readings that arrived together', () => {
    expect(usualInterval(arrivals(0, 60, 60, 60.5, 120, 120.4, 180))).toBe(59_600);
  });

  it('comes from the timestamps of a bulk upload until there are enough arrivals', () => {
    const step = 5 * MINUTE;
    const bulk = readings(50, { step, arrival: 0 });
    expect(usualInterval(bulk)).toBe(step);
    // Batches that took more than a second each say nothing about the interval.
    expect(usualInterval(readings(50, { step, arrival: 1200 }))).toBe(step);
    const live = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        timestamp: BigInt(NOW + (count - index) * 10 * MINUTE),
        receivedAt: NOW + (count - index) * 10 * MINUTE,
      }));
    expect(usualInterval([...live(2), ...bulk].slice(0, 50))).toBe(step);
    expect(usualInterval([...live(3), ...bulk].slice(0, 50))).toBe(10 * MINUTE);
  });

  it('is not taken from timestamps that are not regular', () => {
    const uneven = [0, 1, 7, 9, 30, 31, 60, 100].map((minute) => ({
      timestamp: BigInt(NOW - minute * MINUTE),
      receivedAt: NOW,
    }));
    expect(usualInterval(uneven)).toBeNull();
    expect(usualInterval(readings(3, { arrival: 0 }))).toBeNull();
  });

  it('is unknown with fewer than three gaps', () => {
    expect(usualInterval([])).toBeNull();
    expect(usualInterval(arrivals(0, 60, 120))).toBeNull();
    expect(usualInterval(arrivals(...new Array<number>(50).fill(7)))).toBeNull();
  });
});
