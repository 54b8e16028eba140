import { expect, it } from 'vitest';
import { lineOf, percentOf, timeInRange } from './time-in-range.ts';

const PH = { low: 5, high: 6 };
const all = { from: 0, to: 1000 };

it.each<[string, number[], (number | null)[], number | null]>([
  ['all of it', [0, 100], [5, 6], 1],
  ['none of it', [0, 100], [7, 7], 0],
  ['where the line crosses a bound', [0, 100], [5.5, 6.5], 0.5],
  ['where it comes in and goes out again', [0, 100], [4, 7], 1 / 3],
  ['by time, not by the number of values', [0, 10, 20, 30, 130], [7, 7, 7, 5.5, 5.5], 0.795],
  ['without gaps', [0, 10, 500, 990, 1000], [5.5, 5.5, null, 7, 7], 0.5],
  ['nothing of one value', [0], [5.5], null],
])('counts %s', (_, times, mean, share) => {
  const found = timeInRange({ times, mean }, [PH], all);
  if (share === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(share, 2);
});

it('counts only the visible range, for every range', () => {
  const data = { times: [0, 100, 200], mean: [5.5, 5.5, 6.5] };
  expect(timeInRange(data, [PH], { from: 0, to: 100 })).toBe(1);
  expect(timeInRange(data, [PH], { from: 100, to: 200 })).toBeCloseTo(0.5, 5);
  expect(timeInRange(data, [PH, { low: null, high: 5.2 }], { from: 0, to: 100 })).toBe(0);
  expect(timeInRange(data, [PH], { from: 500, to: 900 })).toBeNull();
});

it('has 100 % only for values always in range', () => {
  expect([1, 0.9999, 0.994, 0.944, 0].map(percentOf)).toEqual([100, 99.9, 99.4, 94, 0]);
});

it('counts each range only while it applies, and no time without one', () => {
  const data = { times: [0, 400], mean: [5.5, 5.5] };
  const [early, late] = [
    { low: 5, high: 6, to: 100 },
    { low: 6, high: 7, from: 100, to: 200 },
  ];
  expect(timeInRange(data, [early, late], { from: 0, to: 400 })).toBe(0.5);
  expect(timeInRange(data, [early, late], { from: 0, to: 100 })).toBe(1);
  expect(timeInRange(data, [early, late], { from: 200, to: 400 })).toBeNull();
});

it('uses the ranges of each time, and counts no time without one', () => {
  const data = { times: [0, 100, 200, 300], mean: [5, 5, 5, 5] };
  const first = { low: 4, high: 6, from: 100, to: 200 };
  const second = { low: 6, high: 7, from: 200, to: 250 };
  expect(timeInRange(data, [first], { from: 0, to: 300 })).toBe(1);
  expect(timeInRange(data, [first, second], { from: 0, to: 300 })).toBeCloseTo(2 / 3, 5);
  expect(timeInRange(data, [second], { from: 0, to: 150 })).toBeNull();
  // From the first moment of a stage until before the next stage.
  expect(timeInRange(data, [first, second], { from: 200, to: 201 })).toBe(0);
  expect(timeInRange(data, [first, { low: null, high: 4.5 }], { from: 100, to: 200 })).toBe(0);
});

it('makes a line of steps, with gaps', () => {
  const steps = { times: [0, 10, 20, 60, 70, 80], counts: [1, 1, 1, 1, 1, 1], stepMs: 10, mean: [1, 2, 3, 4, 5, 6] };
  expect(lineOf(steps, null)).toEqual({
    times: [5, 15, 25, 45, 65, 75, 85],
    mean: [1, 2, 3, null, 4, 5, 6],
  });
});
