import { expect, it } from 'vitest';
import { foldsAfter, parseFolds } from './use-groups.ts';

const group = (id: string, isCollapsed: boolean) => ({ id, name: id, isCollapsed, devices: [] });

it('a viewer collapses groups only for themselves', () => {
  const groups = [group('a', true), group('b', false)];
  const unfolded = foldsAfter({ gone: true }, groups, 'a');
  expect(unfolded).toEqual({ a: false });
  expect(foldsAfter(unfolded, groups, 'b')).toEqual({ a: false, b: true });
  expect(foldsAfter(unfolded, groups, 'a')).toEqual({ a: true });
});

it.each([
  [null, {}],
  ['{', {}],
  ['null', {}],
  ['{"a":true,"b":"no"}', { a: true }],
])('reads the valid part of %s', (kept, folds) => {
  expect(parseFolds(kept)).toEqual(folds);
});
