import type { BlockError } from '../../shared/protocol/errors.ts';
import type { BlockReading, NewBlock, SignatureCheck } from '../store/reading.ts';
import type { Device } from './device-directory.ts';
import type { Refusal, Withheld } from './rules.ts';

/**
 * The outcome of a batch: how many blocks count as accepted, the failed ones in the batch's order, then those put off.
 */
export interface IntakeResult {
  readonly accepted: number;
  readonly errors: readonly BlockError[];
  /** The first device that a block is of, where no block is of a registered one; null: at least one is, or none says. */
  readonly unknownDevice: string | null;
}

/** A refused block: what its sender is told, and by what it is counted. */
export interface Refused extends Refusal {
  /** As sent; empty where that was no string. */
  readonly seq: string;
  /** Empty where the block names no well-formed one. */
  readonly deviceId: string;
}

/** A block for the store, and the reading to store if its signature is good. */
export interface Candidate {
  /** Its place in the batch. */
  readonly index: number;
  /** As sent. */
  readonly seq: string;
  readonly device: Device;
  /** Refused all the same; stored but for what is withheld; or, null, not kept in this store. */
  readonly verdict: Refusal | readonly Withheld[] | null;
  /** null where none is to be stored. */
  readonly reading: BlockReading | null;
}

/** A block to be sent again, and why: of what the store keeps for others, or of what its device may send. */
interface PutOff {
  readonly seq: string;
  readonly deviceId: string;
  readonly error: 'storage_unavailable' | 'rate_limited';
}

/** A batch on its way. Nothing of the request's body is kept but what is needed later. */
export class Batch {
  readonly candidates: Candidate[] = [];
  #blocks: NewBlock[] = [];
  readonly #count: number;
  /** By the block's place in the batch. */
  readonly #refused = new Map<number, Refused>();
  /** Blocks whose device may bring nothing more for now, by their place in the batch. */
  readonly #putOff = new Map<number, PutOff>();

  constructor(count: number) {
    this.#count = count;
  }

  /** Adds a block that the store is asked to take in. */
  add(candidate: Candidate, check: SignatureCheck): void {
    this.candidates.push(candidate);
    this.#blocks.push({ check, reading: candidate.reading });
  }

  /** The blocks that the store is asked to take in, in the order of `candidates`. They are not kept: they are large. */
  takeBlocks(): readonly NewBlock[] {
    const blocks = this.#blocks;
    this.#blocks = [];
    return blocks;
  }

  refuse(index: number, refused: Refused): void {
    this.#refused.set(index, refused);
  }

  /** Leaves a block to be sent again, as its device may bring nothing more for now. */
  putOff(index: number, block: PutOff): void {
    this.#putOff.set(index, block);
  }

  /** The devices of which blocks were put off for the store's sake. */
  get devicesOverShare(): ReadonlySet<string> {
    const overShare = [...this.#putOff.values()].filter(({ error }) => error === 'storage_unavailable');
    return new Set(overShare.map(({ deviceId }) => deviceId));
  }

  /** Whether every block of it was put off. */
  get isPutOff(): boolean {
    return this.#putOff.size === this.#count;
  }

  /** The refused blocks, in the batch's order. */
  get refused(): readonly Refused[] {
    if (this.#refused.size === 0) return [];
    return [...this.#refused].sort(([one], [other]) => one - other).map(([, refused]) => refused);
  }

  /** The answer to its sender. */
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
