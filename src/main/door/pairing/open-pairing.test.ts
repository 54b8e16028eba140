import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import { MAX_WRONG_TRIES, OpenPairing } from './open-pairing.ts';

const OFFER = { name: 'Phone', role: 'viewer', devices: null, mayUnlock: false, mayLog: false } as const;

const CODE_MS = 10 * 60_000;

let changes: number;
let clock: FakeClock;
let pairing: OpenPairing;
const changed = (): void => {
  changes += 1;
};
beforeEach(() => {
  changes = 0;
  clock = new FakeClock(0);
  pairing = new OpenPairing(clock, changed);
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
  expect(MAX_WRONG_TRIES).toBe(100);
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

it('a code is open for ten minutes of the steady clock, and its owner knows how long', async () => {
  const pass = (ms: number) => clock.pass(ms, async () => {});
  await pass(1000);
  const code = pairing.open(OFFER, null);
  expect(pairing.state?.leftMs).toBe(CODE_MS);
  await pass(CODE_MS - 1.5);
  expect(pairing.state?.leftMs).toBe(2);
  expect(pairing.codeFor(null)).toBe(code);
  await pass(1.5);
  expect([pairing.state, pairing.codeFor(null), pairing.redeem(code)]).toEqual([null, null, null]);
});

it('a code has eight characters, and no two codes are the same', () => {
  const codes = Array.from({ length: 50 }, () => pairing.open(OFFER, null));
  for (const code of codes) expect(code).toMatch(/^[0-9A-Z]{8}$/);
  expect(new Set(codes).size).toBe(50);
});

it('without an open code, nothing is guessed, closed or changed', () => {
  expect([pairing.wasGuessed, pairing.state, pairing.codeFor(null)]).toEqual([false, null, null]);
  pairing.close();
  pairing.closeOf('one');
  expect([pairing.redeem(''), pairing.redeem('ABCDEFGH'), changes]).toEqual([null, null, 0]);
});

it('a code that is closed, used or replaced leaves no timer', () => {
  vi.useFakeTimers();
  try {
    pairing.open(OFFER, null);
    const code = pairing.open(OFFER, null);
    expect(vi.getTimerCount()).toBe(1);
    pairing.redeem(code);
    expect(vi.getTimerCount()).toBe(0);
    pairing.open(OFFER, null);
    pairing.close();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
