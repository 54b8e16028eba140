import { expect } from 'vitest';
import type { StoreRefusal } from '../../src/main/common/node-events.ts';
import type { BlockOutcome, BlockReading, NewBlock } from '../../src/main/store/reading.ts';
import { Lane, type LaneListener, type LaneVerifiers } from '../../src/main/store/sqlite/write/lane.ts';
import { Bell } from '../../src/main/store/verifier/bell.ts';
import { LaneMemory } from '../../src/main/store/verifier/lane-memory.ts';
import { Fate } from '../../src/main/store/verifier/packed-blocks.ts';

/** A reading for blocks. */
export const BLOCK_READING: BlockReading = {
  ...{ seq: '1', timestamp: '2', receivedAt: 3, keyVersion: 4, clock: 5, keepsSigned: true },
  fields: { ph: 6, ec: null, waterLevel: null, tempWater: null, tempAmbient: null, humidity: null },
};

/** A lane whose threads are played by the test. */
export class PlayedLane {
  readonly memory = new LaneMemory();
  readonly bell = new Bell();
  readonly added: unknown[] = [];
  readonly woken: number[] = [];
  listener: LaneListener | null = null;
  idle = 1;
  /** The lane as its own threads see it. */
  readonly #lane = { memory: this.memory, bell: this.bell, listen: (listener: LaneListener) => this.#listen(listener) };
  readonly #verifiers: LaneVerifiers;
  readonly lane: Lane;

  constructor() {
    const idle = () => this.idle;
    this.#verifiers = {
      add: (lane) => this.added.push(lane),
      wake: (chunks) => this.woken.push(chunks),
      get idle() {
        return idle();
      },
    };
    this.lane = new Lane(this.#lane, this.#verifiers);
    expect(this.added).toEqual([this.#lane]);
    expect(this.listener).not.toBeNull();
  }

  /** Ingests blocks, and returns where their outcomes will be. */
  ingest(given: readonly NewBlock[]): { outcomes: readonly BlockOutcome[] | null } {
    const call: { outcomes: readonly BlockOutcome[] | null } = { outcomes: null };
    void this.lane.ingest(given).then((outcomes) => {
      call.outcomes = outcomes;
    });
    return call;
  }

  #listen(listener: LaneListener): void {
    expect(this.listener).toBeNull();
    this.listener = listener;
  }

  /** The chunks that are in the lane and unfinished: the number of each block, with its fate. */
  get chunks(): (readonly [number: number, fate: Fate])[][] {
    const chunks: (readonly [number, Fate])[][] = [];
    for (let ticket = this.memory.done; ticket !== this.memory.filled; ticket += 1) {
      const { blocks, count } = this.memory.chunk(ticket);
      const chunk: (readonly [number, Fate])[] = [];
      for (let index = 0, at = 0; index < count; index += 1, at = blocks.endOf(at)) {
        chunk.push([blocks.publicKeyOf(at).readUInt32BE(), blocks.fateOf(at)]);
      }
      chunks.push(chunk);
    }
    return chunks;
  }

  get counts(): number[] {
    return this.chunks.map(({ length }) => length);
  }

  /** Which of the chunks need no check of signatures. */
  get checked(): boolean[] {
    return this.chunks.map((_, index) => this.memory.isChecked(this.memory.done + index));
  }

  /** Finishes chunks as the store's thread does. The time of arrival of a stored block is its number. */
  finish(
    chunks = this.chunks.length,
    fateOf = (_number: number): Fate => Fate.STORED,
    refusal: StoreRefusal | null = null,
  ) {
    for (let left = chunks; left > 0; left -= 1) {
      const { blocks, count } = this.memory.chunk(this.memory.done);
      for (let index = 0, at = 0; index < count; index += 1, at = blocks.endOf(at)) {
        const number = blocks.publicKeyOf(at).readUInt32BE();
        blocks.setFate(at, fateOf(number));
        if (blocks.hasReading(at)) blocks.setReceivedAt(at, number);
      }
      this.memory.finish(this.memory.done + 1);
    }
    this.listener!.onDone(this.memory.done, refusal);
  }
}

/** Returns a block whose key begins with a number. */
export function block(number: number, reading: BlockReading | null = BLOCK_READING, message = ''): NewBlock {
  const publicKey = Buffer.alloc(32);
  publicKey.writeUInt32BE(number);
  return { check: { publicKey, signature: number.toString(16).padStart(128, 'a'), message }, reading };
}

/** Returns blocks whose keys begin with consecutive numbers. */
export const blocks = (from: number, count: number) => Array.from({ length: count }, (_, at) => block(from + at));
