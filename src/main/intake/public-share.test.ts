import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoreRefusal } from '../common/node-events.ts';
import { PublicShare } from './public-share.ts';

const REFUSAL = { code: 'limit', message: "the rest of the store is kept for the owner's devices" };

let bytes: () => Promise<number>;
let looks: number;
let refusals: number;
let states: (StoreRefusal | null)[];
let share: PublicShare;

function newShare(maxBytes: number, keptPart?: number): PublicShare {
  return new PublicShare({
    bytes: () => {
      looks += 1;
      return bytes();
    },
    ...{ maxBytes, ...(keptPart !== undefined && { keptPart }), now: () => 5 },
    onRefused: () => {
      refusals += 1;
    },
    onState: (refusal) => states.push(refusal),
  });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  looks = 0;
  refusals = 0;
  states = [];
  share = newShare(1000);
});
afterEach(() => void vi.useRealTimers());

/** Checks a store of this size. */
async function lookAt(size: number) {
  bytes = async () => size;
  await share.look();
}

it('reserves a fifth of the store for the devices that the owner claimed', async () => {
  share.claim(['mine']);
  await lookAt(799);
  expect([share.isOver('mine'), share.isOver('stranger'), share.refusal]).toEqual([false, false, null]);
  await lookAt(800);
  expect([share.isOver('mine'), share.isOver('stranger'), share.refusal]).toEqual([false, true, REFUSAL]);
});

it.each([
  [1009, undefined, 807],
  [1000, 0.5, 500],
  [1000, 0, 1000],
])('of %d bytes with the part %s, strangers have %d', async (maxBytes, keptPart, most) => {
  share = newShare(maxBytes, keptPart);
  await lookAt(most - 1);
  expect(share.isOver('stranger')).toBe(false);
  await lookAt(most);
  expect(share.isOver('stranger')).toBe(true);
});

it('uses the latest claims, and none at first', async () => {
  await lookAt(1000);
  expect(share.isOver('mine')).toBe(true);
  share.claim(['mine']);
  expect(share.isOver('mine')).toBe(false);
  share.claim([]);
  expect(share.isOver('mine')).toBe(true);
});

it('reports once that strangers are refused, and once that they are accepted again', async () => {
  await lookAt(100);
  await lookAt(900);
  await lookAt(900);
  await lookAt(100);
  expect(states).toEqual([REFUSAL, null]);
});

it('lists the devices that were refused', () => {
  for (const id of ['a', 'b', 'a']) share.note(id);
  expect(share.refused).toEqual([
    { id: 'b', since: 5, lastAt: 5, refused: 1 },
    { id: 'a', since: 5, lastAt: 5, refused: 2 },
  ]);
  expect(refusals).toBe(2);
});

describe('a look at the size of the store', () => {
  it('follows the first reading, and others that come 20 ms after the last look', async () => {
    bytes = async () => 0;
    share.stored();
    // A look that has not ended is enough.
    share.registered();
    await Promise.resolve();
    expect(looks).toBe(1);
    vi.advanceTimersByTime(19);
    share.stored();
    expect(looks).toBe(1);
    vi.advanceTimersByTime(1);
    share.stored();
    expect(looks).toBe(2);
  });

  it('follows each registration', async () => {
    await lookAt(0);
    share.registered();
    expect(looks).toBe(2);
  });

  it('follows a question about a device only while strangers are refused', async () => {
    await lookAt(799);
    vi.advanceTimersByTime(20);
    expect(share.isOver('mine')).toBe(false);
    expect(looks).toBe(1);
    share.claim(['mine']);
    await lookAt(800);
    bytes = async () => 100;
    vi.advanceTimersByTime(19);
    expect(share.isOver('mine')).toBe(false);
    expect(looks).toBe(2);
    vi.advanceTimersByTime(1);
    expect([share.isOver('stranger'), looks]).toEqual([true, 3]);
    await Promise.resolve();
    expect([share.isOver('stranger'), states]).toEqual([false, [REFUSAL, null]]);
  });

  it('that fails changes nothing, and the next one counts', async () => {
    await lookAt(800);
    bytes = async () => {
      throw new Error('locked');
    };
    await share.look();
    expect([share.refusal, states]).toEqual([REFUSAL, [REFUSAL]]);
    await lookAt(100);
    expect([share.refusal, states]).toEqual([null, [REFUSAL, null]]);
  });
});
