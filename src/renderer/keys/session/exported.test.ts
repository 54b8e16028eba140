import { expect, it } from 'vitest';
import { onlyHere } from './exported.ts';

it('counts a verified backup with the keystore as a copy of its contents, like an export', () => {
  const view = { notBackedUp: { secrets: [10, 30], fieldKeys: [20] } };
  const only = (exportedAt: number | null, backedUpAt: number | null) =>
    onlyHere(view, { exportedAt, isLacking: true }, { at: backedUpAt, isCurrent: false });
  expect(only(null, null)).toEqual({ secrets: 2, fieldKeys: 1 });
  expect(only(null, 25)).toEqual({ secrets: 1, fieldKeys: 0 });
  expect(only(15, null)).toEqual({ secrets: 1, fieldKeys: 1 });
  expect(only(15, 30)).toEqual({ secrets: 0, fieldKeys: 0 });
  expect(onlyHere(view, undefined, undefined)).toEqual({ secrets: 2, fieldKeys: 1 });
});
