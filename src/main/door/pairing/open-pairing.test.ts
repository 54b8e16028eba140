import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import { MAX_WRONG_TRIES, OpenPairing } from './open-pairing.ts';

const OFFER = { name: 'Phone', role: 'viewer', devices: null, mayUnlock: false, mayLog: false } as const;

let changes: number;
let pairing: OpenPairing;
const changed = (): void => {
  changes += 1;
};
beforeEach(() => {
  changes = 0;
  pairing = new OpenPairing(new FakeClock(0), changed);
});
afterEach(() => pairing.close());

/** Returns another code of the same length. */
const wrong = (code: string) => (code.startsWith('A') ? 'C' : 'A') + code.slice(1);

it('a code pairs once', () => {
  const code = pairing.open(OFFER, null);
  expect(pairing.redeem(wrong(code))).toBeNull();
  expect(pairing.state).toMatchObject({ offered: OFFER, wrongTries: 1 });
  expect(pairing.redeem(code.toLowerCase())).toEqual(OFFER);
  expect([pairing.redeem(code), pairing.state, pairing.wasGuessed]).toEqual([null, null, false]);
});

it('a hundred wrong tries close a code, which is reported until the next code', () => {
  const code = pairing.open(OFFER, null);
  for (let tries = 1; tries < MAX_WRONG_TRIES; tries += 1) pairing.redeem(wrong(code));
  expect(pairing.state).toMatchObject({ wrongTries: MAX_WRONG_TRIES - 1 });
  expect(pairing.wasGuessed).toBe(false);
  pairing.redeem(wrong(code));
  expect([pairing.state, pairing.wasGuessed]).toEqual([null, true]);
  expect(pairing.redeem(code)).toBeNull();
  // One change for the code, and one per try.
  expect(changes).toBe(1 + MAX_WRONG_TRIES);
  pairing.open(OFFER, null);
  expect([pairing.state?.wrongTries, pairing.wasGuessed]).toEqual([0, false]);
});

it('a new code stays open for its own ten minutes, not for those of the code before', () => {
  vi.useFakeTimers();
  try {
    pairing.open(OFFER, null);
    vi.advanceTimersByTime(6 * 60_000);
    const code = pairing.open(OFFER, null);
    vi.advanceTimersByTime(6 * 60_000);
    expect(pairing.codeFor(null)).toBe(code);
    vi.advanceTimersByTime(4 * 60_000);
    expect(pairing.codeFor(null)).toBe(null);
  } finally {
    vi.useRealTimers();
  }
});

it('shows a code only to the machine itself and to the pairing that made it', () => {
  const ofMachine = pairing.open(OFFER, null);
  expect([pairing.codeFor(null), pairing.codeFor('one')]).toEqual([ofMachine, null]);
  const ofOne = pairing.open(OFFER, 'one');
  expect([pairing.codeFor(null), pairing.codeFor('one'), pairing.codeFor('two')]).toEqual([ofOne, ofOne, null]);
  pairing.closeOf('two');
  expect(pairing.codeFor('one')).toBe(ofOne);
  pairing.closeOf('one');
  expect(pairing.state).toBeNull();
});
