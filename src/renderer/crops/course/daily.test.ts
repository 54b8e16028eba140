import { expect, it } from 'vitest';
import type { FieldData } from '../../charts/series/chart-data.ts';
import { dailyMeans } from './daily.ts';

const data = (times: number[], mean: (number | null)[]): FieldData => ({
  ...{ times, mean, min: mean.map((value) => value && value - 1), max: mean.map((value) => value && value + 1) },
  ...{
    count: mean.map((value) => (value === null ? 0 : 2)),
    stepMs: 1,
    sealed: [],
    openings: { opened: 0, failed: {} },
  },
});

it('sums up days from the beginning on, leaves a gap for days without values, and is never ahead of the last value', () => {
  const found = dailyMeans(data([10, 14, 19.9, 20, 25, 41], [1, 2, 6, 4, null, 8]), 10, 10);
  expect(found).toMatchObject({
    ...{ times: [15, 25, 35, 41], mean: [3, 4, null, 8], min: [0, 3, null, 7], max: [7, 5, null, 9] },
    ...{ count: [6, 2, 0, 2], stepMs: 10 },
  });
});

it('is empty without values', () => {
  expect(dailyMeans(data([], []), 0, 10).times).toEqual([]);
});
