import type { Block } from '../../shared/protocol/block.ts';
import type { Destination } from '../../shared/protocol/codes.ts';
import { type BlockError, deviceNotFound } from '../../shared/protocol/errors.ts';
import type { RawBinding } from '../settings.ts';
import type { Device } from '../store/devices.ts';
import type { NewReading, Store } from '../store/store.ts';
import { RowFate } from '../store/write-jobs.ts';
import {
  applyDisposition,
  bindToRaw,
  checkShape,
  checkSignature,
  isStoredAt,
  lookUpDevice,
  type Refusal,
  toReading,
  type Withheld,
} from './rules.ts';
import type { Tally } from './tally.ts';
import type { UnregisteredDevices } from './unregistered-devices.ts';
import type { SignatureCheck, VerifierPool } from './verifier-pool.ts';

/** What an endpoint's ingestion is made of. */
export interface IngestParts {
  readonly destination: Destination;
  readonly store: Store;
  readonly verifier: VerifierPool;
  readonly rawBinding: RawBinding;
  readonly tally: Tally;
  readonly unregistered: UnregisteredDevices;
  /** Told of each reading that is on disk; null where nobody asks. */
  readonly onStored: ((deviceId: string, receivedAt: number) => void) | null;
}

/** What became of a batch: how many blocks count as accepted, and the failed ones in the batch's order. */
export interface IngestResult {
  readonly accepted: number;
  readonly errors: readonly BlockError[];
}

/** A block that has passed the rules up to the device lookup. */
interface Candidate {
  readonly index: number;
  readonly sound: Block;
  readonly device: Device;
}

/** A reading that is about to be stored, and what of its block is not. */
interface Pending {
  readonly candidate: Candidate;
  readonly reading: NewReading;
  readonly withheld: readonly Withheld[];
}

/** Takes in the batches of one endpoint. */
export class Ingest {
  readonly #parts: IngestParts;

  constructor(parts: IngestParts) {
    this.#parts = parts;
  }

  /**
   * Applies the rules to each block and stores what is to be stored; resolves when that is on disk.
   * Rejects with StorageUnavailable: then nothing of the batch is confirmed.
   */
  async takeIn(blocks: readonly unknown[]): Promise<IngestResult> {
    const receivedAt = Date.now();
    const refusals = new Map<number, Refusal>();
    const candidates = this.#selectCandidates(blocks, refusals);
    const verified = await this.#parts.verifier.verify(candidates.map(toCheck), this.#parts.destination);
    const pending: Pending[] = [];
    for (const [position, candidate] of candidates.entries()) {
      const { index, sound, device } = candidate;
      const refusal = checkSignature(device, verified[position] === 1);
      const signed = refusal ?? bindToRaw(sound, device, this.#parts.rawBinding);
      if (isRefusal(signed)) {
        refusals.set(index, signed);
      } else if (isStoredAt(this.#parts.destination, device.publishTo)) {
        const { fields, withheld } = applyDisposition(sound, device, signed);
        pending.push({ candidate, reading: toReading(sound, device, fields, receivedAt), withheld });
      } else {
        this.#parts.tally.countWithheld(device, 'publish_to', '');
      }
    }
    await this.#store(pending, refusals);
    return this.#answer(blocks, refusals);
  }

  #selectCandidates(blocks: readonly unknown[], refusals: Map<number, Refusal>): Candidate[] {
    const candidates: Candidate[] = [];
    for (const [index, sent] of blocks.entries()) {
      const sound = checkShape(sent);
      if (isRefusal(sound)) {
        refusals.set(index, sound);
        continue;
      }
      const device = lookUpDevice(this.#parts.store.devices, sound);
      if (!isRefusal(device)) {
        candidates.push({ index, sound, device });
      } else {
        refusals.set(index, device);
        this.#parts.unregistered.note(sound, device.cause);
      }
    }
    return candidates;
  }

  async #store(pending: readonly Pending[], refusals: Map<number, Refusal>): Promise<void> {
    if (pending.length === 0) return;
    const fates = await this.#parts.store.append(pending.map(({ reading }) => reading));
    let stored = 0;
    for (const [position, { candidate, reading, withheld }] of pending.entries()) {
      const { index, device } = candidate;
      if (fates[position] === RowFate.NO_SUCH_DEVICE) {
        // Forgotten while the block was on its way.
        refusals.set(index, { error: deviceNotFound(device.id), cause: 'device_not_found' });
      } else if (fates[position] === RowFate.DUPLICATE) {
        this.#parts.verifier.remember(toCheck(candidate));
      } else {
        stored += 1;
        for (const { cause, field } of withheld) this.#parts.tally.countWithheld(device, cause, field);
        this.#parts.onStored?.(device.id, reading.row[3]);
      }
    }
    if (stored > 0) this.#parts.tally.countStored(stored);
  }

  #answer(blocks: readonly unknown[], refusals: ReadonlyMap<number, Refusal>): IngestResult {
    if (refusals.size === 0) return { accepted: blocks.length, errors: [] };
    const errors: BlockError[] = [];
    for (const [index, sent] of blocks.entries()) {
      const refusal = refusals.get(index);
      if (refusal === undefined) continue;
      errors.push({ seq: echoedSeq(sent), error: refusal.error });
      this.#parts.tally.countRefused(echoedDeviceId(sent), refusal.cause);
    }
    return { accepted: blocks.length - errors.length, errors };
  }
}

function toCheck({ sound, device }: Candidate): SignatureCheck {
  return { publicKey: device.publicKey, signature: sound.signature, message: sound.raw };
}

function isRefusal(value: object | null): value is Refusal {
  return value !== null && 'cause' in value;
}

function member(sent: unknown, name: string): unknown {
  return typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>)[name] : undefined;
}

/** The block's seq as sent, where that was a string. */
function echoedSeq(sent: unknown): string {
  const seq = member(sent, 'seq');
  return typeof seq === 'string' ? seq : '';
}

function echoedDeviceId(sent: unknown): string {
  const id = member(sent, 'deviceId');
  return typeof id === 'string' && /^[0-9a-fA-F]{64}$/.test(id) ? id.toLowerCase() : '';
}
