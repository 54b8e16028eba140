import type { BlockError } from '../../shared/protocol/errors.ts';
import type { StoreRefusal } from '../common/node-events.ts';
import { Fate, type PackedBlocks } from '../store/lane/packed-blocks.ts';
import { StorageUnavailable } from '../store/storage-unavailable.ts';
import type { Device } from './device-directory.ts';
import type { BlockOwner } from './lane.ts';
import type { Refusal, Withheld } from './rules.ts';

/** What became of a batch: how many blocks count as accepted, the failed ones in the batch's order, then those put off. */
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

/** A block whose signature is being checked, and what becomes of it should that be good. */
export interface Candidate {
  /** Its place in the batch. */
  readonly index: number;
  /** As sent. */
  readonly seq: string;
  readonly device: Device;
  /** Refused all the same; stored but for what is withheld; or, null, not kept in this store. */
  readonly outcome: Refusal | readonly Withheld[] | null;
}

/** Told what becomes of each candidate of a batch. */
export type OnFate = (batch: Batch, candidate: Candidate, fate: Fate, blocks: PackedBlocks, at: number) => void;

/** Told the device of a reading that is on disk. */
export type OnStored = (deviceId: string) => void;

/** A batch on its way. Nothing of the request's body is kept but what is needed later. */
export class Batch implements BlockOwner {
  /** Called for each of its readings that is on disk. */
  readonly onStored: OnStored | null;
  readonly #count: number;
  readonly #onFate: OnFate;
  readonly #candidates: Candidate[] = [];
  /** By the block's place in the batch. */
  readonly #refused = new Map<number, Refused>();
  /** Blocks whose device may bring nothing more for now, by their place in the batch. */
  readonly #putOff = new Map<number, { readonly seq: string; readonly deviceId: string }>();
  readonly #result = Promise.withResolvers<void>();
  #left = 0;
  #isWhole = false;
  #fault: Error | null = null;

  constructor(count: number, onFate: OnFate, onStored: OnStored | null = null) {
    this.#count = count;
    this.#onFate = onFate;
    this.onStored = onStored;
  }

  /** Adds a block that is to be checked; returns its position for the lane. */
  add(candidate: Candidate): number {
    this.#left += 1;
    return this.#candidates.push(candidate) - 1;
  }

  refuse(index: number, refused: Refused): void {
    this.#refused.set(index, refused);
  }

  /** Leaves a block to be sent again, as its device may bring nothing more for now. */
  putOff(index: number, seq: string, deviceId: string): void {
    this.#putOff.set(index, { seq, deviceId });
  }

  /** The devices of which blocks were put off. */
  get devicesPutOff(): ReadonlySet<string> {
    return new Set([...this.#putOff.values()].map(({ deviceId }) => deviceId));
  }

  settle(position: number, fate: Fate, blocks: PackedBlocks, at: number): void {
    if (fate === Fate.FAILED) this.#fault ??= new Error('a block could not be checked or stored');
    else this.#onFate(this, this.#candidates[position]!, fate, blocks, at);
    this.#done();
  }

  fail({ code, message }: StoreRefusal): void {
    this.#fault ??= new StorageUnavailable(code, message);
    this.#done();
  }

  /**
   * To be called when all blocks were added. Resolves with those that were refused, in the batch's order, once it is known
   * what became of each. Rejects with StorageUnavailable where not all were stored: then none is confirmed.
   */
  async whole(): Promise<readonly Refused[]> {
    this.#isWhole = true;
    if (this.#left > 0) await this.#result.promise;
    if (this.#putOff.size === this.#count) this.#fault ??= new StorageUnavailable('limit', OVER_BUDGET);
    if (this.#fault !== null) throw this.#fault;
    if (this.#refused.size === 0) return [];
    return [...this.#refused].sort(([one], [other]) => one - other).map(([, refused]) => refused);
  }

  /** What its sender is told. */
  resultOf(refused: readonly Refused[]): IntakeResult {
    const putOff = [...this.#putOff.values()].map(({ seq }) => ({ seq, error: 'storage_unavailable' }));
    return {
      accepted: this.#count - refused.length - putOff.length,
      errors: [...refused.map(({ seq, error }) => ({ seq, error })), ...putOff],
      unknownDevice: refused.length === this.#count ? unknownDeviceOf(refused) : null,
    };
  }

  #done(): void {
    this.#left -= 1;
    if (this.#left === 0 && this.#isWhole) this.#result.resolve();
  }
}

const OVER_BUDGET = 'the devices of this batch may bring nothing more for now';

function unknownDeviceOf(refused: readonly Refused[]): string | null {
  const isOfNobody = ({ cause }: Refused) => cause === 'device_not_found' || cause === 'invalid_block';
  if (!refused.every(isOfNobody)) return null;
  return refused.find(({ cause }) => cause === 'device_not_found')?.deviceId ?? null;
}
