import type { Correction } from '../../shared/measures/correction.ts';
import type { JournalEntry } from '../../shared/owner-data/journal.ts';
import type { DeviceNotes } from '../../shared/owner-data/notes.ts';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { FieldName } from '../../shared/protocol/fields.ts';
import type { MovedArrivals } from './arrival-move.ts';
import type { OutcomeCount, UnregisteredDevice, WithheldCount } from './counts.ts';
import type { RegisteredDevice } from './port.ts';
import type { Position, Reading } from './reading.ts';
import type { LoggedReading, StoreLog } from './store-log.ts';

// The owner's view of both stores. A reading that both stores have (by device and seq) counts once, as the private
// store has it.

/** A device and its data in all stores. */
export interface KnownDevice {
  readonly id: string;
  /** The entries of the stores that know the device, the private one first. At least one. */
  readonly entries: readonly { readonly store: StoreName; readonly device: RegisteredDevice }[];
  readonly notes: DeviceNotes;
  /**
   * The corrections from the owner's calibrations, in the order of time. Stored values stay as the device signed them.
   */
  readonly corrections: readonly Correction[];
}

/** A reading and the store that it comes from. */
export interface MergedReading extends Reading {
  readonly store: StoreName;
}

/**
 * The order of readings in time: by the device's timestamps (then by seq) or, if its clock is not set, by the times of
 * arrival (in the order of seq).
 */
export type Axis = 'timestamp' | 'received';

/** A range of times on an axis, both inclusive. */
export interface Span {
  readonly axis: Axis;
  readonly from: bigint;
  readonly to: bigint;
}

/** A filter for readings that have a field, in a certain form and between two bounds, both inclusive. */
export interface ReadingFilter {
  readonly field: FieldName;
  /** With a bound, sealed values are left out in every form. */
  readonly form: 'any' | 'plain' | 'sealed';
  readonly min: number | null;
  readonly max: number | null;
}

/** The options of a page of readings. */
export interface PageOptions {
  /** Default: ascending. */
  readonly order?: 'ascending' | 'descending';
  readonly filter?: ReadingFilter | null;
  /** Whether to return the signed raw string of each reading too. */
  readonly withSigned?: boolean;
}

/** The number of a device's readings in a store, and of those in which a field is plain or sealed. */
export interface HeldCounts {
  readonly store: StoreName;
  readonly count: number;
  readonly fields: Readonly<Record<FieldName, { readonly plain: number; readonly sealed: number }>>;
}

/** The sums of one field over some readings. Without plain values, `min`, `max` and `mean` are null. */
export interface FieldSums {
  /** The number of plain values. */
  readonly count: number;
  readonly sealed: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
}

/** The sums of the readings in one step of an axis. */
export interface StepSums {
  /** The start of the step: a multiple of its width. */
  readonly time: number;
  readonly readings: number;
  readonly fields: Readonly<Record<FieldName, FieldSums>>;
}

/**
 * The bytes that new rows of a device take in a store: a reading, the sums of an hour, and the sums that retention
 * leaves.
 */
export type RowBytes = ReadonlyMap<
  string,
  {
    readonly reading: number;
    readonly hour: number;
    readonly retainedHour: number;
    /** The part of that size that old rows take: less than 1 after compacting. */
    readonly packed: number;
    /** The size of the hash of a reading's log entry: it stays when the reading is deleted. */
    readonly leaf: number;
  }
>;

/** The hourly sums that a store has of a device in a range of hours. */
export interface HoursHeld {
  readonly hours: number;
  readonly readings: number;
  /** null if there are none. */
  readonly firstHour: number | null;
}

/** Both stores as of one moment: later writes are not visible. Invalid after the end of its snapshot. */
export interface StoresView {
  /** The existing stores, the private one first. */
  readonly names: readonly StoreName[];
  /** Returns all devices, those of the private store first, each store's in the order of registration. */
  devices(): Promise<readonly KnownDevice[]>;
  device(id: string): Promise<KnownDevice | null>;
  /** Returns the owner keys of the private store's devices. */
  privateOwners(): Promise<ReadonlySet<string>>;
  /** Returns the counts of each store that knows the device. */
  heldCounts(id: string): Promise<readonly HeldCounts[]>;
  /**
   * Returns the Unix milliseconds before which retention may have deleted readings of a device, in either store; null
   * if it never deleted any. Sums of an earlier time are by the hour.
   */
  keptFrom(id: string): Promise<number | null>;
  /** Returns how many readings of a device `prune` and `pruneStrays` would delete before a time. */
  countBefore(store: StoreName, id: string, before: number): Promise<number>;
  /** Returns the fields that each store withheld of a device. */
  withheld(id: string): Promise<readonly (Omit<WithheldCount, 'deviceId'> & { readonly store: StoreName })[]>;
  unregistered(store: StoreName): Promise<readonly UnregisteredDevice[]>;
  /** Returns at most `limit` moves of times of a device in either store, the latest first. */
  movedArrivals(id: string, limit: number): Promise<readonly MovedArrivals[]>;
  /** Returns the owner's choices: JSON values as they were written. */
  choices(): Promise<ReadonlyMap<string, unknown>>;
  /**
   * Returns the newest journal entries between two times, both inclusive, newest first. With a device, those of it and
   * those without a device; with null, all.
   */
  journal(device: string | null, from: number, to: number, limit: number): Promise<readonly JournalEntry[]>;
  /** Returns the journal entries that have photos, oldest first. */
  entriesWithPhotos(): Promise<readonly JournalEntry[]>;
  /** Returns the number of blocks of a store by outcome, since an hour. */
  outcomesSince(store: StoreName, hour: number): Promise<readonly Omit<OutcomeCount, 'hour'>[]>;
  /** Returns the size of a store, in bytes. */
  bytes(store: StoreName): Promise<number>;
  /** Returns the part of this size that deleted readings left. */
  unusedBytes(store: StoreName): Promise<number>;
  /**
   * Returns the bytes that rows of these devices take in a store, by device. `readings` is the number of the device's
   * readings there.
   */
  rowBytes(store: StoreName, held: readonly { readonly id: string; readonly readings: number }[]): Promise<RowBytes>;
  /** Returns the approximate size of a compact copy of a store, in bytes; `readings` as in `rowBytes`. */
  copyBytes(store: StoreName, held: readonly { readonly id: string; readonly readings: number }[]): Promise<number>;
  /**
   * Returns the hourly sums from hour `from` to `to` (exclusive, since 1970) that a store has in addition to the
   * readings.
   */
  hoursHeld(store: StoreName, id: string, from: number, to: number): Promise<HoursHeld>;

  /** Returns the newest readings in the order of an axis, newest first; on the axis `timestamp`, none after `to`. */
  latest(id: string, axis: Axis, limit: number, to?: bigint): Promise<readonly MergedReading[]>;
  /** Returns the newest reading by timestamp with a value of a field between two hours, both inclusive; or null. */
  newestWith(id: string, field: FieldName, fromHour: number, toHour: number): Promise<MergedReading | null>;
  /** Returns readings of a span in the order of its axis or in reverse, after a position (null: from the start). */
  page(
    id: string,
    span: Span,
    after: Position | null,
    limit: number,
    options?: PageOptions,
  ): Promise<readonly MergedReading[]>;
  log(store: StoreName): Promise<StoreLog>;
  /**
   * Returns readings of a device in a store, in the order of the span's axis, after a position (null: from the start).
   */
  loggedReadings(
    store: StoreName,
    id: string,
    span: Span,
    after: Position | null,
    limit: number,
  ): Promise<readonly LoggedReading[]>;
  /** Returns the number of readings of a span, counted up to an optional limit. */
  count(id: string, span: Span, limit?: number, filter?: ReadingFilter | null): Promise<number>;
  /** Like `count`, but quick and up to a limit: a reading that both stores have may count twice. */
  estimate(id: string, span: Span, limit: number): Promise<number>;
  /** Returns the number of readings that both stores have and that the public one received at or after a time. */
  countInBoth(id: string, since: number): Promise<number>;
  /**
   * Returns the first and the last timestamp between two in either store, below 2^63; null if there is none. An hour
   * with only sums counts from its first millisecond.
   */
  timestamps(id: string, from: bigint, to: bigint): Promise<{ readonly first: bigint; readonly last: bigint } | null>;
  /**
   * Returns when the first and the latest reading were received in either store; null if there is none. With `until`,
   * none after that time (then the latest may be the first of an hour).
   */
  arrivals(id: string, until?: number): Promise<{ readonly first: number; readonly last: number } | null>;
  /**
   * Returns the sums of the readings of a span by steps of its axis, in ascending order, without empty steps. Steps of
   * whole hours are quick for any number of readings; shorter ones read every reading.
   */
  sums(id: string, span: Span, stepMs: number): Promise<readonly StepSums[]>;
}

/** The part of the view that proofs need. */
export type LogView = Pick<StoresView, 'devices' | 'log' | 'loggedReadings'>;

/** Reads a store with its log. */
export interface LogReader {
  /** Runs queries on one state of the store. */
  snapshot<T>(run: (view: LogView) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Reads both stores for the owner, on the thread that opened it. */
export interface StoresReader {
  /** Runs queries on one state of the stores. Only one call runs at a time; another one waits. */
  snapshot<T>(run: (stores: StoresView) => Promise<T>): Promise<T>;
  /** Drops cached data of a device whose readings were deleted. */
  forgotten(id: string): void;
  /**
   * Computes in advance the data for a chart of a device by arrival, from about `readings` readings. Resolves with
   * whether more is left to compute.
   */
  prepareArrivals(id: string, readings: number): Promise<boolean>;
  close(): Promise<void>;
}
