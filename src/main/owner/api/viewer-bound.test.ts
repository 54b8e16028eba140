import { expect, it } from 'vitest';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import { MAX_OF_VIEWER_A_DAY, ViewerBound } from './viewer-bound.ts';

const START = 1_000_000;
const DAY_MS = 86_400_000;
const tooMany = expect.objectContaining({
  ...{ name: 'OwnerError', code: 'too_many', message: 'a viewer adds at most 200 within 24 hours' },
});
const viewer = (id: string) => ({ role: 'viewer' as const, pairing: { id, name: id } });
const [ana, ben] = [viewer('a'), viewer('b')];

function bounded() {
  const clock = new FakeClock(START);
  const bound = new ViewerBound(clock);
  const add = (who: Parameters<typeof bound.take>[0], times: number) => {
    for (let count = 0; count < times; count += 1) bound.take(who);
  };
  return { clock, bound, add };
}

it('bounds what each viewer adds within 24 hours, and never an owner', () => {
  const { clock, bound, add } = bounded();
  add(ana, MAX_OF_VIEWER_A_DAY);
  expect(() => bound.take(ana)).toThrow(tooMany);
  add(ben, MAX_OF_VIEWER_A_DAY);
  expect(() => bound.take(ben)).toThrow(tooMany);
  add({ ...ana, role: 'owner' }, MAX_OF_VIEWER_A_DAY + 1);
  add({ ...ana, pairing: null }, MAX_OF_VIEWER_A_DAY + 1);
  clock.set(START + DAY_MS - 1);
  expect(() => bound.take(ana)).toThrow(tooMany);
  clock.set(START + DAY_MS);
  add(ana, MAX_OF_VIEWER_A_DAY);
  expect(() => bound.take(ana)).toThrow(tooMany);
});

it('lets a viewer add again as each addition becomes a day old, and counts no refused one', () => {
  const { clock, bound, add } = bounded();
  add(ana, 1);
  clock.set(START + 1);
  add(ana, MAX_OF_VIEWER_A_DAY - 1);
  for (let times = 0; times < 3; times += 1) expect(() => bound.take(ana)).toThrow(tooMany);
  clock.set(START + DAY_MS);
  add(ana, 1);
  expect(() => bound.take(ana)).toThrow(tooMany);
  clock.set(START + DAY_MS + 1);
  add(ana, MAX_OF_VIEWER_A_DAY - 1);
  expect(() => bound.take(ana)).toThrow(tooMany);
});

it('counts later additions as present ones if the clock was set back', () => {
  const { clock, bound, add } = bounded();
  add(ana, MAX_OF_VIEWER_A_DAY);
  clock.set(START - 1000 * DAY_MS);
  expect(() => bound.take(ana)).toThrow(tooMany);
});
