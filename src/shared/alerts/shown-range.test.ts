import { expect, it } from 'vitest';
import { fieldScale } from '../measures/field-scale.ts';
import type { RangeRule } from './rule.ts';
import { bandOf, sentMargin, sentRange, shownMargin, shownRange, shownSide, sideOf } from './shown-range.ts';

const asSent = fieldScale('ph', undefined);
const fahrenheit = fieldScale('tempWater', undefined, { temperature: 'fahrenheit' });
const millisiemens = fieldScale('ec', { shown: 'millisiemens' });
/** A tank that is empty at 400 mm from the sensor and full at 100 mm. */
const level = fieldScale('waterLevel', { tank: { empty: 400, full: 100 } });

it('stores limits in the unit that the device sends, and shows them as typed', () => {
  expect(sentRange(asSent, { low: 5.5, high: 6.5 })).toEqual({ low: 5.5, high: 6.5 });
  expect(sentRange(millisiemens, { low: 1.2, high: null })).toEqual({ low: 600, high: null });
  const kept = sentRange(fahrenheit, { low: 65, high: 75.5 });
  expect(kept.low).toBeCloseTo(18.333, 3);
  expect(shownRange(fahrenheit, kept)).toEqual({ low: 65, high: 75.5 });
});

it('swaps the ends if a larger sent value is shown smaller', () => {
  const kept = sentRange(level, { low: 20, high: null });
  expect(kept).toEqual({ low: null, high: 340 });
  expect(shownRange(level, kept)).toEqual({ low: 20, high: null });
  expect(shownSide(level, 'high')).toBe('low');
  expect(shownSide(asSent, 'high')).toBe('high');
});

it('converts a margin as a difference', () => {
  expect(sentMargin(fahrenheit, 1.8)).toBe(1);
  expect(shownMargin(fahrenheit, 1)).toBe(1.8);
  expect(sentMargin(level, 5)).toBe(15);
  expect(shownMargin(level, 15)).toBe(5);
});

it('returns the side on which a value is outside; 5.5 as a 32-bit float is 5.5', () => {
  expect(sideOf({ low: 6.2, high: 6.3 }, Math.fround(6.2))).toBeNull();
  expect(sideOf({ low: 6.2, high: 6.3 }, 6.1)).toBe('low');
  expect(sideOf({ low: null, high: 6.3 }, 6.4)).toBe('high');
  expect(sideOf({ low: null, high: null }, 6.4)).toBeNull();
});

it('combines the ranges of a field to their intersection', () => {
  const rule = (low: number | null, high: number | null, field = 'ph') => ({ field, low, high }) as RangeRule;
  expect(bandOf('ph', [])).toBeNull();
  expect(bandOf('ph', [rule(5.5, 6.5), rule(null, 6.2), rule(1, 2, 'ec')])).toEqual({ low: 5.5, high: 6.2 });
  expect(bandOf('ph', [rule(7, null), rule(null, 6)])).toBeNull();
});
