import type { StoreRefusal } from '../../../common/node-events.ts';
import type { BlockOutcome, NewBlock } from '../../reading.ts';
import { StorageUnavailable } from '../../storage-unavailable.ts';
import type { Bell } from '../../verifier/bell.ts';
import type { LaneMemory, Ticket } from '../../verifier/lane-memory.ts';
import { Fate, LARGEST_BLOCK, PackedBlocks } from '../../verifier/packed-blocks.ts';
import { VerifiedSignatures } from '../../verifier/verified-signatures.ts';
import type { Verifiers } from '../../verifier/verifiers.ts';

/** About 1 ms of checking: short enough that blocks of the private store are soon checked too. */
const CHUNK_BLOCKS = 24;
const CHUNK_BYTES = 16 * 1024;
/** Waking a thread costs less than verifying a signature. */
const LEAST_SHARE = 2;

/**
 * The path of blocks to the writer thread: shared memory in which it finds them after their signatures are checked. It
 * stores the readings of the good ones, in the order in which they were put in, and writes the fate of each block into
 * the memory.
 */
export interface StoreLane {
  readonly memory: LaneMemory;
  /** Wakes the writer thread: ring it for each checked chunk. */
  readonly bell: Bell;
  /** Sets the only listener, which is called on the main thread. */
  listen(listener: LaneListener): void;
}

export interface LaneListener {
  /**
   * The writer thread has finished all chunks before `end`. `refusal` is the reason if some of their blocks are
   * NOT_STORED.
   */
  onDone(end: Ticket, refusal: StoreRefusal | null): void;
  /** The thread died. Earlier blocks may or may not be stored, and get no answer any more. */
  onLost(): void;
}

/** The blocks of one call. */
interface Batch {
  readonly outcomes: BlockOutcome[];
  /** The number of blocks without an outcome. */
  left: number;
  readonly resolve: (outcomes: readonly BlockOutcome[]) => void;
}

interface Sent {
  readonly batches: readonly Batch[];
  /** The position of each block in its batch. */
  readonly positions: readonly number[];
}

interface Sealed extends Sent {
  readonly bytes: Uint8Array;
  readonly isChecked: boolean;
}

/** The part of the verifiers that a lane uses. */
export type LaneVerifiers = Pick<Verifiers, 'add' | 'wake' | 'idle'>;

/** Collects the blocks of one turn of the event loop into chunks, and resolves with their outcomes. */
export class Lane {
  readonly #lane: StoreLane;
  readonly #verifiers: LaneVerifiers;
  readonly #verified = new VerifiedSignatures();
  /** The chunk that is being filled. */
  readonly #open = new PackedBlocks(new ArrayBuffer(CHUNK_BYTES), 0, CHUNK_BYTES);
  #openEnd = 0;
  #openChecked = 0;
  #batches: Batch[] = [];
  #positions: number[] = [];
  /** Chunks that wait for room in the lane. */
  readonly #sealed: Sealed[] = [];
  /** Chunks in the lane, from `#oldest` on. */
  readonly #sent: (Sent | null)[] = [];
  #oldest: Ticket = 0;
  #isSealPlanned = false;
  #stored: BlockOutcome & { readonly kind: 'stored' } = { kind: 'stored', receivedAt: 0 };

  constructor(lane: StoreLane, verifiers: LaneVerifiers) {
    this.#lane = lane;
    this.#verifiers = verifiers;
    verifiers.add(lane);
    lane.listen({ onDone: (end, refusal) => this.#onDone(end, refusal), onLost: () => this.#onLost() });
  }

  /** See Store.ingest. */
  ingest(blocks: readonly NewBlock[]): Promise<readonly BlockOutcome[]> {
    if (blocks.length === 0) return Promise.resolve([]);
    const { promise, resolve } = Promise.withResolvers<readonly BlockOutcome[]>();
    const batch: Batch = { outcomes: new Array<BlockOutcome>(blocks.length), left: blocks.length, resolve };
    for (let index = 0; index < blocks.length; index += 1) this.#add(blocks[index]!, batch, index);
    return promise;
  }

  #add({ check, reading }: NewBlock, batch: Batch, position: number): void {
    const open = this.#open;
    const at = this.#openEnd;
    this.#openEnd = open.writeCheck(at, check);
    if (!this.#verified.isEmpty && this.#verified.has(check.signature, open.checkText(at))) {
      open.setFate(at, Fate.GOOD);
      this.#openChecked += 1;
    }
    if (reading !== null) this.#openEnd = open.writeReading(at, reading);
    this.#batches.push(batch);
    this.#positions.push(position);
    if (this.#batches.length === CHUNK_BLOCKS || this.#openEnd + LARGEST_BLOCK > CHUNK_BYTES) this.#seal();
    else this.#planSeal();
  }

  /** Waits for the end of this turn of the event loop, so that single blocks of this turn share a chunk. */
  #planSeal(): void {
    if (this.#isSealPlanned) return;
    this.#isSealPlanned = true;
    setImmediate(() => {
      this.#isSealPlanned = false;
      this.#seal();
    });
  }

  /**
   * Ends the open chunk. If several threads are idle, it is split between them, so that the senders wait for a shorter
   * time.
   */
  #seal(): void {
    const count = this.#batches.length;
    if (count === 0) return;
    const isChecked = this.#openChecked === count;
    const share = isChecked ? count : this.#share(count);
    for (let from = 0, begin = 0; from < count; from += share) {
      const batches = this.#batches.slice(from, from + share);
      const positions = this.#positions.slice(from, from + share);
      let end = begin;
      for (let left = batches.length; left > 0; left -= 1) end = this.#open.endOf(end);
      this.#put({ bytes: this.#open.bytes.subarray(begin, end), isChecked, batches, positions });
      begin = end;
    }
    this.#batches = [];
    this.#positions = [];
    this.#openEnd = 0;
    this.#openChecked = 0;
  }

  /** Returns the number of blocks for each idle thread. */
  #share(count: number): number {
    return Math.max(LEAST_SHARE, Math.ceil(count / Math.max(1, this.#verifiers.idle)));
  }

  #put(chunk: Sealed): void {
    if (this.#sealed.length === 0 && this.#lane.memory.hasRoom(this.#oldest)) this.#send(chunk);
    else this.#sealed.push({ ...chunk, bytes: new Uint8Array(chunk.bytes) });
  }

  #send({ bytes, isChecked, batches, positions }: Sealed): void {
    this.#lane.memory.put(bytes, batches.length, isChecked);
    this.#sent.push({ batches, positions });
    if (isChecked) this.#lane.bell.ring();
    else this.#verifiers.wake(1);
  }

  #onDone(end: Ticket, refusal: StoreRefusal | null): void {
    const { memory } = this.#lane;
    for (; this.#oldest !== end; this.#oldest = (this.#oldest + 1) | 0) {
      const sent = this.#sent.shift()!;
      if (sent !== null) this.#settle(sent, refusal);
    }
    while (this.#sealed.length > 0 && memory.hasRoom(this.#oldest)) this.#send(this.#sealed.shift()!);
  }

  #settle({ batches, positions }: Sent, refusal: StoreRefusal | null): void {
    const { blocks } = this.#lane.memory.chunk(this.#oldest);
    for (let index = 0, at = 0; index < batches.length; index += 1, at = blocks.endOf(at)) {
      const fate = blocks.fateOf(at);
      if (fate === Fate.DUPLICATE) this.#verified.add(blocks.signatureOf(at).toString('hex'), blocks.checkText(at));
      settle(batches[index]!, positions[index]!, this.#outcomeOf(fate, blocks, at, refusal));
    }
  }

  #outcomeOf(fate: Fate, blocks: PackedBlocks, at: number, refusal: StoreRefusal | null): BlockOutcome {
    switch (fate) {
      case Fate.STORED: {
        const receivedAt = blocks.receivedAtOf(at);
        // Blocks of one batch arrived together, so they share this object.
        if (this.#stored.receivedAt !== receivedAt) this.#stored = { kind: 'stored', receivedAt };
        return this.#stored;
      }
      case Fate.DUPLICATE:
        return DUPLICATE;
      case Fate.UNKNOWN_DEVICE:
        return UNKNOWN_DEVICE;
      case Fate.BAD_SIGNATURE:
        return BAD_SIGNATURE;
      case Fate.GOOD:
        return SIGNED;
      case Fate.NOT_STORED:
        return refused(refusal ?? LOST);
      default:
        return { kind: 'refused', error: new Error('a block could not be checked or stored') };
    }
  }

  #onLost(): void {
    for (const sent of [...this.#sent, ...this.#sealed]) {
      if (sent === null) continue;
      const outcome = refused(LOST);
      for (const [index, batch] of sent.batches.entries()) settle(batch, sent.positions[index]!, outcome);
    }
    this.#sent.fill(null);
    this.#sealed.length = 0;
  }
}

const DUPLICATE = { kind: 'duplicate' } as const;
const UNKNOWN_DEVICE = { kind: 'unknown_device' } as const;
const BAD_SIGNATURE = { kind: 'bad_signature' } as const;
const SIGNED = { kind: 'signed' } as const;
const LOST: StoreRefusal = { code: 'unreachable', message: 'the store’s thread stopped' };

function refused({ code, message }: StoreRefusal): BlockOutcome {
  return { kind: 'refused', error: new StorageUnavailable(code, message) };
}

function settle(batch: Batch, position: number, outcome: BlockOutcome): void {
  batch.outcomes[position] = outcome;
  batch.left -= 1;
  if (batch.left === 0) batch.resolve(batch.outcomes);
}
