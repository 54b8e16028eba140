import { describe, expect, it } from 'vitest';
import { Bell } from './bell.ts';

/** Makes the calling thread wait several times, and returns how many of these waits are left. */
function waits(bell: Bell, count: number): () => number {
  const words = new Int32Array(bell.memory);
  for (let wait = 0; wait < count; wait += 1) {
    words[1]! += 1;
    void Atomics.waitAsync(words, 0, bell.heard);
  }
  return () => Atomics.notify(words, 0);
}

describe('a bell', () => {
  it('is heard by everyone who has its memory', () => {
    const bell = new Bell();
    const other = new Bell(bell.memory);
    expect([bell.heard, other.heard, bell.waiting]).toEqual([0, 0, 0]);
    bell.ring();
    other.ring(2);
    expect([bell.heard, other.heard, other.waiting]).toEqual([2, 2, 0]);
  });

  it.each([
    ['all', undefined, 0],
    ['one', 1, 2],
    ['two', 2, 1],
    ['all there are', 9, 0],
  ])('wakes %s of three threads', (_what, threads, left) => {
    const bell = new Bell();
    const leftOf = waits(bell, 3);
    expect(bell.waiting).toBe(3);
    bell.ring(threads);
    expect(leftOf()).toBe(left);
  });

  it('wakes nobody if it knows of no thread that waits, which is cheaper', () => {
    const bell = new Bell();
    const leftOf = waits(bell, 1);
    new Int32Array(bell.memory)[1] = 0;
    bell.ring();
    expect([bell.heard, leftOf()]).toEqual([1, 1]);
  });

  it('that has rung since lets nobody wait', () => {
    const bell = new Bell();
    const { heard } = bell;
    bell.ring();
    // Without a timeout: it would never end.
    bell.wait(heard);
    expect(bell.waiting).toBe(0);
  });

  it('lets a thread wait until its timeout', () => {
    const bell = new Bell();
    const began = performance.now();
    bell.wait(bell.heard, 5);
    expect(performance.now() - began).toBeGreaterThan(3);
    expect([bell.waiting, bell.heard]).toEqual([0, 0]);
  });
});
