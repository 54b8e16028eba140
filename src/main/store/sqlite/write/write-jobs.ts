import type { DeviceNotes } from '../../../../shared/owner-data/notes.ts';
import type { DeviceRegistration } from '../../../../shared/protocol/device.ts';
import { FIELD_NAMES } from '../../../../shared/protocol/fields.ts';
import type { StoreFault } from '../../../common/node-events.ts';
import type { ArrivalMove, MovedStep, MovedTo } from '../../arrival-move.ts';
import type { Counts } from '../../counts.ts';
import type { Durability, NewEntry, Pruned, Registered, RegistrationOrigin } from '../../port.ts';
import type { NewReading, StoredField } from '../../reading.ts';
import { type KeptRaw, keptRawOf } from '../../signed.ts';
import type { StoredCheckpoint } from '../../store-log.ts';
import type { Chunk } from '../../verifier/lane-memory.ts';
import { toSigned } from '../file/unsigned.ts';

/**
 * The writes to a store, as messages to the writer thread. They pass through structured clone, so they contain only
 * plain data.
 */

/** A reading to be stored. */
export type ReadingRow = readonly [
  deviceId: string,
  /** The number of the clock that gave `receivedAt`; 0: the clock is known to be right. */
  clock: number,
  /** null if the signature is not stored. */
  signature: Uint8Array | null,
  signed: KeptRaw | null,
  /** The signed integer with the same 64 bits; a number if that is exact. */
  seq: number | bigint,
  timestamp: number | bigint,
  receivedAt: number,
  keyVersion: number,
  /** In the order of SENSOR_FIELDS. */
  ...fields: StoredField[],
];

/** Returns a reading as a row. */
export function toRow(reading: NewReading): ReadingRow {
  const { deviceId, clock = 0, signed, seq, timestamp, receivedAt, keyVersion, fields } = reading;
  const values = FIELD_NAMES.map((name) => fields[name]);
  const raw = signed ? keptRawOf(Buffer.from(signed.raw), { deviceId, seq, timestamp, keyVersion, values }) : null;
  return [
    deviceId,
    clock,
    signed?.signature ?? null,
    raw,
    toInteger(seq),
    toInteger(timestamp),
    receivedAt,
    keyVersion,
    ...values,
  ];
}

/** Numbers are passed on and bound faster than bigints. */
function toInteger(value: bigint): number | bigint {
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : toSigned(value);
}

export type WriteJob =
  | { readonly kind: 'append'; readonly rows: readonly ReadingRow[] }
  | {
      readonly kind: 'register';
      readonly registration: DeviceRegistration;
      readonly createdAt: number;
      readonly origin?: RegistrationOrigin | undefined;
    }
  /** `rideMs`: how long the job waits for another write before it is written alone without a sync. */
  | { readonly kind: 'count'; readonly counts: Counts; readonly rideMs?: number | undefined }
  /** Deletes at most `limit` readings of a device, and with the last of them everything else of the device. */
  | { readonly kind: 'forget'; readonly id: string; readonly limit: number }
  /**
   * Deletes about `limit` readings that are older than a time (Unix milliseconds), and keeps the sums of their hours.
   */
  | { readonly kind: 'prune'; readonly id: string; readonly before: number; readonly limit: number }
  /** Does the same for readings with meaningless timestamps, after a seq (as stored); null: from the first. */
  | {
      readonly kind: 'pruneStrays';
      readonly id: string;
      readonly before: number;
      readonly after: bigint | null;
      readonly limit: number;
    }
  /** Moves the times of arrival that a clock gave, after a position; null: from the start. */
  | {
      readonly kind: 'moveArrivals';
      readonly move: ArrivalMove;
      readonly after: MovedTo | null;
      readonly limit: number;
    }
  /** Replaces the owner's notes on a device, or removes them. Only the private store has notes. */
  | {
      readonly kind: 'note';
      readonly id: string;
      readonly notes: DeviceNotes | null;
      readonly updatedAt: number;
      /** Whether entries, tasks and crop cycles stay when the notes are removed. */
      readonly keepsLog?: boolean;
    }
  /** Replaces one of the owner's choices, as JSON. Only in the private store, like the next two jobs. */
  | ({ readonly kind: 'choose' } & Choice)
  /** Replaces an entry of the journal, or adds one if `id` is null, and writes a choice with it. */
  | ({ readonly kind: 'writeEntry'; readonly choice?: Choice | undefined } & NewEntry)
  | { readonly kind: 'deleteEntry'; readonly id: number }
  /** Stores a signed checkpoint of the log. */
  | { readonly kind: 'checkpoint'; readonly checkpoint: StoredCheckpoint }
  /** Returns unused pages to the disk. It is always a separate group, because it can't be part of a transaction. */
  | { readonly kind: 'compact' }
  /** Sets whether later commits wait for the disk. It is always a separate group too. */
  | { readonly kind: 'setDurability'; readonly durability: Durability };

/** One of the owner's choices, as JSON. */
export interface Choice {
  readonly name: string;
  readonly value: string;
  readonly updatedAt: number;
}

/** The jobs that can't be part of a transaction or group. */
export type LoneJob = Extract<WriteJob, { kind: 'compact' | 'setDurability' }>;

/** Returns whether a job must run alone. */
export function isLone(job: WriteJob | ChunkJob): job is LoneJob {
  return job.kind === 'compact' || job.kind === 'setDurability';
}

/** The jobs that write the owner's choices and notes. */
export type OwnerJob = Extract<WriteJob, { kind: 'note' | 'choose' | 'writeEntry' | 'deleteEntry' }>;

/** Blocks with checked signatures, in memory that is shared with the writer thread, not in a message. */
export interface ChunkJob {
  readonly kind: 'chunk';
  readonly chunk: Chunk;
}

/** The result of each kind of job. */
export interface WriteResults {
  /** For each row, its Fate and the stored time of arrival. */
  readonly append: { readonly fates: Uint8Array; readonly receivedAt: Float64Array };
  /** A Fate for each block. */
  readonly chunk: Uint8Array;
  readonly register: Registered;
  readonly count: null;
  readonly forget: { readonly readings: number; readonly isDone: boolean };
  readonly prune: Pruned;
  /** `next`: the position after which the next step continues; null: there is none. */
  readonly pruneStrays: { readonly readings: number; readonly next: bigint | null };
  readonly moveArrivals: MovedStep;
  readonly note: null;
  readonly choose: null;
  /** The id of the entry; null if there is no entry with the given id. */
  readonly writeEntry: number | null;
  /** Whether the entry existed. */
  readonly deleteEntry: boolean;
  readonly checkpoint: null;
  readonly compact: null;
  readonly setDurability: null;
}

export type WriteResult = WriteResults[keyof WriteResults];

/** The reason why nothing of a job was written. */
export interface WriteFailure {
  readonly ok: false;
  /** null if the job was at fault, not the store. */
  readonly code: StoreFault | null;
  readonly message: string;
  /** The error code of SQLite or of the system, for the log, or null. */
  readonly engineCode: string | null;
}

export type WriteOutcome = { readonly ok: true; readonly result: WriteResult } | WriteFailure;
