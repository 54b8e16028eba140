import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { block, blocks, PlayedLane, BLOCK_READING as READING } from '../../../../../test/support/played-lane.ts';
import type { NewBlock } from '../../reading.ts';
import { StorageUnavailable } from '../../storage-unavailable.ts';
import { Fate, LARGEST_BLOCK, packedLength } from '../../verifier/packed-blocks.ts';
import type { Lane } from './lane.ts';

const CHUNK_BYTES = 16 * 1024;
const LOST = new StorageUnavailable('unreachable', 'the store’s thread stopped');

let played: PlayedLane;
let lane: Lane;
beforeEach(() => {
  played = new PlayedLane();
  lane = played.lane;
});

const ingest = (given: readonly NewBlock[]) => played.ingest(given);
const stored = (...numbers: number[]) => numbers.map((receivedAt) => ({ kind: 'stored', receivedAt }));

describe('blocks', () => {
  it('of no call need no thread', async () => {
    expect(await lane.ingest([])).toEqual([]);
    await nextTurn();
    expect([played.memory.filled, played.woken, played.bell.heard]).toEqual([0, [], 0]);
  });

  it('of one turn share a chunk, which a thread is woken for at its end', async () => {
    void lane.ingest([block(1), block(2, null, 'abcd')]);
    void lane.ingest([block(3)]);
    expect(played.memory.filled).toBe(0);
    await nextTurn();
    expect(played.chunks).toEqual([[1, 2, 3].map((number) => [number, Fate.UNCHECKED])]);
    expect([played.woken, played.checked, played.bell.heard]).toEqual([[1], [false], 0]);
    const chunk = played.memory.chunk(0).blocks;
    const second = chunk.endOf(0);
    const { keepsSigned: _, clock: __, ...reading } = READING;
    expect(chunk.readingOf(0)).toEqual({ ...reading, seq: 1n, timestamp: 2n });
    expect([chunk.hasReading(second), chunk.messageOf(second)]).toEqual([false, Buffer.from('abcd', 'hex')]);
    void lane.ingest([block(4)]);
    await nextTurn();
    expect([played.counts, played.woken]).toEqual([
      [3, 1],
      [1, 1],
    ]);
  });

  it.each([
    [23, [], [23]],
    [24, [24], [24]],
    [50, [24, 24], [24, 24, 2]],
  ])('of a turn are at most 24 in a chunk: %d', async (count, atOnce, atEnd) => {
    void lane.ingest(blocks(0, count));
    expect(played.counts).toEqual(atOnce);
    await nextTurn();
    expect(played.counts).toEqual(atEnd);
    expect(played.chunks.flat().map(([number]) => number)).toEqual(blocks(0, count).map((_, number) => number));
  });

  it.each([
    [0, []],
    [1, [16]],
  ])('leave room for the largest block in their chunk, and no more: %d bytes', (more, atOnce) => {
    const length = packedLength(block(0).check);
    const room = CHUNK_BYTES - LARGEST_BLOCK - 16 * length + more;
    const each = Math.floor(room / 16);
    const message = (at: number) => '00'.repeat(at === 0 ? room - 15 * each : each);
    void lane.ingest(Array.from({ length: 16 }, (_, at) => block(at, null, message(at))));
    expect(played.counts).toEqual(atOnce);
  });

  it.each([
    [0, 7, [7]],
    [1, 7, [7]],
    [2, 7, [4, 3]],
    [3, 7, [3, 3, 1]],
    [9, 5, [2, 2, 1]],
    [9, 1, [1]],
  ])('are shared by %d idle threads', async (idle, count, counts) => {
    played.idle = idle;
    const call = ingest(blocks(0, count));
    await nextTurn();
    expect([played.counts, played.woken]).toEqual([counts, counts.map(() => 1)]);
    played.finish();
    await nextTurn();
    expect(call.outcomes).toEqual(stored(...blocks(0, count).keys()));
  });
});

describe('the outcomes of a call', () => {
  it.each([
    [Fate.STORED, { kind: 'stored', receivedAt: 7 }],
    [Fate.DUPLICATE, { kind: 'duplicate' }],
    [Fate.UNKNOWN_DEVICE, { kind: 'unknown_device' }],
    [Fate.BAD_SIGNATURE, { kind: 'bad_signature' }],
    [Fate.GOOD, { kind: 'signed' }],
    [Fate.NOT_STORED, { kind: 'refused', error: new StorageUnavailable('full', 'no room') }],
    [Fate.FAILED, { kind: 'refused', error: new Error('a block could not be checked or stored') }],
    [Fate.UNCHECKED, { kind: 'refused', error: new Error('a block could not be checked or stored') }],
  ])('with the fate %d', async (fate, outcome) => {
    const call = ingest([block(7)]);
    await nextTurn();
    played.finish(1, () => fate, { code: 'full', message: 'no room' });
    await nextTurn();
    expect(call.outcomes).toEqual([outcome]);
  });

  it('say that the thread stopped, if nothing else is known', async () => {
    const call = ingest([block(7)]);
    await nextTurn();
    played.finish(1, () => Fate.NOT_STORED);
    await nextTurn();
    expect(call.outcomes).toEqual([{ kind: 'refused', error: LOST }]);
  });

  it('are told when all are known, in the order of its blocks', async () => {
    const [first, second, third] = [ingest(blocks(1, 20)), ingest(blocks(21, 20)), ingest(blocks(41, 1))];
    await nextTurn();
    expect(played.counts).toEqual([24, 17]);
    played.finish(1);
    await nextTurn();
    expect([first.outcomes, second.outcomes, third.outcomes]).toEqual([
      stored(...blocks(1, 20).map((_, at) => at + 1)),
      null,
      null,
    ]);
    played.finish(0);
    await nextTurn();
    expect(second.outcomes).toBeNull();
    played.finish(1);
    await nextTurn();
    expect(second.outcomes).toEqual(stored(...blocks(0, 20).map((_, at) => at + 21)));
    expect(third.outcomes).toEqual(stored(41));
  });
});

describe('a block that is sent again', () => {
  /** Sends blocks, and lets the store finish them. */
  async function sent(given: readonly NewBlock[], fate: Fate): Promise<void> {
    void lane.ingest(given);
    await nextTurn();
    played.finish(undefined, () => fate);
    played.woken.length = 0;
  }

  it('is not checked again if it was found to be stored before', async () => {
    await sent(blocks(1, 6), Fate.DUPLICATE);
    played.idle = 3;
    void lane.ingest(blocks(1, 6));
    await nextTurn();
    expect(played.chunks).toEqual([blocks(1, 6).map((_, at) => [at + 1, Fate.GOOD])]);
    // It goes directly to the store's thread, which is woken.
    expect([played.checked, played.woken, played.bell.heard]).toEqual([[true], [], 1]);
    // What follows is checked.
    played.idle = 1;
    void lane.ingest(blocks(11, 6));
    await nextTurn();
    expect([played.checked, played.woken, played.bell.heard]).toEqual([[true, false], [1], 1]);
    expect(played.chunks[1]).toEqual(blocks(11, 6).map((_, at) => [at + 11, Fate.UNCHECKED]));
  });

  it('is not checked again beside new ones, which are', async () => {
    await sent(blocks(1, 1), Fate.DUPLICATE);
    void lane.ingest(blocks(1, 2));
    await nextTurn();
    expect(played.chunks).toEqual([
      [
        [1, Fate.GOOD],
        [2, Fate.UNCHECKED],
      ],
    ]);
    expect([played.checked, played.woken, played.bell.heard]).toEqual([[false], [1], 0]);
  });

  it.each([Fate.STORED, Fate.GOOD, Fate.UNKNOWN_DEVICE, Fate.BAD_SIGNATURE, Fate.NOT_STORED])(
    'is checked again after the fate %d',
    async (fate) => {
      await sent(blocks(1, 1), fate);
      void lane.ingest(blocks(1, 1));
      await nextTurn();
      expect(played.chunks).toEqual([[[1, Fate.UNCHECKED]]]);
    },
  );

  it('is checked again if its message is another one', async () => {
    await sent(blocks(1, 1), Fate.DUPLICATE);
    void lane.ingest([block(1, READING, 'ab')]);
    await nextTurn();
    expect(played.chunks).toEqual([[[1, Fate.UNCHECKED]]]);
  });
});
