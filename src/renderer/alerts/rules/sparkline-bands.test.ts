import { expect, it } from 'vitest';
import type { RangeRule } from '../../../shared/alerts/rule.ts';
import { bandsOver } from './sparkline-bands.ts';

it('draws the bands of each time behind a sparkline: of permanent rules, and of stages', () => {
  const HOUR = 3_600_000;
  const startAt = 1_790_000_000_000 - (1_790_000_000_000 % HOUR);
  const sparkline = { startAt, stepMs: HOUR };
  const ofCycle = { field: 'ph', low: 5.8, high: 6.3, cycle: 'x' } as RangeRule;
  const own = { field: 'ph', low: null, high: 6.4 } as RangeRule;
  const begun = startAt + 10 * HOUR;
  const stages = [
    { field: 'ph', low: 5.5, high: 6.5, from: startAt - 90 * HOUR, to: begun },
    { field: 'ph', low: 5.8, high: 6.3, from: begun, to: undefined },
    { field: 'ec', low: 700, high: 900, from: startAt + 3 * HOUR, to: begun },
  ] as const;
  // A value is drawn in the middle of its hour, so a stage that begins on the hour begins half a step earlier.
  expect(bandsOver('ph', [own, ofCycle], stages, sparkline)).toEqual([
    { low: 5.5, high: 6.4, from: 0, to: 9.5 },
    { low: 5.8, high: 6.3, from: 9.5, to: 23 },
  ]);
  expect(bandsOver('ec', [], stages, sparkline)).toEqual([{ low: 700, high: 900, from: 2.5, to: 9.5 }]);
  expect(bandsOver('ph', [ofCycle], stages.slice(1), { ...sparkline, startAt: begun })).toEqual([
    { low: 5.8, high: 6.3 },
  ]);
  expect(bandsOver('ph', [], [], sparkline)).toEqual([]);
});
