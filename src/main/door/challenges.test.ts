import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { type AuthChallenge, authText } from '../../shared/auth-challenge.ts';
import { publicKeyOf, sign } from '../../shared/crypto/ed25519.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import { Challenges } from './challenges.ts';

const NODE = 'ab'.repeat(32);
const SEED = new Uint8Array(32).fill(7);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const KEY = hex(publicKeyOf(SEED));

/** Makes a challenge and the owner's answer to it. */
function made() {
  const challenges = new Challenges(SYSTEM_CLOCK);
  const challenge = challenges.make(NODE, '10.0.0.1');
  return { challenges, challenge, signature: sign(authText(challenge), SEED) };
}

describe('the answer to a challenge', () => {
  it('is accepted once', () => {
    const { challenges, challenge, signature } = made();
    expect(challenges.isAnswered(challenge.challenge, KEY, hex(signature))).toBe(true);
    expect(challenges.isAnswered(challenge.challenge, KEY, hex(signature))).toBe(false);
  });

  it('is accepted for a minute of the steady clock', () => {
    let steady = 1000;
    const challenges = new Challenges({ ...SYSTEM_CLOCK, steady: () => steady });
    const answer = () => {
      const challenge = challenges.make(NODE, '10.0.0.1');
      return [challenge.challenge, KEY, hex(sign(authText(challenge), SEED))] as const;
    };
    const [inTime, late] = [answer(), answer()];
    steady += 59_999;
    expect(challenges.isAnswered(...inTime)).toBe(true);
    steady += 1;
    expect(challenges.isAnswered(...late)).toBe(false);
  });

  it.each([0, 31, 32, 63])('is refused if byte %i of the signature differs', (at) => {
    const { challenges, challenge, signature } = made();
    expect(challenges.isAnswered(challenge.challenge, KEY, hex(signature.with(at, signature[at]! ^ 1)))).toBe(false);
  });

  it('is refused for another node, purpose or time, and with other lengths', () => {
    for (const change of [{ node: 'cd'.repeat(32) }, { purpose: 'gate' as 'door' }, { expiresAt: 1 }]) {
      const { challenges, challenge } = made();
      const signature = hex(sign(authText({ ...challenge, ...change }), SEED));
      expect(challenges.isAnswered(challenge.challenge, KEY, signature)).toBe(false);
    }
    const { challenges, challenge, signature } = made();
    expect(challenges.isAnswered(challenge.challenge, KEY.slice(2), hex(signature))).toBe(false);
    const other = made();
    expect(other.challenges.isAnswered(other.challenge.challenge, KEY, hex(other.signature.subarray(1)))).toBe(false);
  });

  it('is refused for a small-order key, with which one signature fits every challenge', () => {
    const { challenges, challenge } = made();
    const identity = hex(new Uint8Array(32).with(0, 1));
    const forged = hex(new Uint8Array(64).with(0, 1));
    expect(challenges.isAnswered(challenge.challenge, identity, forged)).toBe(false);
  });
});

describe('open challenges', () => {
  const BEGIN = Date.UTC(2026, 5, 1);
  let challenges: Challenges;
  beforeEach(() => {
    challenges = new Challenges(new FakeClock(BEGIN));
  });
  const from = (address: string, count: number) => Array.from({ length: count }, () => challenges.make(NODE, address));
  const isOpen = (challenge: AuthChallenge) =>
    challenges.isAnswered(challenge.challenge, KEY, hex(sign(authText(challenge), SEED)));

  it('have 32 random bytes, the node, their purpose and their end', () => {
    const [one, other] = from('10.0.0.1', 2);
    const challenge = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(one).toEqual({ challenge, node: NODE, purpose: 'door', expiresAt: BEGIN + 60_000 });
    expect(one!.challenge).not.toBe(other!.challenge);
  });

  it('are ten of an address, of which a further one replaces the oldest', () => {
    const [others] = from('10.0.0.2', 1);
    const [oldest, second] = from('10.0.0.1', 11);
    expect([oldest!, second!, others!].map(isOpen)).toEqual([false, true, true]);
    const [first] = from('10.0.0.3', 10);
    expect(isOpen(first!)).toBe(true);
  });

  it('are a thousand of all addresses, of which a further one replaces the oldest', () => {
    const all = Array.from({ length: 100 }, (_, index) => from(`10.0.1.${index}`, 10)).flat();
    const [oldest, second] = all;
    expect(isOpen(all[999]!)).toBe(true);
    from('10.0.0.1', 1);
    from('10.0.0.2', 1);
    expect([oldest!, second!].map(isOpen)).toEqual([false, true]);
  });
});
