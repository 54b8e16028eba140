import { getEventListeners } from 'node:events';
import { beforeEach, expect, it } from 'vitest';
import { AT } from '../../../../test/support/alert-notices.ts';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import { ShownNotices } from './shown-notices.ts';

let clock: FakeClock;
let notices: ShownNotices;
/** The notices that were handed to the views. */
let handed: string[];
let abort: AbortController;
beforeEach(() => {
  [clock, handed, abort] = [new FakeClock(AT), [], new AbortController()];
  notices = new ShownNotices(clock);
});

const turn = async () => {
  for (let count = 0; count < 5; count += 1) await Promise.resolve();
};
const pass = (ms: number) => clock.pass(ms, turn);
/** Hands a notice to the views. Returns the outcome, "waiting" at first. */
function hand(id: string): { outcome: boolean | 'waiting' } {
  const state: { outcome: boolean | 'waiting' } = { outcome: 'waiting' };
  void notices
    .hand(id, () => void handed.push(id), abort.signal)
    .then((isShown) => {
      state.outcome = isShown;
    });
  return state;
}

it('a notice is shown as soon as a view says so, and no timer is left', async () => {
  const notice = hand('a');
  expect(handed).toEqual(['a']);
  notices.answer('b', true);
  await turn();
  expect([notice.outcome, clock.timers]).toEqual(['waiting', 1]);
  notices.answer('a', true);
  await turn();
  expect([notice.outcome, clock.timers]).toEqual([true, 0]);
  notices.answer('a', false);
  expect(clock.timers).toBe(0);
});

it('a view may answer while it gets the notice', async () => {
  expect(await notices.hand('a', () => notices.answer('a', true), abort.signal)).toBe(true);
});

it('a notice without an answer is not shown after six seconds', async () => {
  const notice = hand('a');
  await pass(5999);
  expect(notice.outcome).toBe('waiting');
  await pass(1);
  expect([notice.outcome, clock.timers]).toEqual([false, 0]);
});

it('a notice that a view could not show has a second for the other views', async () => {
  const [one, other] = [hand('a'), hand('b')];
  notices.answer('a', false);
  notices.answer('b', false);
  await pass(999);
  expect([one.outcome, clock.timers]).toEqual(['waiting', 2]);
  notices.answer('b', true);
  await pass(1);
  expect([one.outcome, other.outcome]).toEqual([false, true]);
});

it('a notice is not shown if the node stops, and listens to that no longer afterwards', async () => {
  const [one, other] = [hand('a'), hand('b')];
  notices.answer('b', true);
  await turn();
  expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
  abort.abort();
  await turn();
  expect([one.outcome, other.outcome, clock.timers]).toEqual([false, true, 0]);
});

it('an answer counts for all channels that handed the notice over, until each has ended', async () => {
  const [one, other] = [hand('a'), hand('a')];
  expect(handed).toEqual(['a', 'a']);
  notices.answer('a', true);
  await turn();
  expect([one.outcome, other.outcome]).toEqual([true, true]);
  const again = hand('a');
  await pass(3000);
  const later = hand('a');
  await pass(3000);
  expect([again.outcome, later.outcome]).toEqual([false, 'waiting']);
  notices.answer('a', true);
  await turn();
  expect(later.outcome).toBe(true);
});
