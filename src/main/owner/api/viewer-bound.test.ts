import { expect, it } from 'vitest';
import { MAX_OF_VIEWER_A_DAY, ViewerBound } from './viewer-bound.ts';

it('bounds what each viewer adds within 24 hours, and never an owner', () => {
  let now = 1_000_000;
  const bound = new ViewerBound({ now: () => now });
  const [ana, ben] = ['a', 'b'].map((id) => ({ role: 'viewer' as const, pairing: { id, name: id } }));
  const add = (who: typeof ana, times: number) => {
    for (let count = 0; count < times; count += 1) bound.take(who!);
  };
  add(ana, MAX_OF_VIEWER_A_DAY);
  expect(() => bound.take(ana!)).toThrow('at most 200 within 24 hours');
  add(ben, 1);
  for (let count = 0; count <= MAX_OF_VIEWER_A_DAY; count += 1)
    bound.take({ role: 'owner', pairing: { id: 'a', name: 'a' } });
  now += 86_399_999;
  expect(() => bound.take(ana!)).toThrow();
  now += 1;
  add(ana, MAX_OF_VIEWER_A_DAY);
});
