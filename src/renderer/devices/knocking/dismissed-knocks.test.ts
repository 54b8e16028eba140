import { describe, expect, it } from 'vitest';
import type { UnregisteredDevice } from '../../../shared/owner-api/overview.ts';
import { notDismissed, parseDismissed } from './dismissed-knocks.ts';

const knock = (id: string, lastAt: number): UnregisteredDevice => {
  return { id, stores: ['private'], isOurs: true, attempts: 1, firstAt: 0, lastAt, lastError: '' };
};

describe('dismissed knocks', () => {
  it('stay away until the device knocks again', () => {
    const dismissed = { a: 100 };
    const ids = (...all: UnregisteredDevice[]) => notDismissed(all, dismissed).map(({ id }) => id);
    expect(ids(knock('a', 100), knock('b', 50))).toEqual(['b']);
    expect(ids(knock('a', 101), knock('b', 50))).toEqual(['a', 'b']);
  });

  it('of foreign devices are forgotten', () => {
    for (const text of [null, 'not json', '[]', '5', '{"a":"x"}']) expect(parseDismissed(text)).toEqual({});
    expect(parseDismissed('{"a":5}')).toEqual({ a: 5 });
  });
});
