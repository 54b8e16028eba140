import { expect, it } from 'vitest';
import type { History } from '../../../shared/owner-api/readings.ts';
import { perFieldName } from '../../../shared/protocol/fields.ts';
import { shareInRange } from './time-in-range.ts';

const none = { min: [], max: [], mean: [null, null, null, null], count: [0, 0, 0, 0], sealed: [] };
const history: Pick<History, 'times' | 'fields'> = {
  times: [10, 20, 30, 40],
  fields: { ...perFieldName(() => none), ph: { ...none, mean: [5, 6, 7, 6], count: [1, 2, 1, 9] } },
};
const span = { field: 'ph', low: 5.5, high: 6.5, from: 10, to: 40 } as const;

it('counts values from the first time of a stage until before the next one', () => {
  expect(shareInRange(history, span)).toBe(0.5);
  expect(shareInRange(history, { ...span, to: null })).toBe(11 / 13);
  expect(shareInRange(history, { ...span, from: 11, high: null })).toBe(1);
  expect(shareInRange(history, { ...span, from: 41, to: null })).toBeNull();
  expect(shareInRange(history, { ...span, field: 'ec' })).toBeNull();
});
