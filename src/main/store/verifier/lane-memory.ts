import { LARGEST_BLOCK, PackedBlocks } from './packed-blocks.ts';

/** A power of two, so that counts that wrap around still name slots in turn. */
const SLOTS = 64;
const SLOT_BYTES = 16 * 1024;
if (SLOT_BYTES < LARGEST_BLOCK) throw new Error('a slot must hold the largest block');

// Words of 32 bits.
const FILLED = 0;
const DONE = 1;
const STATES = 2;
const COUNTS = STATES + SLOTS;
const TRIES = COUNTS + SLOTS;
const WORDS = TRIES + SLOTS;
/** When each chunk was put in, as 64-bit floats. */
const TIMES_AT = WORDS * 4;
const DATA_AT = TIMES_AT + SLOTS * 8;

/** A state is a ticket and a phase: UNCHECKED, CHECKED, or from CHECKING on the thread that checks it. */
const UNCHECKED = 0;
const CHECKED = 1;
const CHECKING = 2;
const PHASE_BITS = 3;
/** How many threads can check. */
export const MAX_CHECKING_THREADS = (1 << PHASE_BITS) - CHECKING;

/** Blocks that travel together; `blocks` begins with the first of them. */
export interface Chunk {
  readonly blocks: PackedBlocks;
  readonly count: number;
}

/** Names a chunk: they are counted, and the count wraps around. */
export type Ticket = number;

/**
 * The way of blocks to one store, in memory that threads share: a ring of chunks. The main thread puts them in, a thread
 * checks them, in any order, and the store's thread takes them out in the order in which they were put in, so that of
 * blocks with the same seq the first stays. When it is done with a chunk, the outcomes of its blocks stand in it.
 *
 * Each slot has one owner at a time, which its state tells: it is written with Atomics after the slot's content.
 */
export class LaneMemory {
  /** The memory that threads share: each makes a LaneMemory of it. */
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

  // For the main thread.

  /** The ticket of the next chunk. */
  get filled(): Ticket {
    return Atomics.load(this.#words, FILLED);
  }

  /** Whether a chunk can be put in while all from `oldest` on are still needed. */
  hasRoom(oldest: Ticket): boolean {
    return ((this.filled - oldest) | 0) < SLOTS;
  }

  /** Puts a chunk in; `isChecked` where no signature of it has to be checked. */
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

  /** Chunks that a thread has died on, with how many threads did so by now. They wait until `retry` or `markChecked`. */
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

  // For threads that check.

  /** Takes the oldest chunk that nobody checks; null: there is none. */
  claim(thread: number): Ticket | null {
    const filled = this.filled;
    for (let ticket = this.done; ((filled - ticket) | 0) > 0; ticket = (ticket + 1) | 0) {
      const state = stateOf(ticket, UNCHECKED);
      const claimed = stateOf(ticket, CHECKING + thread);
      if (Atomics.compareExchange(this.#words, STATES + slotOf(ticket), state, claimed) === state) return ticket;
    }
    return null;
  }

  /** Hands a chunk on to the store's thread. */
  markChecked(ticket: Ticket): void {
    Atomics.store(this.#words, STATES + slotOf(ticket), stateOf(ticket, CHECKED));
  }

  // For the store's thread.

  /** The ticket of the oldest chunk that it is not done with. */
  get done(): Ticket {
    return Atomics.load(this.#words, DONE);
  }

  /** Whether a chunk is there and checked. */
  isChecked(ticket: Ticket): boolean {
    return Atomics.load(this.#words, STATES + slotOf(ticket)) === stateOf(ticket, CHECKED);
  }

  /** When a chunk was put in, by performance.now() of the calling thread. */
  since(ticket: Ticket): number {
    return this.#times[slotOf(ticket)]! - performance.timeOrigin;
  }

  /** It is done with all chunks before `ticket`. */
  finish(ticket: Ticket): void {
    Atomics.store(this.#words, DONE, ticket);
  }

  // For whoever has the chunk in hand.

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
