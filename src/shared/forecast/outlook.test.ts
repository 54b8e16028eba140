import { expect, it } from 'vitest';
import { fieldScale } from '../measures/field-scale.ts';
import { outlooks } from './outlook.ts';

const HOUR = 3_600_000;
const NOW = 1_700_000_000_000;
/** Returns three days of hourly values that end at `newest` and change by `perDay` each day. */
const line = (newest: number, perDay: number) =>
  Array.from({ length: 72 }, (_, index) => ({
    at: NOW - index * HOUR,
    value: newest - (perDay * index) / 24,
  })).reverse();
const ph = fieldScale('ph', undefined);
/** A tank that is empty at 400 mm from the sensor and full at 100 mm. */
const level = fieldScale('waterLevel', { tank: { empty: 400, full: 100 } });
const band = { low: 5.5, high: 6.5 };

it('forecasts when a rising value leaves its range, but not for one outside already or without a range', () => {
  const [found] = outlooks([{ scale: ph, points: line(6.3, 0.2), newest: 6.3, band }], NOW);
  expect(found).toMatchObject({ field: 'ph', what: 'leaves' });
  expect(found!.perDay).toBeCloseTo(0.2, 6);
  expect(found!.left.from).toBeLessThan(1);
  expect(found!.left.to).toBeGreaterThan(1);
  expect(outlooks([{ scale: ph, points: line(6.7, 0.2), newest: 6.7, band }], NOW)).toEqual([]);
  expect(outlooks([{ scale: ph, points: line(6.3, 0.2), newest: 6.3, band: null }], NOW)).toEqual([]);
  // Far from the bound that it moves to.
  expect(outlooks([{ scale: ph, points: line(5.6, 0.1), newest: 5.6, band }], NOW)).toEqual([]);
});

it('makes no forecast for a value that is dosed back before it leaves its range', () => {
  // It rises by 1 a day; dosing lowers it by half of that twice a day.
  const points = Array.from({ length: 144 }, (_, index) => ({
    at: NOW - (143 - index) * (HOUR / 2),
    value: 5.7 + ((index % 24) * 0.5) / 24,
  }));
  expect(outlooks([{ scale: ph, points, newest: points.at(-1)!.value, band }], NOW)).toEqual([]);
});

it('forecasts when a tank is empty, though the sent distance grows', () => {
  const [found] = outlooks([{ scale: level, points: line(250, 30), newest: 250, band: null }], NOW);
  // It is half full and loses a tenth of the tank each day.
  expect(found).toMatchObject({ field: 'waterLevel', what: 'empty' });
  expect(found!.perDay).toBeCloseTo(-10, 3);
  expect(found!.left.from).toBeLessThan(5);
  expect(found!.left.to).toBeGreaterThan(5);
  expect(outlooks([{ scale: level, points: line(250, -30), newest: 250, band: null }], NOW)).toEqual([]);
});

it('lists the nearest first, and nothing from too few or too old readings', () => {
  const both = [
    { scale: level, points: line(250, 30), newest: 250, band: null },
    { scale: ph, points: line(6.3, 0.2), newest: 6.3, band },
  ];
  expect(outlooks(both, NOW).map(({ field }) => field)).toEqual(['ph', 'waterLevel']);
  expect(outlooks([{ ...both[1]!, points: line(6.3, 0.2).slice(-20) }], NOW)).toEqual([]);
  expect(outlooks(both, NOW + 5 * HOUR)).toEqual([]);
});
