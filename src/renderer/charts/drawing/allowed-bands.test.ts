import { expect, it } from 'vitest';
import { boundsNear } from './allowed-bands.ts';

it('makes room for bounds that are near, and for none that would press the line flat', () => {
  expect(boundsNear([{ low: 5.5, high: 6.5 }], 5.9, 6.4)).toEqual([5.5, 6.5]);
  expect(boundsNear([{ low: 5.5, high: 9 }], 5.9, 6.4)).toEqual([5.5]);
  expect(boundsNear([{ low: 1, high: 6.5 }], 5.9, 6.4)).toEqual([6.5]);
  expect(boundsNear([{ low: null, high: 6.5 }], 6.2, 6.2)).toEqual([6.5]);
  expect(boundsNear([], 1, 2)).toEqual([]);
});
