import type { StoreRefusal } from '../common/node-events.ts';
import type { Ticket } from '../store/lane/lane-memory.ts';
import {
  type BlockReading,
  Fate,
  LARGEST_BLOCK,
  PackedBlocks,
  type SignatureCheck,
} from '../store/lane/packed-blocks.ts';
import type { StoreLane } from '../store/lane/store-lane.ts';
import type { Load } from './load.ts';
import { VerifiedSignatures } from './verified-signatures.ts';
import type { Verifiers } from './verifiers.ts';

/** About 1 ms of checking: short enough that the private store's blocks soon get their turn. */
const CHUNK_BLOCKS = 24;
const CHUNK_BYTES = 16 * 1024;
/** Waking a thread costs less than verifying a signature. */
const LEAST_SHARE = 2;

/** Whoever handed in a block, by which it is named at `position`. */
export interface BlockOwner {
  /** Called once for each block. What is at `at` may be read until this returns. */
  settle(position: number, fate: Fate, blocks: PackedBlocks, at: number): void;
  /** Called in place of `settle` where it will never be known what became of the block, or why it was not stored. */
  fail(refusal: StoreRefusal): void;
}

interface Sent {
  readonly owners: readonly BlockOwner[];
  readonly positions: readonly number[];
}

interface Sealed extends Sent {
  readonly bytes: Uint8Array;
  readonly isChecked: boolean;
}

/** What a lane is made of. */
export interface LaneParts {
  readonly store: StoreLane;
  readonly verifiers: Verifiers;
  readonly load: Load;
  /** Called after the owners of chunks were told. */
  readonly onSettled: () => void;
}

/**
 * The way of blocks to one store as the main thread sees it: gathers the blocks of one turn of the event loop into
 * chunks, and tells the owners what became of them.
 */
export class Lane {
  readonly #parts: LaneParts;
  readonly #verified = new VerifiedSignatures();
  /** The chunk that is being filled. */
  readonly #open = new PackedBlocks(new ArrayBuffer(CHUNK_BYTES), 0, CHUNK_BYTES);
  #openEnd = 0;
  #openChecked = 0;
  #owners: BlockOwner[] = [];
  #positions: number[] = [];
  /** Chunks that wait for room in the lane. */
  readonly #sealed: Sealed[] = [];
  /** Chunks in the lane, from `#oldest` on. */
  readonly #sent: (Sent | null)[] = [];
  #oldest: Ticket = 0;
  #isSealPlanned = false;

  constructor(parts: LaneParts) {
    this.#parts = parts;
    parts.verifiers.add(parts.store);
    parts.store.listen({ onDone: (end, refusal) => this.#onDone(end, refusal), onLost: () => this.#onLost() });
  }

  /** Hands in a block, and the reading that is to be stored if its signature is good. Keeps nothing of what it is given. */
  add(check: SignatureCheck, reading: BlockReading | null, owner: BlockOwner, position: number): void {
    const open = this.#open;
    const at = this.#openEnd;
    this.#openEnd = open.writeCheck(at, check);
    if (!this.#verified.isEmpty && this.#verified.has(check.signature, open.checkText(at))) {
      open.setFate(at, Fate.GOOD);
      this.#openChecked += 1;
    }
    if (reading !== null) this.#openEnd = open.writeReading(at, reading);
    this.#owners.push(owner);
    this.#positions.push(position);
    this.#parts.load.began(1);
    if (this.#owners.length === CHUNK_BLOCKS || this.#openEnd + LARGEST_BLOCK > CHUNK_BYTES) this.#seal();
    else this.#planSeal();
  }

  /** Waits for the end of this turn of the event loop, so that single blocks read in it travel together. */
  #planSeal(): void {
    if (this.#isSealPlanned) return;
    this.#isSealPlanned = true;
    setImmediate(() => {
      this.#isSealPlanned = false;
      this.#seal();
    });
  }

  /** Ends the open chunk, in pieces where several threads have nothing to do: its senders wait for less of a thread's time. */
  #seal(): void {
    const count = this.#owners.length;
    if (count === 0) return;
    const isChecked = this.#openChecked === count;
    const share = isChecked ? count : this.#share(count);
    for (let from = 0, begin = 0; from < count; from += share) {
      const owners = this.#owners.slice(from, from + share);
      const positions = this.#positions.slice(from, from + share);
      let end = begin;
      for (let left = owners.length; left > 0; left -= 1) end = this.#open.endOf(end);
      this.#put({ bytes: this.#open.bytes.subarray(begin, end), isChecked, owners, positions });
      begin = end;
    }
    this.#owners = [];
    this.#positions = [];
    this.#openEnd = 0;
    this.#openChecked = 0;
  }

  /** How many blocks each of the threads with nothing to do would take. */
  #share(count: number): number {
    return Math.max(LEAST_SHARE, Math.ceil(count / Math.max(1, this.#parts.verifiers.idle)));
  }

  #put(chunk: Sealed): void {
    if (this.#sealed.length === 0 && this.#parts.store.memory.hasRoom(this.#oldest)) this.#send(chunk);
    else this.#sealed.push({ ...chunk, bytes: new Uint8Array(chunk.bytes) });
  }

  #send({ bytes, isChecked, owners, positions }: Sealed): void {
    const { store, verifiers } = this.#parts;
    store.memory.put(bytes, owners.length, isChecked);
    this.#sent.push({ owners, positions });
    if (isChecked) store.bell.ring();
    else verifiers.wake(1);
  }

  #onDone(end: Ticket, refusal: StoreRefusal | null): void {
    const { memory } = this.#parts.store;
    let blocks = 0;
    for (; this.#oldest !== end; this.#oldest = (this.#oldest + 1) | 0) {
      const sent = this.#sent.shift()!;
      if (sent === null) continue;
      this.#settle(sent, refusal);
      blocks += sent.owners.length;
    }
    while (this.#sealed.length > 0 && memory.hasRoom(this.#oldest)) this.#send(this.#sealed.shift()!);
    this.#parts.onSettled();
    this.#parts.load.ended(blocks);
  }

  #settle({ owners, positions }: Sent, refusal: StoreRefusal | null): void {
    const { blocks } = this.#parts.store.memory.chunk(this.#oldest);
    for (let index = 0, at = 0; index < owners.length; index += 1, at = blocks.endOf(at)) {
      const fate = blocks.fateOf(at);
      if (fate === Fate.DUPLICATE) this.#verified.add(blocks.signatureOf(at).toString('hex'), blocks.checkText(at));
      if (fate === Fate.NOT_STORED) owners[index]!.fail(refusal ?? LOST);
      else owners[index]!.settle(positions[index]!, fate, blocks, at);
    }
  }

  #onLost(): void {
    let blocks = 0;
    for (const sent of [...this.#sent, ...this.#sealed]) {
      if (sent === null) continue;
      blocks += sent.owners.length;
      for (const owner of sent.owners) owner.fail(LOST);
    }
    this.#sent.fill(null);
    this.#sealed.length = 0;
    this.#parts.load.ended(blocks);
  }
}

const LOST: StoreRefusal = { code: 'unreachable', message: 'the store’s thread stopped' };
