import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changedJson } from './changes.ts';

it('a case depends on its seed alone, not on the cases before', () => {
  const texts = () => fc.sample(changedJson(['{"a":[1],"b":{}}']), { seed: 7, numRuns: 3000 });
  expect(texts()).toEqual(texts());
});
