import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryAt, type Line } from './entry-at.ts';

const line: Line = { times: [100, 110, 120, 200, 280, 290], count: [1, 1, 1, 0, 1, 1], stepMs: null };

describe('entryAt', () => {
  it('returns the nearer of two connected readings', () => {
    expect([100, 104, 106, 111, 119].map((time) => entryAt(line, time, 0))).toEqual([0, 0, 1, 1, 2]);
  });

  it('returns nothing in a gap, before the first and after the last reading', () => {
    for (const time of [0, 97, 123, 199, 200, 201, 277, 293, 1e9]) expect(entryAt(line, time, 2)).toBeNull();
    expect(entryAt({ times: [], count: [], stepMs: null }, 5, 1e9)).toBeNull();
  });

  it('returns a reading a few pixels away', () => {
    expect([98, 122, 278, 292].map((time) => entryAt(line, time, 2))).toEqual([0, 2, 4, 5]);
  });

  it('returns a step over its whole width', () => {
    const steps = { ...line, stepMs: 10 };
    expect([95, 125, 275, 295].map((time) => entryAt(steps, time, 0))).toEqual([0, 2, 4, 5]);
    expect([94, 126, 274, 296].map((time) => entryAt(steps, time, 0))).toEqual([null, null, null, null]);
  });

  it('returns nothing that the line does not show there', () => {
    const entry = fc.record({ distance: fc.integer({ min: 2, max: 1000 }), isGap: fc.boolean() });
    const lines = fc.array(entry, { maxLength: 30 }).map((entries): Line => {
      const times: number[] = [];
      const count: number[] = [];
      let time = 0;
      for (const { distance, isGap } of entries) {
        if (isGap && times.length > 0) {
          times.push(time + distance / 2);
          count.push(0);
        }
        time += distance;
        times.push(time);
        count.push(1);
      }
      return { times, count, stepMs: null };
    });
    fc.assert(
      fc.property(
        lines,
        fc.integer({ min: -500, max: 32_000 }),
        fc.integer({ min: 0, max: 50 }),
        (each, time, near) => {
          const found = entryAt(each, time, near);
          const entries = each.times.flatMap((at, index) => (each.count[index]! > 0 ? [{ at, index }] : []));
          const nearest = Math.min(...entries.map(({ at }) => Math.abs(at - time)));
          if (found !== null) {
            expect(each.count[found]).toBe(1);
            expect(Math.abs(each.times[found]! - time)).toBe(nearest);
            const [low, high] = [Math.min(time, each.times[found]!), Math.max(time, each.times[found]!)];
            const isGapBetween = each.times.some((at, index) => each.count[index] === 0 && at > low && at < high);
            if (nearest > near) expect(isGapBetween).toBe(false);
          } else expect(nearest).toBeGreaterThan(near);
        },
      ),
    );
  });
});
