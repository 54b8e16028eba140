import type { BlockError } from '../../shared/protocol/errors.ts';
import type { BlockReading, NewBlock, SignatureCheck } from '../store/reading.ts';
import type { JudgedDevice } from './device-directory.ts';
import type { Refusal, Withheld } from './rules.ts';

/** The outcome of a batch. `errors` has the refused blocks in the batch's order, then the deferred ones. */
export interface IntakeResult {
  readonly accepted: number;
  readonly errors: readonly BlockError[];
  /** The first unregistered device that a block names, if no block is from a registered device; else null. */
  readonly unknownDevice: string | null;
}

/** A refused block, with the error text for its sender and the cause that it is counted under. */
export interface Refused extends Refusal {
  /** As sent; empty if it was not a string. */
  readonly seq: string;
  /** Empty if the block has no well-formed device id. */
  readonly deviceId: string;
}

/** A block for the store, and the reading to store if its signature is good. */
export interface Candidate {
  /** Its place in the batch. */
  readonly index: number;
  /** As sent. */
  readonly seq: string;
  readonly device: JudgedDevice;
  /** A refusal; or the values that are withheld from storage; or null if this store keeps no readings of the device. */
  readonly verdict: Refusal | readonly Withheld[] | null;
  /** null if nothing is to be stored. */
  readonly reading: BlockReading | null;
}

/** A block that its device must send again: the device is over its share of the store, or over its rate limit. */
interface PutOff {
  readonly seq: string;
  readonly deviceId: string;
  readonly error: 'storage_unavailable' | 'rate_limited';
}

/** A batch that is being processed. It keeps only the parts of the request's body that are needed later. */
export class Batch {
  readonly candidates: Candidate[] = [];
  #blocks: NewBlock[] = [];
  readonly #count: number;
  /** By the block's place in the batch. */
  readonly #refused = new Map<number, Refused>();
  /** Deferred blocks, by their place in the batch. */
  readonly #putOff = new Map<number, PutOff>();

  constructor(count: number) {
    this.#count = count;
  }

  /** Adds a block for the store. */
  add(candidate: Candidate, check: SignatureCheck): void {
    this.candidates.push(candidate);
    this.#blocks.push({ check, reading: candidate.reading });
  }

  /**
   * Removes and returns the blocks for the store, in the order of `candidates`. They are large, so the batch does not
   * keep them.
   */
  takeBlocks(): readonly NewBlock[] {
    const blocks = this.#blocks;
    this.#blocks = [];
    return blocks;
  }

  refuse(index: number, refused: Refused): void {
    this.#refused.set(index, refused);
  }

  /** Defers a block: its device must send it again later. */
  putOff(index: number, block: PutOff): void {
    this.#putOff.set(index, block);
  }

  /** Whether every block has a reading that the store is to take. */
  get isAllReadings(): boolean {
    return (
      this.candidates.length === this.#count &&
      this.candidates.every(({ reading, verdict }) => reading !== null && Array.isArray(verdict))
    );
  }

  /** Adds what was refused and deferred of the same blocks, judged by themselves. */
  join(other: Batch): void {
    for (const [index, refused] of other.#refused) this.#refused.set(index, refused);
    for (const [index, block] of other.#putOff) this.#putOff.set(index, block);
  }

  /** The devices that have blocks in this batch and are over their share of the store. */
  get devicesOverShare(): ReadonlySet<string> {
    const overShare = [...this.#putOff.values()].filter(({ error }) => error === 'storage_unavailable');
    return new Set(overShare.map(({ deviceId }) => deviceId));
  }

  /** Whether every block was deferred. */
  get isPutOff(): boolean {
    return this.#putOff.size === this.#count;
  }

  /** The refused blocks, in the batch's order. */
  get refused(): readonly Refused[] {
    return [...this.#refused].sort(([one], [other]) => one - other).map(([, refused]) => refused);
  }

  /** Returns the answer for the sender. */
  resultOf(refused: readonly Refused[]): IntakeResult {
    const putOff = [...this.#putOff.values()].map(({ seq, error }) => ({ seq, error }));
    return {
      accepted: this.#count - refused.length - putOff.length,
      errors: [...refused.map(({ seq, error }) => ({ seq, error })), ...putOff],
      unknownDevice: refused.length === this.#count ? unknownDeviceOf(refused) : null,
    };
  }
}

function unknownDeviceOf(refused: readonly Refused[]): string | null {
  const isOfNobody = ({ cause }: Refused) => cause === 'device_not_found' || cause === 'invalid_block';
  if (!refused.every(isOfNobody)) return null;
  return refused.find(({ cause }) => cause === 'device_not_found')?.deviceId ?? null;
}
