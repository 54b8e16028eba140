import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FieldData } from '../series/chart-data.ts';
import { overlayRange, shiftedLater } from './overlay.ts';

const before = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
});

const HOUR = 3_600_000;
const at = (text: string) => new Date(text).getTime();

/** Returns one value per hour: the hour of the day. */
function hours(from: string, to: string): FieldData {
  const times: number[] = [];
  for (let time = at(from); time <= at(to); time += HOUR) times.push(time);
  const values = times.map((time) => new Date(time).getHours());
  const count = times.map(() => 1);
  return {
    times,
    mean: values,
    min: values,
    max: values,
    count,
    stepMs: null,
    sealed: [],
    openings: { opened: 0, failed: {} },
  };
}

it.each([
  ['a day of 24 hours', '2026-05-05', '2026-05-06', 24],
  ['to a day that leaves two o’clock out', '2026-03-28', '2026-03-29', 23],
  ['from a day that leaves two o’clock out', '2026-03-29', '2026-03-30', 23],
  ['to a day with two o’clock twice', '2026-10-24', '2026-10-25', 24],
  ['from a day with two o’clock twice', '2026-10-25', '2026-10-26', 24],
])('moves %s to the same times of day', (_name, day, next, count) => {
  const moved = shiftedLater(hours(`${day}T00:00:00`, `${day}T23:00:00`), 'yesterday');
  expect(moved.times.map((time) => new Date(time).getHours())).toEqual(moved.mean);
  expect(moved.times).toEqual(moved.times.toSorted((a, b) => a - b));
  expect(new Set(moved.times).size).toBe(count);
  for (const time of moved.times) expect(new Date(time).getDate()).toBe(Number(next.slice(-2)));
});

it('queries the same times of day, and only as far as needed for a moving range', () => {
  const to = at('2026-03-29T12:00:00');
  const from = at('2026-03-28T12:00:00');
  expect(overlayRange('yesterday', { from, to }, { from, to })).toEqual({
    from: at('2026-03-27T12:00:00'),
    to: at('2026-03-28T12:00:00'),
  });
  const asked = overlayRange('lastWeek', { from, to: null }, { from, to })!;
  expect(asked.to).toBeGreaterThanOrEqual(at('2026-03-22T12:00:00'));
  expect(asked.to! - at('2026-03-22T12:00:00')).toBeLessThan(2 * HOUR);
  expect(overlayRange('yesterday', { from: null, to: null }, { from, to })).toBeNull();
});
