import { expect, it } from 'vitest';
import { cardLayout, valuesOf } from './card-layout.ts';

it('has as many cards beside each other as there is room for', () => {
  expect(cardLayout(20, 1320).columns).toBe(3);
  expect(cardLayout(20, 366)).toEqual({ columns: 1, isRoomy: false });
  expect(cardLayout(20, 100).columns).toBe(1);
});

it('gives few devices the whole width, and each of their values room', () => {
  expect(cardLayout(2, 1320)).toEqual({ columns: 2, isRoomy: true });
  expect(cardLayout(1, 1320)).toEqual({ columns: 1, isRoomy: true });
});

it('has the first of the owner’s order in large; a tank takes the place of one', () => {
  const fields = ['ph', 'ec', 'tempWater', 'humidity'] as const;
  expect(valuesOf(fields, false, false)).toEqual({ large: ['ph', 'ec', 'tempWater'], small: ['humidity'] });
  expect(valuesOf(fields, false, true)).toEqual({ large: ['ph', 'ec'], small: ['tempWater', 'humidity'] });
  expect(valuesOf(fields, true, true)).toEqual({ large: fields, small: [] });
});
