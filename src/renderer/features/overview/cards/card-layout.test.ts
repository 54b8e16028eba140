import { expect, it } from 'vitest';
import { cardLayout, valuesOf } from './card-layout.ts';

it('places as many cards in a row as fit', () => {
  expect(cardLayout(20, 1320).columns).toBe(3);
  expect(cardLayout(20, 366)).toEqual({ columns: 1, isRoomy: false });
  expect(cardLayout(20, 100).columns).toBe(1);
  expect(cardLayout(20, 1320, 2).columns).toBe(1);
  expect(cardLayout(20, 1396, 2).columns).toBe(2);
});

it('gives few devices the whole width, with space for each value', () => {
  expect(cardLayout(2, 1320)).toEqual({ columns: 2, isRoomy: true });
  expect(cardLayout(1, 1320)).toEqual({ columns: 1, isRoomy: true });
});

it('shows the owner’s first fields large; a tank replaces one', () => {
  const fields = ['ph', 'ec', 'tempWater', 'humidity'] as const;
  expect(valuesOf(fields, false, false)).toEqual({ large: ['ph', 'ec', 'tempWater'], small: ['humidity'] });
  expect(valuesOf(fields, false, true)).toEqual({ large: ['ph', 'ec'], small: ['tempWater', 'humidity'] });
  expect(valuesOf(fields, true, true)).toEqual({ large: fields, small: [] });
});
