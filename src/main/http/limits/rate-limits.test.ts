import { beforeEach, describe, expect, it } from 'vitest';
import { RateLimits } from './rate-limits.ts';

const ADDRESS = '192.0.2.7';
const HOUR_MS = 3_600_000;

let now: number;
let limits: RateLimits;

beforeEach(() => {
  now = 1_000_000;
  limits = new RateLimits(100, { now: () => now });
});

const taken = (most: number, take: () => number) => {
  let count = 0;
  while (count < most && take() === 0) count += 1;
  return count;
};

describe('requests', () => {
  it('allows a burst of five seconds, then the rate', () => {
    expect(taken(10_000, () => limits.takeRequest(ADDRESS))).toBe(500);
    expect(limits.takeRequest(ADDRESS)).toBe(1);
    now += 1000;
    expect(taken(10_000, () => limits.takeRequest(ADDRESS))).toBe(100);
  });

  it('counts each address separately', () => {
    taken(10_000, () => limits.takeRequest(ADDRESS));
    expect(limits.takeRequest('192.0.2.8')).toBe(0);
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', 1],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', 0],
    ['192.0.2.7', '::ffff:192.0.2.7', 1],
  ])('counts %s and %s as one, or not', (one, other, wait) => {
    taken(10_000, () => limits.takeRequest(one));
    expect(limits.takeRequest(other)).toBe(wait);
  });

  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('never limits %s', (address) => {
    expect(taken(2000, () => limits.takeRequest(address))).toBe(2000);
  });

  it('counts a known address separately from others of its /64', () => {
    limits = new RateLimits(100, { now: () => now, known: { has: (address) => address === '2001:db8:1:2::7' } });
    taken(10_000, () => limits.takeRequest('2001:db8:1:2::1'));
    expect(limits.takeRequest('2001:db8:1:2::2')).toBe(1);
    expect(limits.takeRequest('2001:db8:1:2::7')).toBe(0);
  });

  it('is off at 0', () => {
    const off = new RateLimits(0, { now: () => now });
    expect(taken(2000, () => off.takeRequest(ADDRESS))).toBe(2000);
  });
});

describe('blocks', () => {
  it('allows ten times as many as requests', () => {
    expect(taken(1000, () => limits.takeBlocks(ADDRESS, 100))).toBe(50);
    expect(limits.takeBlocks(ADDRESS, 100)).toBe(1);
    now += 1000;
    expect(taken(1000, () => limits.takeBlocks(ADDRESS, 100))).toBe(10);
  });

  it('admits a batch larger than a burst from a full bucket', () => {
    const slow = new RateLimits(1, { now: () => now });
    expect(slow.takeBlocks(ADDRESS, 100)).toBe(0);
    expect(slow.takeBlocks(ADDRESS, 100)).toBe(10);
    now += 10_000;
    expect(slow.takeBlocks(ADDRESS, 100)).toBe(0);
  });
});

describe('registrations', () => {
  it('allows 60 new ones in any hour', () => {
    for (let registered = 0; registered < 60; registered += 1) {
      expect(limits.mayRegister(ADDRESS)).toBe(0);
      limits.countRegistration(ADDRESS);
    }
    expect(limits.mayRegister(ADDRESS)).toBe(3600);
    now += HOUR_MS / 2;
    expect(limits.mayRegister(ADDRESS)).toBe(1800);
    now += HOUR_MS / 2;
    expect(limits.mayRegister(ADDRESS)).toBe(0);
  });

  it('returns the smallest whole number of seconds after which the next one is allowed', () => {
    for (let registered = 0; registered < 60; registered += 1) limits.countRegistration(ADDRESS);
    now += 400;
    expect(limits.mayRegister(ADDRESS)).toBe(3600);
    now += HOUR_MS - 401;
    expect(limits.mayRegister(ADDRESS)).toBe(1);
    now += 1;
    expect(limits.mayRegister(ADDRESS)).toBe(0);
  });

  it('does not count one that was undone', () => {
    for (let attempt = 0; attempt < 100; attempt += 1) limits.countRegistration(ADDRESS)();
    expect(limits.mayRegister(ADDRESS)).toBe(0);
  });
});
