import { LARGEST_BLOCK, PackedBlocks } from './packed-blocks.ts';

/** A power of two, so that the slots stay in turn when the count wraps around. */
const SLOTS = 64;
const SLOT_BYTES = 16 * 1024;
if (SLOT_BYTES < LARGEST_BLOCK) throw new Error('a slot must hold the largest block');

// Indexes of 32-bit words.
const FILLED = 0;
const DONE = 1;
const STATES = 2;
const COUNTS = STATES + SLOTS;
const TRIES = COUNTS + SLOTS;
const WORDS = TRIES + SLOTS;
/** The times at which chunks were put in, as 64-bit floats. */
const TIMES_AT = WORDS * 4;
const DATA_AT = TIMES_AT + SLOTS * 8;

/**
 * A state is a ticket and a phase: UNCHECKED, CHECKED, or CHECKING plus the number of the thread that checks the chunk.
 */
const UNCHECKED = 0;
const CHECKED = 1;
const CHECKING = 2;
const PHASE_BITS = 3;
/** The maximum number of checking threads. */
export const MAX_CHECKING_THREADS = (1 << PHASE_BITS) - CHECKING;

/** Blocks that are handled together; `blocks` begins with the first of them. */
export interface Chunk {
  readonly blocks: PackedBlocks;
  readonly count: number;
}

/** The number of a chunk. The numbers wrap around. */
export type Ticket = number;

/**
 * The path of blocks to one store, in memory that threads share: a ring of chunks. The main thread puts them in, a
 * thread checks them, in any order, and the store's thread takes them out in the order in which they were put in. So of
 * several blocks with the same seq, the first is stored. The store's thread writes the outcomes of the blocks into the
 * chunk.
 *
 * Each slot has one owner at a time, which its state names. The state is written with Atomics after the slot's content.
 */
export class LaneMemory {
  /** The shared memory: each thread makes its own LaneMemory of it. */
  readonly shared: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #times: Float64Array;
  readonly #slots: readonly PackedBlocks[];

  constructor(shared = new SharedArrayBuffer(DATA_AT + SLOTS * SLOT_BYTES)) {
    this.shared = shared;
    this.#words = new Int32Array(shared, 0, WORDS);
    this.#times = new Float64Array(shared, TIMES_AT, SLOTS);
    this.#slots = Array.from(
      { length: SLOTS },
      (_, slot) => new PackedBlocks(shared, DATA_AT + slot * SLOT_BYTES, SLOT_BYTES),
    );
  }

  // Methods for the main thread.

  /** The ticket of the next chunk. */
  get filled(): Ticket {
    return Atomics.load(this.#words, FILLED);
  }

  /** Returns whether there is room for a chunk while all chunks from `oldest` on are still needed. */
  hasRoom(oldest: Ticket): boolean {
    return ((this.filled - oldest) | 0) < SLOTS;
  }

  /** Puts a chunk in; `isChecked` is true if none of its signatures must be checked. */
  put(bytes: Uint8Array, count: number, isChecked: boolean): void {
    const ticket = this.filled;
    const slot = slotOf(ticket);
    this.#slots[slot]!.bytes.set(bytes);
    this.#words[COUNTS + slot] = count;
    this.#words[TRIES + slot] = 0;
    this.#times[slot] = performance.timeOrigin + performance.now();
    Atomics.store(this.#words, STATES + slot, stateOf(ticket, isChecked ? CHECKED : UNCHECKED));
    Atomics.store(this.#words, FILLED, (ticket + 1) | 0);
  }

  /**
   * Returns the chunks that a dead thread was checking, with the number of threads that have died on each. They wait
   * until `retry` or `markChecked`.
   */
  claimedBy(thread: number): { readonly ticket: Ticket; readonly tries: number }[] {
    const claimed: { ticket: Ticket; tries: number }[] = [];
    for (let ticket = this.done; ticket !== this.filled; ticket = (ticket + 1) | 0) {
      const slot = slotOf(ticket);
      if (Atomics.load(this.#words, STATES + slot) !== stateOf(ticket, CHECKING + thread)) continue;
      this.#words[TRIES + slot]! += 1;
      claimed.push({ ticket, tries: this.#words[TRIES + slot]! });
    }
    return claimed;
  }

  /** Lets another thread check a chunk. */
  retry(ticket: Ticket): void {
    Atomics.store(this.#words, STATES + slotOf(ticket), stateOf(ticket, UNCHECKED));
  }

  // Methods for the checking threads.

  /** Takes the oldest chunk that no thread is checking. Returns null if there is none. */
  claim(thread: number): Ticket | null {
    const filled = this.filled;
    for (let ticket = this.done; ((filled - ticket) | 0) > 0; ticket = (ticket + 1) | 0) {
      const state = stateOf(ticket, UNCHECKED);
      const claimed = stateOf(ticket, CHECKING + thread);
      if (Atomics.compareExchange(this.#words, STATES + slotOf(ticket), state, claimed) === state) return ticket;
    }
    return null;
  }

  /** Passes a chunk on to the store's thread. */
  markChecked(ticket: Ticket): void {
    Atomics.store(this.#words, STATES + slotOf(ticket), stateOf(ticket, CHECKED));
  }

  // Methods for the store's thread.

  /** The ticket of the oldest unfinished chunk. */
  get done(): Ticket {
    return Atomics.load(this.#words, DONE);
  }

  /** Returns whether a chunk is present and checked. */
  isChecked(ticket: Ticket): boolean {
    return Atomics.load(this.#words, STATES + slotOf(ticket)) === stateOf(ticket, CHECKED);
  }

  /** Returns when a chunk was put in, by performance.now() of the calling thread. */
  since(ticket: Ticket): number {
    return this.#times[slotOf(ticket)]! - performance.timeOrigin;
  }

  /** Marks all chunks before `ticket` as finished. */
  finish(ticket: Ticket): void {
    Atomics.store(this.#words, DONE, ticket);
  }

  // Called by the thread that owns the chunk.

  chunk(ticket: Ticket): Chunk {
    const slot = slotOf(ticket);
    return { blocks: this.#slots[slot]!, count: this.#words[COUNTS + slot]! };
  }
}

function slotOf(ticket: Ticket): number {
  return ticket & (SLOTS - 1);
}

function stateOf(ticket: Ticket, phase: number): number {
  return (ticket << PHASE_BITS) | phase;
}
