import { expect, it } from 'vitest';
import { positionAfter } from './grid-position.ts';

const size = { rows: 500, columns: 10, page: 12 };
const from = { row: 5, column: 3 };

it('moves as the grid pattern says', () => {
  const after = (key: string, ctrl = false) => positionAfter(key, ctrl, from, size);
  expect(after('ArrowUp')).toEqual({ row: 4, column: 3 });
  expect(after('ArrowDown')).toEqual({ row: 6, column: 3 });
  expect(after('ArrowLeft')).toEqual({ row: 5, column: 2 });
  expect(after('ArrowRight')).toEqual({ row: 5, column: 4 });
  expect(after('PageDown')).toEqual({ row: 17, column: 3 });
  expect(after('PageUp')).toEqual({ row: 0, column: 3 });
  expect(after('Home')).toEqual({ row: 5, column: 0 });
  expect(after('End')).toEqual({ row: 5, column: 9 });
  expect(after('Home', true)).toEqual({ row: 0, column: 0 });
  expect(after('End', true)).toEqual({ row: 499, column: 9 });
  expect(after('a')).toBeUndefined();
});

it('stays inside the grid', () => {
  expect(positionAfter('ArrowUp', false, { row: 0, column: 0 }, size)).toEqual({ row: 0, column: 0 });
  expect(positionAfter('ArrowRight', false, { row: 499, column: 9 }, size)).toEqual({ row: 499, column: 9 });
});
