import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { blocks, PlayedLane } from '../../../../../test/support/played-lane.ts';
import { StorageUnavailable } from '../../storage-unavailable.ts';
import { Fate } from '../../verifier/packed-blocks.ts';

/** The chunks that fit into a lane. */
const ROOM = 64;
const LOST = { kind: 'refused', error: new StorageUnavailable('unreachable', 'the store’s thread stopped') };

let played: PlayedLane;
beforeEach(() => {
  played = new PlayedLane();
  // So that a chunk has only two blocks.
  played.idle = 1000;
});

/** Ingests blocks in chunks of two; the first has the number `from`. */
async function ingest(from: number, chunks: number) {
  const call = played.ingest(blocks(from, 2 * chunks));
  await nextTurn();
  return call;
}
const numbers = () => played.chunks.flat().map(([number]) => number);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
const stored = (from: number, to: number) => range(from, to).map((receivedAt) => ({ kind: 'stored', receivedAt }));

describe('a lane without room', () => {
  it('takes the blocks that wait when the first ones are finished, in their order', async () => {
    const first = await ingest(0, ROOM);
    expect(played.counts).toEqual(Array(ROOM).fill(2));
    const [second, third] = [await ingest(2 * ROOM, 2), await ingest(2 * ROOM + 4, 1)];
    expect([played.counts.length, played.woken.length]).toEqual([ROOM, ROOM]);
    expect(numbers()).toEqual(range(0, 2 * ROOM));
    played.finish(1);
    expect([played.counts.length, played.woken.length]).toEqual([ROOM, ROOM + 1]);
    expect(numbers()).toEqual(range(2, 2 * ROOM + 2));
    played.finish(ROOM - 1);
    await nextTurn();
    expect(first.outcomes).toEqual(stored(0, 2 * ROOM));
    expect(numbers()).toEqual(range(2 * ROOM, 2 * ROOM + 6));
    expect([second.outcomes, third.outcomes]).toEqual([null, null]);
    played.finish();
    await nextTurn();
    expect(second.outcomes).toEqual(stored(2 * ROOM, 2 * ROOM + 4));
    expect(third.outcomes).toEqual(stored(2 * ROOM + 4, 2 * ROOM + 6));
    expect([played.chunks, played.woken.length]).toEqual([[], ROOM + 3]);
  });

  it('goes on for many times its room', async () => {
    for (let round = 0; round < 5; round += 1) {
      const call = await ingest(100 * round, 40);
      played.finish();
      await nextTurn();
      expect(call.outcomes).toEqual(stored(100 * round, 100 * round + 80));
    }
  });

  it('takes blocks with known signatures to the store’s thread when there is room', async () => {
    await ingest(1000, 1);
    played.finish(1, () => Fate.DUPLICATE);
    await ingest(0, ROOM);
    await ingest(1000, 1);
    expect(played.bell.heard).toBe(0);
    played.finish(1);
    expect([played.bell.heard, played.checked.at(-1), numbers().slice(-2)]).toEqual([1, true, [1000, 1001]]);
  });
});

describe('a thread that died', () => {
  it('leaves every block without an outcome refused, also those that wait', async () => {
    const [finished, sent] = [await ingest(0, 1), await ingest(2, ROOM - 1)];
    const waiting = await ingest(500, 2);
    played.finish(1);
    played.listener!.onLost();
    await nextTurn();
    expect(finished.outcomes).toEqual(stored(0, 2));
    expect(sent.outcomes).toEqual(Array(2 * (ROOM - 1)).fill(LOST));
    expect(waiting.outcomes).toEqual(Array(4).fill(LOST));
  });

  it('answers no block twice, and the blocks after it as before', async () => {
    const before = await ingest(0, ROOM);
    const waiting = await ingest(500, 1);
    played.listener!.onLost();
    played.listener!.onLost();
    const { filled } = played.memory;
    // Those that waited are never put in.
    played.finish(ROOM);
    expect([played.memory.filled, played.chunks]).toEqual([filled, []]);
    const after = await ingest(700, 2);
    expect(numbers()).toEqual(range(700, 704));
    played.finish();
    await nextTurn();
    expect(after.outcomes).toEqual(stored(700, 704));
    expect(before.outcomes).toEqual(Array(2 * ROOM).fill(LOST));
    expect(waiting.outcomes).toEqual([LOST, LOST]);
  });
});
