import { expect, it } from 'vitest';
import { boundsNear } from './allowed-bands.ts';

it('extends the axis for near bounds, but not for ones that would flatten the line', () => {
  expect(boundsNear([{ low: 5.5, high: 6.5 }], 5.9, 6.4)).toEqual([5.5, 6.5]);
  expect(boundsNear([{ low: 5.5, high: 9 }], 5.9, 6.4)).toEqual([5.5]);
  expect(boundsNear([{ low: 1, high: 6.5 }], 5.9, 6.4)).toEqual([6.5]);
  expect(boundsNear([{ low: null, high: 6.5 }], 6.2, 6.2)).toEqual([6.5]);
  expect(boundsNear([], 1, 2)).toEqual([]);
});
