import { expect, it } from 'vitest';
import { bandPlaces } from './band-places.ts';

it('has the band in the middle and the value at its place', () => {
  const { from, to, at } = bandPlaces(6, { low: 5.5, high: 6.5 });
  expect(from).toBeCloseTo(27.27, 1);
  expect(to).toBeCloseTo(72.73, 1);
  expect(at).toBeCloseTo(50, 6);
});

it('keeps a value far outside at the end of the bar', () => {
  expect(bandPlaces(99, { low: 5.5, high: 6.5 }).at).toBe(100);
  expect(bandPlaces(0, { low: 5.5, high: 6.5 }).at).toBe(0);
});

it('reaches the end of the bar on a side without a bound, with the value in view', () => {
  const { from, to, at } = bandPlaces(80, { low: 20, high: null });
  expect(to).toBe(100);
  expect(at).toBeGreaterThan(from);
  expect(at).toBeLessThan(100);
  expect(bandPlaces(4, { low: null, high: 5 })).toMatchObject({ from: 0 });
});
