import type { Correction } from '../../shared/measures/correction.ts';
import type { ChoiceName } from '../../shared/owner-data/choices.ts';
import type { JournalEntry } from '../../shared/owner-data/journal.ts';
import type { DeviceNotes } from '../../shared/owner-data/notes.ts';
import type { RegistrationWay } from '../../shared/proof/leaf.ts';
import type { DeviceType, PublishTo, StoreName } from '../../shared/protocol/codes.ts';
import type { DeviceRegistration, PrivacyPolicy } from '../../shared/protocol/device.ts';
import type { FieldName } from '../../shared/protocol/fields.ts';
import type { StoreRefusal } from '../common/node-events.ts';
import type { ArrivalMove, MovedArrivals, MovedStep, MovedTo } from './arrival-move.ts';
import type { NodeFacts, PoolFacts, PostedCount } from './operator.ts';
import type { BlockOutcome, NewBlock, NewReading, Reading, ReadingOutcome } from './reading.ts';

/**
 * The interface between a store and the rest of the program. A device is its id (public key, lowercase hex), `seq` and
 * `timestamp` are unsigned 64-bit values, every other time is Unix milliseconds of this node's clock. Each engine
 * chooses how it stores them. Every method rejects with StorageUnavailable if the storage is at fault.
 */

/** Outcomes and sums are stored by the hour; hours are counted since 1970, UTC. */
export const HOUR_MS = 3_600_000;

/** A device in one store. It never changes after its registration. */
export interface RegisteredDevice {
  readonly id: string;
  readonly mac: string;
  /** Lowercase hex. */
  readonly ownerPubkey: string;
  /** Without a name in the registration, the first characters of the key. */
  readonly ownerName: string;
  readonly name: string;
  readonly type: DeviceType;
  readonly location: bigint | null;
  readonly publishTo: PublishTo;
  readonly privacyPolicy: PrivacyPolicy;
  readonly hardware: { readonly model?: string; readonly firmware_version?: string };
  readonly createdAt: number;
}

/** A page of a store's devices. */
export interface DevicePage {
  /** The page begins after this device; null: with the first device. After an unknown device, the page is empty. */
  readonly after: string | null;
  readonly limit: number;
}

/** The way in which a device was registered, for the log. */
export interface RegistrationOrigin {
  readonly way: RegistrationWay;
  /** The name of the pairing that adopted the device; null: it was adopted at the machine itself, or not adopted. */
  readonly by: string | null;
  /** The registration that the device sent; null: it was adopted before it sent one. */
  readonly received: DeviceRegistration | null;
}

/** The result of a registration: `limit` if the store has its maximum number of devices. */
export type Registered = 'created' | 'exists' | 'limit';

/** Why something was accepted but not stored: `publish_to` counts blocks, the others count values of a field. */
export type WithheldCause = 'publish_to' | 'omit' | 'encrypted_only';

/** The number of blocks or values of a device that were withheld for one cause. */
export interface WithheldCount {
  readonly deviceId: string;
  readonly cause: WithheldCause;
  /** null if whole blocks are counted. */
  readonly field: FieldName | null;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** The number of blocks with an outcome in an hour: `stored`, or the cause of a refusal. */
export interface OutcomeCount {
  readonly hour: number;
  readonly outcome: string;
  readonly count: number;
}

/** A device that sends blocks without being registered. */
export interface UnregisteredDevice {
  readonly id: string;
  readonly attempts: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly lastError: string;
}

/** Counts to add to those of a store. */
export interface Counts {
  readonly withheld: readonly WithheldCount[];
  readonly outcomes: readonly OutcomeCount[];
  /** Replaces the list of the store; null leaves the list unchanged. */
  readonly unregistered: readonly UnregisteredDevice[] | null;
}

/** An entry of the journal to write: `id` is null for a new one. */
export interface NewEntry extends Omit<JournalEntry, 'id'> {
  readonly id: number | null;
}

/** One store. When the promise of a write resolves, the data is permanently on disk. */
export interface Store {
  readonly name: StoreName;
  /** Present if other nodes use the store too, so that earlier reads may be outdated. */
  readonly shared?: SharedLimits;
  /** Returns a registered device by its id, or null. */
  device(id: string): Promise<RegisteredDevice | null>;
  /** Returns all devices or a page of them, in the order of registration. */
  devices(page?: DevicePage): Promise<readonly RegisteredDevice[]>;
  /** Registers a device. With `origin`, a store with a log records how the device was registered. */
  register(registration: DeviceRegistration, createdAt: number, origin?: RegistrationOrigin): Promise<Registered>;
  /**
   * Deletes at most `limit` readings of a device, and with the last of them everything else of the device. Call it
   * until `isDone`. Until then, also after a crash, the device stays registered with fewer readings.
   */
  forget(id: string, limit: number): Promise<{ readonly readings: number; readonly isDone: boolean }>;
  /**
   * Deletes about `limit` readings of a device, in whole hours, that were both measured and received before a time
   * (Unix milliseconds), and keeps the sums of their hours. Call it until `isDone`. The newest 500 stay, and those that
   * are not summed up yet (`isWaiting`). If a reading for such an hour is sent again, it is a `duplicate`.
   */
  prune(id: string, before: number, limit: number): Promise<Pruned>;
  /**
   * Deletes at most `limit` readings that were received before a time and have meaningless timestamps: of a device
   * without a clock, or dated ahead. No sums of them are kept. `after` is the `next` of the previous step; null for the
   * first.
   */
  pruneStrays(
    id: string,
    before: number,
    after: bigint | null,
    limit: number,
  ): Promise<{ readonly readings: number; readonly next: bigint | null }>;
  /**
   * Moves the times of arrival that a wrong clock gave, and the data derived from them. A step moves about `limit`
   * readings; call it with the returned `next` until that is null. Times that the clock gives later are moved too. A
   * repeated move does nothing.
   */
  moveArrivals(move: ArrivalMove, after: MovedTo | null, limit: number): Promise<MovedStep>;
  /**
   * Ingests blocks: checks their signatures and stores the readings of the good ones. Resolves with one outcome per
   * block, in their order, when all outcomes are known. Of several readings with the same device and seq, the first is
   * stored, within a call and in the order of calls. Never rejects; a block that may not be stored is `refused`.
   */
  ingest(blocks: readonly NewBlock[]): Promise<readonly BlockOutcome[]>;
  /** Stores readings in one transaction, without checking signatures. The outcomes are in the order of the readings. */
  append(readings: readonly NewReading[]): Promise<readonly ReadingOutcome[]>;
  /**
   * Returns the latest readings of a device: by timestamp, then by seq, newest first. With `before`, those after the
   * reading with that seq in this order; if it does not exist, those from the reading with the next lower seq on.
   */
  latest(id: string, limit: number, before?: bigint | null): Promise<readonly Reading[]>;
  /**
   * Adds counts. With `rideMs`, they wait at most so many milliseconds for another write, and are then written alone
   * without a sync: only in this case, a power cut may lose them.
   */
  addCounts(counts: Counts, rideMs?: number): Promise<void>;
  /** Stores a signed checkpoint of the log. Missing if the engine has no log. */
  addCheckpoint?(checkpoint: StoredCheckpoint): Promise<void>;
  /** Returns the size in bytes, as its bound counts it. It is cheap enough for many calls per second. */
  bytes(): Promise<number>;
  /** Returns the unregistered devices of the last `addCounts` that had any, the latest last. */
  unregistered(): Promise<readonly UnregisteredDevice[]>;
  /**
   * Replaces the owner's notes on a device, known or not. null removes them, and unless `keepsLog` is set also the
   * device's journal entries, tasks and crop cycles. Only the private store has notes.
   */
  setNotes(id: string, notes: DeviceNotes | null, updatedAt: number, keepsLog?: boolean): Promise<void>;
  /** Replaces one of the owner's choices with a JSON value. Only the private store has choices and a journal. */
  setChoice(name: ChoiceName, value: unknown, updatedAt: number): Promise<void>;
  /** Returns the owner's choices, by name. */
  choices(): Promise<ReadonlyMap<string, unknown>>;
  /**
   * Replaces an entry of the journal, or adds one if `id` is null, and writes `along` in the same transaction. Returns
   * the entry's id; null if there is no entry with that id.
   */
  writeEntry(entry: NewEntry, along?: { readonly name: ChoiceName; readonly value: unknown }): Promise<number | null>;
  /** Returns whether the entry existed. */
  deleteEntry(id: number): Promise<boolean>;
  /** Returns an entry of the journal, or null. */
  entry(id: number): Promise<JournalEntry | null>;
  /** Returns the journal entries that have photos, oldest first. */
  entriesWithPhotos(): Promise<readonly JournalEntry[]>;
  /**
   * Returns the space of deleted readings to the disk. This takes a while, during which nothing else is written.
   * Missing if the engine does this itself.
   */
  compact?(): Promise<void>;
  /** Sets whether commits wait for the disk from now on. Missing if they always do. */
  setDurability?(durability: Durability): Promise<void>;
  /**
   * Returns why the store would refuse a reading now, or null. The writing thread answers, so there is no answer while
   * it hangs. It writes a test only if the last write failed. Never rejects.
   */
  refusal(): Promise<StoreRefusal | null>;
  close(): Promise<void>;
}

/** The coordination of nodes that share one store. Every method rejects with StorageUnavailable. */
export interface SharedLimits {
  /** Returns the number of devices, and a text that changes whenever the list of devices changes. */
  list(): Promise<{ readonly count: number; readonly version: string }>;
  /**
   * Returns whether this node gets or renews the exclusive right to a task for some milliseconds. After that time,
   * another node can get it.
   */
  lease(name: string, ms: number): Promise<boolean>;
  /** Returns the connections of this node. */
  connections(): PoolFacts;
  /** Reports that this node is running. Call it every 15 s until `ended`. */
  beat(facts: NodeFacts): Promise<void>;
  ended(): Promise<void>;
  /** Adds the numbers of readings by device, for the operator. */
  addPosted(counts: readonly PostedCount[]): Promise<void>;
  /**
   * Puts at most `limit` waiting entries into the log's tree, in the order in which they were stored. Returns the
   * number of entries: less than `limit` if there are no more entries.
   */
  logWaiting(limit: number): Promise<number>;
  /** Stores a signed checkpoint of the log. */
  addCheckpoint(checkpoint: StoredCheckpoint): Promise<void>;
  /**
   * Counts a registration from an address if all nodes together have counted fewer than `most` within `withinMs`. Then
   * `waitMs` is 0, and `takeBack` undoes it. Otherwise `waitMs` is the time until the next registration is possible.
   */
  takeRegistration(
    address: string,
    most: number,
    withinMs: number,
  ): Promise<{ readonly waitMs: number; readonly takeBack: () => Promise<void> }>;
}

/** `full`: a commit waits for the disk. `normal`: a power cut may undo it. */
export type Durability = 'full' | 'normal';

/** The bounds of a store that devices write to. */
export interface StoreBounds {
  readonly maxDevices: number;
  readonly maxBytes: number;
  /** The free space that readings and devices never use: bytes, or a part of the disk if that is less. */
  readonly minFreeBytes: number;
  readonly minFreePart: number;
}

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

/** The position of a reading on an axis. */
export interface Position {
  readonly timestamp: bigint;
  readonly seq: bigint;
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

/** The result of a step of retention. */
export interface Pruned {
  readonly readings: number;
  readonly isDone: boolean;
  /** Whether older readings stay for now because their sums are not made yet. */
  readonly isWaiting: boolean;
}

/** A reading and its entry in the log. */
export interface LoggedReading extends Position {
  /** The index of its leaf; null if it has none, or none that is hashed. */
  readonly index: number | null;
  /** The stored time of arrival, Unix milliseconds. The entry has the time that was first recorded. */
  readonly receivedAt: number;
  /** The text of its entry. */
  readonly text: string;
}

/** A contradiction between a store and its log. */
export interface LogProblem {
  readonly index: number;
  /**
   * `changed`: the data differs from the log; `deleted`: the data is missing, but the program did not delete it;
   * `hash`: a hash of the log is wrong.
   */
  readonly kind: 'changed' | 'deleted' | 'hash';
  /** null if it is not known, or if the entry is not a reading. */
  readonly reading: { readonly device: string; readonly seq: string } | null;
}

/** A signed checkpoint of a store's log. */
export interface StoredCheckpoint {
  readonly size: number;
  /** When the checkpoint was signed, Unix milliseconds. */
  readonly at: number;
  readonly note: string;
}

/** The log of a store: a Merkle tree (RFC 6962) of the stored data, as one snapshot sees it. */
export interface StoreLog {
  /** The number of hashed leaves. */
  readonly size: number;
  /**
   * Returns the hash of a complete subtree: of the 2^level leaves from position * 2^level on. Throws if the log lacks
   * it.
   */
  subtree(level: number, position: number): Uint8Array;
  /** Returns the entries that record moves of times of arrival. */
  corrections(): readonly { readonly index: number; readonly text: string }[];
  /** Returns the registrations of a device, or of all devices (null). */
  registrations(device: string | null): readonly { readonly index: number; readonly text: string }[];
  /** Returns the checkpoints in the order of their sizes. */
  checkpoints(): readonly StoredCheckpoint[];
  /** Compares the 256 leaves of a block, and the hashes that it completes, with the stored data. */
  check(block: number): readonly LogProblem[] | Promise<readonly LogProblem[]>;
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
