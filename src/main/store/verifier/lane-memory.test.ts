import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LaneMemory, MAX_CHECKING_THREADS } from './lane-memory.ts';
import { LARGEST_BLOCK } from './packed-blocks.ts';

const BYTES = Uint8Array.of(1, 2, 3);

/** Fills a lane; `oldest` is the first ticket that is still needed. Returns the number of added chunks. */
function fill(lane: LaneMemory, oldest: number): number {
  let chunks = 0;
  for (; lane.hasRoom(oldest); chunks += 1) lane.put(BYTES, 1, false);
  return chunks;
}

/** Returns a lane that has already carried a number of chunks. */
function usedLane(chunks: number): LaneMemory {
  const lane = new LaneMemory();
  const words = new Int32Array(lane.shared);
  words[0] = chunks;
  words[1] = chunks;
  return lane;
}

it('gives a chunk to only one thread, the oldest first', () => {
  const lane = new LaneMemory();
  for (let chunk = 0; chunk < 3; chunk += 1) lane.put(Uint8Array.of(chunk), chunk, false);
  const other = new LaneMemory(lane.shared);
  expect([lane.claim(0), other.claim(1), lane.claim(0), other.claim(1)]).toEqual([0, 1, 2, null]);
  expect(lane.chunk(1)).toMatchObject({ count: 1 });
  expect(other.chunk(2).blocks.bytes[0]).toBe(2);
});

it('removes chunks in the order of insertion, in any order of checks', () => {
  const lane = new LaneMemory();
  for (let chunk = 0; chunk < 3; chunk += 1) lane.put(BYTES, 1, false);
  for (let thread = 0; thread < 3; thread += 1) lane.claim(thread);
  lane.markChecked(1);
  expect(lane.isChecked(lane.done)).toBe(false);
  lane.markChecked(0);
  expect([lane.isChecked(0), lane.isChecked(1), lane.isChecked(2)]).toEqual([true, true, false]);
  lane.finish(2);
  expect([lane.done, lane.isChecked(lane.done)]).toEqual([2, false]);
});

it('a chunk with nothing to check goes directly to the store', () => {
  const lane = new LaneMemory();
  lane.put(BYTES, 1, true);
  expect([lane.isChecked(0), lane.claim(0)]).toEqual([true, null]);
});

it('keeps chunks until the main thread releases them', () => {
  const lane = new LaneMemory();
  const room = fill(lane, 0);
  expect(room).toBeGreaterThan(30);
  expect(fill(lane, 0)).toBe(0);
  expect(fill(lane, 5)).toBe(5);
  expect(fill(lane, 5)).toBe(0);
  // No chunk that is still needed was overwritten.
  const kept = new LaneMemory();
  for (let chunk = 0; kept.hasRoom(0); chunk += 1) kept.put(Uint8Array.of(chunk), chunk, false);
  expect([kept.chunk(0).count, kept.chunk(0).blocks.bytes[0], kept.chunk(1).count]).toEqual([0, 0, 1]);
});

it('has room for 64 chunks of 16 KiB, which do not overlap', () => {
  const lane = new LaneMemory();
  const chunk = (value: number) => new Uint8Array(16 * 1024).fill(value);
  expect(chunk(0).length).toBeGreaterThan(LARGEST_BLOCK);
  for (let value = 0; value < 64; value += 1) {
    expect([lane.hasRoom(0), lane.filled]).toEqual([true, value]);
    lane.put(chunk(value), value + 100, false);
  }
  expect([lane.hasRoom(0), lane.hasRoom(1), lane.filled]).toEqual([false, true, 64]);
  for (let ticket = 0; ticket < 64; ticket += 1) {
    const { blocks, count } = lane.chunk(ticket);
    expect([blocks.bytes[0], blocks.bytes.at(-1), blocks.bytes.length, count]).toEqual([
      ...[ticket, ticket, 16 * 1024, ticket + 100],
    ]);
  }
});

it('tells when a chunk was put in', () => {
  const lane = new LaneMemory();
  const before = performance.now();
  for (let chunk = 0; chunk < 2; chunk += 1) lane.put(BYTES, 1, false);
  const after = performance.now();
  for (const ticket of [0, 1]) {
    expect(lane.since(ticket)).toBeGreaterThan(before - 0.1);
    expect(lane.since(ticket)).toBeLessThan(after + 0.1);
  }
  expect(lane.since(1)).toBeGreaterThanOrEqual(lane.since(0));
});

it('distinguishes as many threads as its states have room for', () => {
  const lane = new LaneMemory();
  expect(MAX_CHECKING_THREADS).toBe(6);
  for (let thread = 0; thread < MAX_CHECKING_THREADS; thread += 1) {
    lane.put(BYTES, 1, false);
    expect(lane.claim(thread)).toBe(thread);
  }
  for (let thread = 0; thread < MAX_CHECKING_THREADS; thread += 1) {
    expect(lane.claimedBy(thread)).toEqual([{ ticket: thread, tries: 1 }]);
  }
});

it('counts the tries of a new chunk from the start', () => {
  const lane = new LaneMemory();
  lane.put(BYTES, 1, false);
  lane.claim(0);
  lane.claimedBy(0);
  lane.finish(1);
  for (let chunk = 1; chunk <= 64; chunk += 1) lane.put(BYTES, 1, chunk < 64);
  expect(lane.claim(0)).toBe(64);
  expect(lane.claimedBy(0)).toEqual([{ ticket: 64, tries: 1 }]);
});

it('gives no chunk of before, and none twice', () => {
  const lane = new LaneMemory();
  expect([lane.claim(0), lane.isChecked(0), lane.done, lane.filled]).toEqual([null, false, 0, 0]);
  lane.put(BYTES, 1, false);
  lane.put(BYTES, 1, false);
  lane.finish(1);
  expect([lane.claim(0), lane.claim(0)]).toEqual([1, null]);
  lane.retry(1);
  expect([lane.isChecked(1), lane.claim(1), lane.claimedBy(0)]).toEqual([false, 1, []]);
});

it('continues when its count wraps around', () => {
  // Twice: at the wrap of the count of chunks, and at the wrap of their states.
  for (const start of [2 ** 31 - 3, 2 ** 29 - 3]) {
    const lane = usedLane(start | 0);
    for (let chunk = 0; chunk < 6; chunk += 1) lane.put(Uint8Array.of(chunk), 1, false);
    const seen: number[] = [];
    for (let ticket = lane.claim(0); ticket !== null; ticket = lane.claim(0)) {
      lane.markChecked(ticket);
      seen.push(lane.chunk(ticket).blocks.bytes[0]!);
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
    let { done } = lane;
    for (; lane.isChecked(done); done = (done + 1) | 0) lane.finish(done);
    expect(done).toBe((start + 6) | 0);
    expect(lane.hasRoom(done)).toBe(true);
    for (let chunk = 0; chunk < 64; chunk += 1) lane.put(BYTES, 1, true);
    expect([lane.hasRoom(done), lane.hasRoom((done + 1) | 0)]).toEqual([false, true]);
  }
});

it('names the chunks of a thread, and the number of threads that died on each', () => {
  const lane = new LaneMemory();
  for (let chunk = 0; chunk < 4; chunk += 1) lane.put(BYTES, 1, false);
  lane.claim(0);
  lane.claim(1);
  lane.markChecked(0);
  expect([lane.claimedBy(0), lane.claimedBy(2)]).toEqual([[], []]);
  expect(lane.claimedBy(1)).toEqual([{ ticket: 1, tries: 1 }]);
  lane.retry(1);
  expect(lane.claim(2)).toBe(1);
  expect(lane.claimedBy(2)).toEqual([{ ticket: 1, tries: 2 }]);
});

it('in any order of work each chunk goes to one thread once, and to the store in order', () => {
  const step = fc.constantFrom('put', 'putChecked', 'claim', 'check', 'finish', 'forget');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), fc.integer(), (steps, start) => {
      const lane = usedLane(start);
      const inHand: number[] = [];
      const put: number[] = [];
      const claimed: number[] = [];
      let [oldest, value] = [start | 0, 0];
      for (const next of steps) {
        if (next.startsWith('put') && lane.hasRoom(oldest)) {
          value += 1;
          lane.put(Uint8Array.of(value & 0xff), 1, next === 'putChecked');
          put.push(value & 0xff);
        } else if (next === 'claim') {
          const ticket = lane.claim(inHand.length % 4);
          if (ticket !== null) {
            inHand.push(ticket);
            claimed.push(ticket);
          }
        } else if (next === 'check' && inHand.length > 0) lane.markChecked(inHand.pop()!);
        else if (next === 'finish' && lane.isChecked(lane.done)) lane.finish((lane.done + 1) | 0);
        else if (next === 'forget') {
          for (; oldest !== lane.done; oldest = (oldest + 1) | 0) {
            expect(lane.chunk(oldest).blocks.bytes[0]).toBe(put.shift());
          }
        }
      }
      expect(new Set(claimed).size).toBe(claimed.length);
    }),
  );
});
