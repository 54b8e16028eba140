import { expect, it } from 'vitest';
import { foldsAfter, parseFolds } from './use-groups.ts';

const group = (id: string, isCollapsed: boolean) => ({ id, name: id, isCollapsed, devices: [] });

it('a viewer folds groups for themselves, and the others stay as the owner has them', () => {
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
])('makes of %s what can be made of it', (kept, folds) => {
  expect(parseFolds(kept)).toEqual(folds);
});
