import fc from 'fast-check';
import { expect, it } from 'vitest';
import { timeTicks, valueTicks } from './ticks.ts';

const DAY = 86_400_000;

it('gives few round times within any view', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 20_000 * DAY }),
      fc.integer({ min: 3_600_000, max: 2000 * DAY }),
      (from, width) => {
        const { ticks } = timeTicks({ from, to: from + width }, 8);
        expect(ticks.length).toBeLessThanOrEqual(9);
        for (const tick of ticks) {
          expect(tick).toBeGreaterThanOrEqual(from);
          expect(tick).toBeLessThanOrEqual(from + width);
          expect(new Date(tick).getMinutes()).toBe(0);
        }
      },
    ),
  );
});

it('days begin at midnight, also after clocks changed', () => {
  const { ticks } = timeTicks({ from: new Date(2026, 2, 1).getTime(), to: new Date(2026, 4, 1).getTime() }, 8);
  expect(ticks.length).toBeGreaterThan(3);
  expect(ticks.map((tick) => new Date(tick).getHours()).every((hour) => hour === 0)).toBe(true);
});

it('gives few round numbers between any two', () => {
  expect(valueTicks(5.47, 6.52, 4)).toEqual({ ticks: [5.5, 6, 6.5], step: 0.5 });
  fc.assert(
    fc.property(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (least, width) => {
      const { ticks } = valueTicks(least / 100, (least + width) / 100, 4);
      expect(ticks.length).toBeLessThanOrEqual(6);
      for (const tick of ticks) expect(tick).toBeGreaterThanOrEqual(least / 100 - 1e-9);
    }),
  );
});
