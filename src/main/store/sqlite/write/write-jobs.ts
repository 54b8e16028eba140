import type { DeviceNotes } from '../../../../shared/owner-data/notes.ts';
import type { DeviceRegistration } from '../../../../shared/protocol/device.ts';
import { FIELD_NAMES } from '../../../../shared/protocol/fields.ts';
import type { StoreFault } from '../../../common/node-events.ts';
import type { ArrivalMove, MovedStep, MovedTo } from '../../arrival-move.ts';
import type {
  Counts,
  Durability,
  NewEntry,
  Pruned,
  Registered,
  RegistrationOrigin,
  StoredCheckpoint,
} from '../../port.ts';
import type { NewReading, StoredField } from '../../reading.ts';
import { type KeptRaw, keptRawOf } from '../../signed.ts';
import type { Chunk } from '../../verifier/lane-memory.ts';
import { toSigned } from '../file/unsigned.ts';

/**
 * The writes to a store, as messages to the writer thread. They pass through structured clone, so they hold plain data
 * only.
 */

/** A reading on its way to the store. */
export type ReadingRow = readonly [
  deviceId: string,
  /** By which clock it was received; 0: one that is known to be right. */
  clock: number,
  /** null if it is not kept. */
  signature: Uint8Array | null,
  signed: KeptRaw | null,
  /** The signed integer of the same 64 bits; a number where that is exact. */
  seq: number | bigint,
  timestamp: number | bigint,
  receivedAt: number,
  keyVersion: number,
  /** In the order of SENSOR_FIELDS. */
  ...fields: StoredField[],
];

/** A reading as a row. */
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

/** Numbers are passed on and bound more quickly than bigints. */
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
  /** `rideMs`: how long it waits for something that is written anyway, before it is written without a sync. */
  | { readonly kind: 'count'; readonly counts: Counts; readonly rideMs?: number | undefined }
  /** Deletes at most `limit` readings of a device, and with the last of them all else that there is of it. */
  | { readonly kind: 'forget'; readonly id: string; readonly limit: number }
  /** Deletes readings that are older than a time (Unix milliseconds), about `limit`, and keeps the sums of their hours. */
  | { readonly kind: 'prune'; readonly id: string; readonly before: number; readonly limit: number }
  /** The same for readings whose timestamps say nothing, from after a seq (as stored) on; null: from the first. */
  | {
      readonly kind: 'pruneStrays';
      readonly id: string;
      readonly before: number;
      readonly after: bigint | null;
      readonly limit: number;
    }
  /** Moves the times of arrival by a clock, from after a place on; null: from the start. */
  | {
      readonly kind: 'moveArrivals';
      readonly move: ArrivalMove;
      readonly after: MovedTo | null;
      readonly limit: number;
    }
  /** Replaces the owner's notes on a device, or removes them. The private store alone has notes. */
  | {
      readonly kind: 'note';
      readonly id: string;
      readonly notes: DeviceNotes | null;
      readonly updatedAt: number;
      /** Whether entries, tasks and crop cycles stay where the notes are removed. */
      readonly keepsLog?: boolean;
    }
  /** Replaces what the owner chose under a name, as JSON. In the private store alone, as the two that follow. */
  | ({ readonly kind: 'choose' } & Choice)
  /** Writes an entry of the journal again, or a new one where `id` is null, and a choice with it. */
  | ({ readonly kind: 'writeEntry'; readonly choice?: Choice | undefined } & NewEntry)
  | { readonly kind: 'deleteEntry'; readonly id: number }
  /** Keeps a signed checkpoint of the log. */
  | { readonly kind: 'checkpoint'; readonly checkpoint: StoredCheckpoint }
  /** Gives unused pages back to the disk. In a group of its own, since it is no part of a transaction. */
  | { readonly kind: 'compact' }
  /** Sets whether later commits wait for the disk. By itself, too. */
  | { readonly kind: 'setDurability'; readonly durability: Durability };

/** A choice of the owner's under a name, as JSON. */
export interface Choice {
  readonly name: string;
  readonly value: string;
  readonly updatedAt: number;
}

/** The jobs that are no part of a transaction, and so of no group. */
export type LoneJob = Extract<WriteJob, { kind: 'compact' | 'setDurability' }>;

/** Whether a job is done by itself. */
export function isLone(job: WriteJob | ChunkJob): job is LoneJob {
  return job.kind === 'compact' || job.kind === 'setDurability';
}

/** The jobs that write what the owner chooses and notes. */
export type OwnerJob = Extract<WriteJob, { kind: 'note' | 'choose' | 'writeEntry' | 'deleteEntry' }>;

/** Blocks whose signatures are checked, in memory that the writer thread shares: no message. */
export interface ChunkJob {
  readonly kind: 'chunk';
  readonly chunk: Chunk;
}

/** The answer of each kind of job. */
export interface WriteResults {
  /** For each row its Fate, and when it was received as that is stored. */
  readonly append: { readonly fates: Uint8Array; readonly receivedAt: Float64Array };
  /** A Fate for each block. */
  readonly chunk: Uint8Array;
  readonly register: Registered;
  readonly count: null;
  readonly forget: { readonly readings: number; readonly isDone: boolean };
  readonly prune: Pruned;
  /** `next`: what the next step goes on after; null: there is none. */
  readonly pruneStrays: { readonly readings: number; readonly next: bigint | null };
  readonly moveArrivals: MovedStep;
  readonly note: null;
  readonly choose: null;
  /** The id of the entry; null where there is none of the one given. */
  readonly writeEntry: number | null;
  /** Whether there was one. */
  readonly deleteEntry: boolean;
  readonly checkpoint: null;
  readonly compact: null;
  readonly setDurability: null;
}

export type WriteResult = WriteResults[keyof WriteResults];

/** Why nothing of a job was written. */
export interface WriteFailure {
  readonly ok: false;
  /** null if the job was at fault, not the store. */
  readonly code: StoreFault | null;
  readonly message: string;
  /** The code of SQLite or of the system, for the log; null: there is none. */
  readonly engineCode: string | null;
}

/** How a job ended. */
export type WriteOutcome = { readonly ok: true; readonly result: WriteResult } | WriteFailure;
