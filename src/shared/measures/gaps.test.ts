import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gapsOf } from './gaps.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Returns times at these distances, from a start on. */
function timesBy(distances: readonly number[], start = 1_700_000_000_000): number[] {
  const times = [start];
  for (const distance of distances) times.push(times.at(-1)! + distance);
  return times;
}
const single = (times: readonly number[]) => ({ times, counts: times.map(() => 1), stepMs: null });
const gapAt = (gaps: readonly boolean[]) => gaps.flatMap((isGap, index) => (isGap ? [index] : []));
const gapsBy = (distances: readonly number[], usual: number | null = null) =>
  gapAt(gapsOf(single(timesBy(distances)), usual));
const interval = fc.integer({ min: 1000, max: DAY });
/** Intervals that differ by up to a third, as with a busy device or network. */
const jittered = (length: fc.Arbitrary<number>) =>
  fc.tuple(interval, length).chain(([each, count]) =>
    fc.array(fc.integer({ min: Math.ceil(each * 0.67), max: Math.floor(each * 1.33) }), {
      minLength: count,
      maxLength: count,
    }),
  );

describe('gapsOf single readings', () => {
  it('finds no gap in steady data, for any interval', () => {
    fc.assert(
      fc.property(jittered(fc.integer({ min: 3, max: 60 })), (distances) => {
        expect(gapsBy(distances, 5000)).toEqual([]);
      }),
    );
  });

  it('finds none if the interval changed, any number of times', () => {
    const stretch = jittered(fc.integer({ min: 9, max: 30 }));
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 2, maxLength: 5 }), (stretches) => {
        expect(gapsBy(stretches.flat(), null)).toEqual([]);
      }),
    );
  });

  it('finds every outage in steady data, and nothing else', () => {
    const outage = fc.record({ at: fc.integer({ min: 0, max: 99 }), length: fc.integer({ min: 5, max: 10_000 }) });
    const outages = fc.uniqueArray(outage, { selector: ({ at }) => at, minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(interval, outages, (each, list) => {
        const distances: number[] = new Array(100).fill(each);
        for (const { at, length } of list) distances[at] = each * length;
        const ends = list.map(({ at }) => at).sort((a, b) => a - b);
        // With three outages in nine readings, no rule could distinguish them from the device's normal sending.
        const isScattered = ends.every((at) => ends.filter((each) => Math.abs(each - at) <= 9).length <= 3);
        fc.pre(isScattered);
        expect(gapsBy(distances)).toEqual(ends);
      }),
    );
  });

  it('finds the outage between two stretches of different intervals', () => {
    fc.assert(
      fc.property(interval, interval, (first, second) => {
        const outage = 4 * Math.max(first, second);
        const distances = [...new Array(12).fill(first), outage, ...new Array(12).fill(second)];
        expect(gapsBy(distances)).toEqual([12]);
      }),
    );
  });

  it('uses at most nine distances, with the same result at any time and in reverse', () => {
    const distances = fc.array(fc.oneof(interval, fc.constant(MINUTE)), { minLength: 25, maxLength: 40 });
    fc.assert(
      fc.property(distances, interval, (list, far) => {
        const gaps = gapsOf(single(timesBy(list)), null);
        expect(gapsOf(single(timesBy(list, 5)), null)).toEqual(gaps);
        expect(gapsOf(single(timesBy(list.toReversed())), null)).toEqual(gaps.toReversed());
        const extended = gapsOf(single(timesBy([...new Array(30).fill(far), ...list])), null);
        expect(extended.slice(30 + 9)).toEqual(gaps.slice(9));
      }),
    );
  });

  it('uses the usual interval if there are only two or three readings', () => {
    expect(gapsBy([10 * MINUTE], MINUTE)).toEqual([0]);
    expect(gapsBy([2 * MINUTE], MINUTE)).toEqual([]);
    expect(gapsBy([10 * MINUTE])).toEqual([]);
    expect(gapsBy([MINUTE, 10 * MINUTE])).toEqual([1]);
    expect(gapsBy([])).toEqual([]);
    expect(gapsOf(single([]), null)).toEqual([]);
  });

  it('keeps readings together that are sent in pairs or threes', () => {
    const pairs = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 2000 : 10 * MINUTE));
    const threes = Array.from({ length: 40 }, (_, index) => (index % 3 === 2 ? 10 * MINUTE : 2000));
    expect(gapsBy(pairs)).toEqual([]);
    expect(gapsBy(threes)).toEqual([]);
  });
});

describe('gapsOf steps', () => {
  const steps = (indexes: readonly number[], count: number, stepMs = MINUTE) => ({
    times: indexes.map((index) => index * stepMs),
    counts: indexes.map(() => count),
    stepMs,
  });

  it('treats each missing step as a gap if steps have many readings', () => {
    expect(gapAt(gapsOf(steps([0, 1, 2, 3, 4, 6, 7, 8, 9, 20], 12), 5000))).toEqual([4, 8]);
  });

  it('connects steps that are shorter than the interval', () => {
    expect(gapAt(gapsOf(steps([0, 10, 20, 30, 40, 50, 60], 1), null))).toEqual([]);
    expect(gapAt(gapsOf(steps([0, 10, 20, 30, 90, 100, 110, 120], 1), null))).toEqual([3]);
  });

  it('finds no gap in any steady data, changed interval or not, that was put into steps', () => {
    const stretch = jittered(fc.integer({ min: 40, max: 80 }));
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1, maxLength: 3 }), interval, (stretches, stepMs) => {
        const byStep = new Map<number, number>();
        for (const time of timesBy(stretches.flat(), 0)) {
          const step = Math.floor(time / stepMs);
          byStep.set(step, (byStep.get(step) ?? 0) + 1);
        }
        const placed = {
          times: [...byStep.keys()].map((step) => step * stepMs),
          counts: [...byStep.values()],
          stepMs,
        };
        expect(gapAt(gapsOf(placed, null))).toEqual([]);
      }),
    );
  });
});
