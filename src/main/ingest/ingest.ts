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
import type { SignatureCheck } from './signature-packing.ts';
import type { Tally } from './tally.ts';
import type { UnregisteredDevices } from './unregistered-devices.ts';
import type { CarriedCheck, Verified, VerifierPool } from './verifier-pool.ts';

/**
 * A block that comes alone takes its signature check along to the writer thread, which saves it a way there and back, as
 * long as no more readings wait: else the checks are work for several threads, and would keep the other store waiting.
 */
const MOST_WAITING_BEFORE_LONE = 24;

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

/** What is to be stored of a block, and what is withheld. */
interface Pending {
  readonly reading: NewReading;
  readonly withheld: readonly Withheld[];
}

/** A block that has passed the device lookup, and what becomes of it should its signature be good. */
interface Candidate {
  readonly index: number;
  /** As sent. */
  readonly seq: string;
  readonly device: Device;
  /** Refused by rule 4, stored, or, by rule 6, null: not kept in this store. */
  readonly outcome: Refusal | Pending | null;
}

/** A refused block: what its sender is told, and by what it is counted. */
interface Refused extends Refusal {
  readonly seq: string;
  readonly deviceId: string;
}

/** A batch on its way. Nothing of the request's body is kept but what is needed later. */
interface Batch {
  /** In the batch's order. */
  readonly candidates: readonly Candidate[];
  readonly proof: Promise<Verified> | CarriedCheck;
  /** By the block's place in the batch. */
  readonly refused: Map<number, Refused>;
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
    const count = blocks.length;
    const batch = this.#begin(blocks);
    if ('packed' in batch.proof) {
      await this.#store([0], batch, batch.proof.packed, batch.proof.remember);
    } else {
      const verified = await batch.proof;
      await this.#store(this.#selectPending(batch, verified), batch, undefined, verified.remember);
    }
    return this.#answer(count, batch.refused);
  }

  /**
   * Applies every rule that can be applied at once and hands the signatures in. What is kept for the time after is small:
   * parsed bodies that wait for threads and disk would be most of what the garbage collector has to move about.
   */
  #begin(blocks: readonly unknown[]): Batch {
    const receivedAt = Date.now();
    const refused = new Map<number, Refused>();
    const candidates: Candidate[] = [];
    const checks: SignatureCheck[] = [];
    for (let index = 0; index < blocks.length; index += 1) {
      const sent = blocks[index];
      const sound = checkShape(sent);
      if (isRefusal(sound)) {
        refused.set(index, { ...sound, seq: echoedSeq(sent), deviceId: echoedDeviceId(sent) });
        continue;
      }
      const device = lookUpDevice(this.#parts.store.devices, sound);
      if (isRefusal(device)) {
        refused.set(index, { ...device, seq: sound.seq, deviceId: sound.deviceId.toLowerCase() });
        this.#parts.unregistered.note(sound, device.cause);
        continue;
      }
      candidates.push({ index, seq: sound.seq, device, outcome: this.#outcomeOf(sound, device, receivedAt) });
      checks.push({ publicKey: device.publicKey, signature: sound.signature, message: sound.raw });
    }
    const proof = this.#carried(candidates, checks) ?? this.#parts.verifier.verify(checks, this.#parts.destination);
    return { candidates, proof, refused };
  }

  /** The check of a lone block that is to be stored if it is good; null for any other batch. */
  #carried(candidates: readonly Candidate[], checks: readonly SignatureCheck[]): CarriedCheck | null {
    const [candidate] = candidates;
    if (
      candidate === undefined ||
      candidates.length > 1 ||
      candidate.outcome === null ||
      isRefusal(candidate.outcome)
    ) {
      return null;
    }
    const { store, verifier } = this.#parts;
    return store.waiting < MOST_WAITING_BEFORE_LONE ? verifier.carry(checks[0]!) : null;
  }

  #outcomeOf(sound: Block, device: Device, receivedAt: number): Candidate['outcome'] {
    const signed = bindToRaw(sound, device, this.#parts.rawBinding);
    if (isRefusal(signed)) return signed;
    if (!isStoredAt(this.#parts.destination, device.publishTo)) return null;
    const { fields, withheld } = applyDisposition(sound, device, signed);
    return { reading: toReading(sound, device, fields, receivedAt), withheld };
  }

  /** The positions of the candidates that are to be stored; the others are refused or counted. */
  #selectPending({ candidates, refused }: Batch, { verdicts }: Verified): number[] {
    const positions: number[] = [];
    for (let position = 0; position < candidates.length; position += 1) {
      const { index, seq, device, outcome } = candidates[position]!;
      const refusal = checkSignature(device, verdicts[position] === 1) ?? (isRefusal(outcome) ? outcome : null);
      if (refusal !== null) refused.set(index, { ...refusal, seq, deviceId: device.id });
      // Nothing is kept of it by which it could be known again: sent twice, it counts twice.
      else if (outcome === null) this.#parts.tally.countWithheld(device, 'publish_to', '');
      else positions.push(position);
    }
    return positions;
  }

  async #store(
    positions: readonly number[],
    { candidates, refused }: Batch,
    check: Uint8Array | undefined,
    remember: (position: number) => void,
  ): Promise<void> {
    if (positions.length === 0) return;
    const fates = await this.#parts.store.append(
      positions.map((position) => (candidates[position]!.outcome as Pending).reading),
      check,
    );
    let stored = 0;
    for (let row = 0; row < positions.length; row += 1) {
      const position = positions[row]!;
      const { index, seq, device, outcome } = candidates[position]!;
      if (fates[row] === RowFate.NO_SUCH_DEVICE) {
        // Forgotten while the block was on its way.
        refused.set(index, { error: deviceNotFound(device.id), cause: 'device_not_found', seq, deviceId: device.id });
      } else if (fates[row] === RowFate.BAD_SIGNATURE) {
        refused.set(index, { ...checkSignature(device, false)!, seq, deviceId: device.id });
      } else if (fates[row] === RowFate.DUPLICATE) {
        remember(position);
      } else {
        const { reading, withheld } = outcome as Pending;
        stored += 1;
        for (const { cause, field } of withheld) this.#parts.tally.countWithheld(device, cause, field);
        this.#parts.onStored?.(device.id, reading.row[3]);
      }
    }
    if (stored > 0) this.#parts.tally.countStored(stored);
  }

  #answer(count: number, refused: ReadonlyMap<number, Refused>): IngestResult {
    if (refused.size === 0) return { accepted: count, errors: [] };
    const inOrder = [...refused].sort(([one], [other]) => one - other);
    const errors = inOrder.map(([, { seq, deviceId, error, cause }]): BlockError => {
      this.#parts.tally.countRefused(deviceId, cause);
      return { seq, error };
    });
    return { accepted: count - errors.length, errors };
  }
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
