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
 * The interface of a store to the rest of the program: a device is its id (public key, lowercase hex), `seq` and
 * `timestamp` are unsigned 64-bit values, every other time is Unix milliseconds of this node's clock. How an engine
 * keeps them is its own affair. Every method rejects with StorageUnavailable if the storage is at fault.
 */

/** Outcomes and sums are kept by the hour; hours are counted since 1970, UTC. */
export const HOUR_MS = 3_600_000;

/** A device as one store knows it. It never changes after its registration. */
export interface RegisteredDevice {
  readonly id: string;
  readonly mac: string;
  /** Lowercase hex. */
  readonly ownerPubkey: string;
  /** Where none was told, the first characters of the key. */
  readonly ownerName: string;
  readonly name: string;
  readonly type: DeviceType;
  readonly location: bigint | null;
  readonly publishTo: PublishTo;
  readonly privacyPolicy: PrivacyPolicy;
  readonly hardware: { readonly model?: string; readonly firmware_version?: string };
  readonly createdAt: number;
}

/** A part of the devices of a store. */
export interface DevicePage {
  /** The device that it begins behind; null: it begins with the first. An unknown one has none behind it. */
  readonly after: string | null;
  readonly limit: number;
}

/** How a device came to be registered, for the log. */
export interface RegistrationOrigin {
  readonly way: RegistrationWay;
  /** The name of the pairing that adopted it; null: somebody at the machine itself, or nobody adopted it. */
  readonly by: string | null;
  /** The registration that the device sent; null: it was adopted without having sent any. */
  readonly received: DeviceRegistration | null;
}

/** How a registration ended: `limit` where the store holds as many devices as it may. */
export type Registered = 'created' | 'exists' | 'limit';

/** Why something that was accepted is not kept: `publish_to` counts blocks, the others count values of a field. */
export type WithheldCause = 'publish_to' | 'omit' | 'encrypted_only';

/** How much was withheld of a device for one cause. */
export interface WithheldCount {
  readonly deviceId: string;
  readonly cause: WithheldCause;
  /** null where whole blocks are counted. */
  readonly field: FieldName | null;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Blocks by outcome and hour: `stored`, or the cause of a refusal. */
export interface OutcomeCount {
  readonly hour: number;
  readonly outcome: string;
  readonly count: number;
}

/** A device that brings blocks without being registered. */
export interface UnregisteredDevice {
  readonly id: string;
  readonly attempts: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly lastError: string;
}

/** Counts to be added to those that a store keeps. */
export interface Counts {
  readonly withheld: readonly WithheldCount[];
  readonly outcomes: readonly OutcomeCount[];
  /** Takes the place of the list that the store has; null leaves it as it is. */
  readonly unregistered: readonly UnregisteredDevice[] | null;
}

/** An entry of the journal on its way to the store: a new one where `id` is null. */
export interface NewEntry extends Omit<JournalEntry, 'id'> {
  readonly id: number | null;
}

/** One store. What a promise says is written is on disk, for good, when it resolves. */
export interface Store {
  readonly name: StoreName;
  /** Where other nodes use the store too, so that what was read of it once may have changed. Missing: none does. */
  readonly shared?: SharedLimits;
  /** The device of an id; null where none is registered. */
  device(id: string): Promise<RegisteredDevice | null>;
  /** Devices in the order of registration: all, or a page of them. */
  devices(page?: DevicePage): Promise<readonly RegisteredDevice[]>;
  /** With an `origin`, a store that has a log keeps in it how the device came to be registered. */
  register(registration: DeviceRegistration, createdAt: number, origin?: RegistrationOrigin): Promise<Registered>;
  /**
   * Deletes at most `limit` readings of a device, and with the last of them all else that there is of it; to be called
   * until `isDone`. Until then, also after a crash, it is a device with fewer readings.
   */
  forget(id: string, limit: number): Promise<{ readonly readings: number; readonly isDone: boolean }>;
  /**
   * Deletes readings of a device, at least about `limit` where there are so many, that were both measured and received
   * before a time (Unix milliseconds), and keeps the sums of their hours; to be called until `isDone`. The newest 500
   * stay, and what is not summed up yet (`isWaiting`). A reading that comes again for such an hour is a `duplicate`.
   */
  prune(id: string, before: number, limit: number): Promise<Pruned>;
  /**
   * Deletes readings, at most `limit`, that were received before a time and whose timestamps say nothing: of a device
   * without a clock, or dated ahead. No sums of them are kept. `after` is the `next` of the step before; null: none.
   */
  pruneStrays(
    id: string,
    before: number,
    after: bigint | null,
    limit: number,
  ): Promise<{ readonly readings: number; readonly next: bigint | null }>;
  /**
   * Moves the times of arrival by a clock, and what is derived from them, a few hundred readings at least about `limit`
   * in one go; to be called with what it gave until that is null. What arrives by that clock from now on is moved with
   * it. A move that was made already does nothing.
   */
  moveArrivals(move: ArrivalMove, after: MovedTo | null, limit: number): Promise<MovedStep>;
  /**
   * Takes in blocks: checks their signatures and stores the readings of the good ones. Resolves with one outcome per block,
   * in their order, once the outcome of all of them is known. Of readings of one device and seq the first stays, in one
   * call and in the order of calls. Never rejects; a block that may not be stored is `refused`.
   */
  ingest(blocks: readonly NewBlock[]): Promise<readonly BlockOutcome[]>;
  /** Stores readings together, all or none, without checking a signature; the outcomes are in their order. */
  append(readings: readonly NewReading[]): Promise<readonly ReadingOutcome[]>;
  /**
   * The latest readings of a device: by timestamp, then by seq, newest first. With `before` those that come after the reading
   * of that seq in this order; where there is none, from the reading of the next lower seq on.
   */
  latest(id: string, limit: number, before?: bigint | null): Promise<readonly Reading[]>;
  /**
   * Adds counts. With `rideMs` they wait so many milliseconds at most for something else to be written, and are then written
   * by themselves without a sync: a power cut may take them back, which no other promise here allows.
   */
  addCounts(counts: Counts, rideMs?: number): Promise<void>;
  /** Keeps a signed checkpoint of its log. Missing: the engine keeps no log. */
  addCheckpoint?(checkpoint: StoredCheckpoint): Promise<void>;
  /** The bytes that it takes, as its bound counts them: cheap enough to be asked many times a second. */
  bytes(): Promise<number>;
  /** The unregistered devices of the last `addCounts` that named any, the latest last. */
  unregistered(): Promise<readonly UnregisteredDevice[]>;
  /**
   * Replaces the owner's notes on a device, known or not, or removes them, and with them its entries in the journal, its tasks
   * and its crop cycles, unless these are kept. The private store alone has notes.
   */
  setNotes(id: string, notes: DeviceNotes | null, updatedAt: number, keepsLog?: boolean): Promise<void>;
  /** Replaces what the owner chose under a name: any JSON value. In the private store alone, as the journal. */
  setChoice(name: ChoiceName, value: unknown, updatedAt: number): Promise<void>;
  /** The owner's choices, by name. */
  choices(): Promise<ReadonlyMap<string, unknown>>;
  /**
   * Writes an entry of the journal again, or a new one where `id` is null, and `along` with it: both or none. Gives its
   * id, null where there is none.
   */
  writeEntry(entry: NewEntry, along?: { readonly name: ChoiceName; readonly value: unknown }): Promise<number | null>;
  /** Gives whether there was one. */
  deleteEntry(id: number): Promise<boolean>;
  /** An entry of the journal; null: there is none. */
  entry(id: number): Promise<JournalEntry | null>;
  /** The entries of the journal that have photos, oldest first. */
  entriesWithPhotos(): Promise<readonly JournalEntry[]>;
  /**
   * Gives what deleted readings left back to the disk. It takes a while, in which nothing else is written. Missing: the
   * engine does so by itself.
   */
  compact?(): Promise<void>;
  /** Sets whether a commit waits for the disk from now on. Missing: it does in any case. */
  setDurability?(durability: Durability): Promise<void>;
  /**
   * Why it would refuse a reading now; null: it would not. What is asked is the thread that writes: no answer is to come
   * where that hangs. Where the last write went well nothing is written to find out. Never rejects.
   */
  refusal(): Promise<StoreRefusal | null>;
  close(): Promise<void>;
}

/** The facts that nodes with one shared store keep about each other. Every method rejects with StorageUnavailable. */
export interface SharedLimits {
  /** How many devices there are, and another text whenever the list of devices has changed. */
  list(): Promise<{ readonly count: number; readonly version: string }>;
  /**
   * Whether this node alone may do something that is done by one of them, for some milliseconds from now on; it may ask again to
   * go on. Another one may once that time is over.
   */
  lease(name: string, ms: number): Promise<boolean>;
  /** The connections of this node. */
  connections(): PoolFacts;
  /** Says that this node runs: to be called every 15 s, until `ended`. */
  beat(facts: NodeFacts): Promise<void>;
  ended(): Promise<void>;
  /** Adds how many readings devices brought, for the operator. */
  addPosted(counts: readonly PostedCount[]): Promise<void>;
  /**
   * Puts at most so many of the entries that wait into the log's tree, in the order in which they were stored. Gives how many
   * it took: fewer than `limit` where none is left.
   */
  logWaiting(limit: number): Promise<number>;
  /** Keeps a signed checkpoint of the log. */
  addCheckpoint(checkpoint: StoredCheckpoint): Promise<void>;
  /**
   * Counts a registration from an address where fewer than `most` were counted within some milliseconds, by any node: then
   * `waitMs` is 0, and `takeBack` undoes it. Else it says how long the next one has to wait.
   */
  takeRegistration(
    address: string,
    most: number,
    withinMs: number,
  ): Promise<{ readonly waitMs: number; readonly takeBack: () => Promise<void> }>;
}

/** Whether a commit waits for the disk (`full`), or may be taken back by a power cut. */
export type Durability = 'full' | 'normal';

/** The bounds of a store that devices write to. */
export interface StoreBounds {
  readonly maxDevices: number;
  readonly maxBytes: number;
  /** Free bytes of the disk that readings and devices never use up, or a part of a small disk where that is less. */
  readonly minFreeBytes: number;
  readonly minFreePart: number;
}

// The owner's view of both stores. A reading that both have (by device and seq) is one, whole as the private store has it.

/** A device as all stores know it. */
export interface KnownDevice {
  readonly id: string;
  /** The facts of each store that knows it, the private one first. At least one. */
  readonly entries: readonly { readonly store: StoreName; readonly device: RegisteredDevice }[];
  readonly notes: DeviceNotes;
  /** By the owner's calibrations, in the order of time. What is stored stays as the device signed it. */
  readonly corrections: readonly Correction[];
}

/** A reading and the store that it comes from. */
export interface MergedReading extends Reading {
  readonly store: StoreName;
}

/**
 * The position of readings in time: the device's timestamps (in their order, then by seq) or, if its clock is not set,
 * the times when they were received (in the order of seq).
 */
export type Axis = 'timestamp' | 'received';

/** Readings between two times of an axis, both inclusive. */
export interface Span {
  readonly axis: Axis;
  readonly from: bigint;
  readonly to: bigint;
}

/** Where a reading stands in the order of an axis. */
export interface Position {
  readonly timestamp: bigint;
  readonly seq: bigint;
}

/** Which readings are wanted: those that have a field, in some form and between two bounds, both inclusive. */
export interface ReadingFilter {
  readonly field: FieldName;
  /** A bound leaves sealed values out, whatever the form. */
  readonly form: 'any' | 'plain' | 'sealed';
  readonly min: number | null;
  readonly max: number | null;
}

/** How a page of readings is made. */
export interface PageOptions {
  /** Ascending where nothing is said. */
  readonly order?: 'ascending' | 'descending';
  readonly filter?: ReadingFilter | null;
  /** Gives what was signed of each, too. */
  readonly withSigned?: boolean;
}

/** How many readings a store has of a device, and in how many of them a field is plain or sealed. */
export interface HeldCounts {
  readonly store: StoreName;
  readonly count: number;
  readonly fields: Readonly<Record<FieldName, { readonly plain: number; readonly sealed: number }>>;
}

/** The sums of one field over some readings. Without plain values `min`, `max` and `mean` are null. */
export interface FieldSums {
  /** Plain values. */
  readonly count: number;
  readonly sealed: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
}

/** The readings of one step of an axis. */
export interface StepSums {
  /** When the step begins: a multiple of its width. */
  readonly time: number;
  readonly readings: number;
  readonly fields: Readonly<Record<FieldName, FieldSums>>;
}

/**
 * The bytes that new rows of a device take in a store: a reading, the sums of an hour, and those that retention leaves.
 */
export type RowBytes = ReadonlyMap<
  string,
  {
    readonly reading: number;
    readonly hour: number;
    readonly retainedHour: number;
    /** How much of that old rows take: less than 1 after compacting. */
    readonly packed: number;
    /** The hash of a reading's entry in the log: it stays when the reading is deleted. */
    readonly leaf: number;
  }
>;

/** The sums that a store has of some hours of a device. */
export interface HoursHeld {
  readonly hours: number;
  readonly readings: number;
  /** null for none. */
  readonly firstHour: number | null;
}

/** The result of a step of retention. */
export interface Pruned {
  readonly readings: number;
  readonly isDone: boolean;
  /** Whether older readings stay for now, as sums are still to be made of them. */
  readonly isWaiting: boolean;
}

/** A reading and its entry in the log. */
export interface LoggedReading extends Position {
  /** The index of its leaf; null: it has none, or none that is hashed. */
  readonly index: number | null;
  /** As the store has it now, Unix milliseconds: the entry has the time that was recorded first. */
  readonly receivedAt: number;
  /** The text of its entry. */
  readonly text: string;
}

/** Something in a store that does not agree with its log. */
export interface LogProblem {
  readonly index: number;
  /** `changed`: it is not what was stored; `deleted`: the program did not delete it; `hash`: a hash of the log is not right. */
  readonly kind: 'changed' | 'deleted' | 'hash';
  /** null if it is not known, or if there is none. */
  readonly reading: { readonly device: string; readonly seq: string } | null;
}

/** A signed checkpoint of a store's log. */
export interface StoredCheckpoint {
  readonly size: number;
  /** When it was signed, Unix milliseconds. */
  readonly at: number;
  readonly note: string;
}

/** The log of a store: a Merkle tree (RFC 6962) of what was stored, as one snapshot sees it. */
export interface StoreLog {
  /** How many leaves are hashed. */
  readonly size: number;
  /** The hash of a complete subtree: of the 2^level leaves from position * 2^level on. Throws where the log lacks it. */
  subtree(level: number, position: number): Uint8Array;
  /** The entries that say that times of arrival were moved. */
  corrections(): readonly { readonly index: number; readonly text: string }[];
  /** The registrations of a device, or of all (null). */
  registrations(device: string | null): readonly { readonly index: number; readonly text: string }[];
  /** In the order of their sizes. */
  checkpoints(): readonly StoredCheckpoint[];
  /** Compares the 256 leaves of a block, and the hashes that it completes, with what is stored. */
  check(block: number): readonly LogProblem[] | Promise<readonly LogProblem[]>;
}

/** Both stores as they are at one moment: what is written meanwhile is not seen. Not for use after its snapshot has ended. */
export interface StoresView {
  /** The stores that there are, the private one first. */
  readonly names: readonly StoreName[];
  /** All devices, those of the private store first, each store's in the order of registration. */
  devices(): Promise<readonly KnownDevice[]>;
  device(id: string): Promise<KnownDevice | null>;
  /** The owner keys of the private store's devices. */
  privateOwners(): Promise<ReadonlySet<string>>;
  /** The facts of each store that knows a device. */
  heldCounts(id: string): Promise<readonly HeldCounts[]>;
  /**
   * The Unix milliseconds before which retention may have deleted readings of a device, in either store; null: it never
   * did. Sums of an earlier time are by the hour.
   */
  keptFrom(id: string): Promise<number | null>;
  /** How many readings of a device `prune` and `pruneStrays` delete from a store that keeps those since a time. */
  countBefore(store: StoreName, id: string, before: number): Promise<number>;
  /** The fields that each store withheld of a device. */
  withheld(id: string): Promise<readonly (Omit<WithheldCount, 'deviceId'> & { readonly store: StoreName })[]>;
  unregistered(store: StoreName): Promise<readonly UnregisteredDevice[]>;
  /** When times of a device were moved in either store, the latest first, at most so many. */
  movedArrivals(id: string, limit: number): Promise<readonly MovedArrivals[]>;
  /** The owner's choices: JSON values as they were written. */
  choices(): Promise<ReadonlyMap<string, unknown>>;
  /** The newest entries of the journal between two times, both inclusive, newest first: of a device and of all, or of any. */
  journal(device: string | null, from: number, to: number, limit: number): Promise<readonly JournalEntry[]>;
  /** The entries of the journal that have photos, oldest first. */
  entriesWithPhotos(): Promise<readonly JournalEntry[]>;
  /** Blocks of a store by outcome, since an hour. */
  outcomesSince(store: StoreName, hour: number): Promise<readonly Omit<OutcomeCount, 'hour'>[]>;
  /** The bytes that a store takes. */
  bytes(store: StoreName): Promise<number>;
  /** The part of these that deleted readings left. */
  unusedBytes(store: StoreName): Promise<number>;
  /** The bytes that rows of these devices take in a store, by device; `readings` is how many readings it has there. */
  rowBytes(store: StoreName, held: readonly { readonly id: string; readonly readings: number }[]): Promise<RowBytes>;
  /** About what a compact copy of a store takes, in bytes; `readings` as for `rowBytes`. */
  copyBytes(store: StoreName, held: readonly { readonly id: string; readonly readings: number }[]): Promise<number>;
  /** The hours since 1970 from one up to another, not included, of which a store has sums beside the readings. */
  hoursHeld(store: StoreName, id: string, from: number, to: number): Promise<HoursHeld>;

  /** The newest readings in the order of an axis, newest first; on the axis `timestamp` none after `to`. */
  latest(id: string, axis: Axis, limit: number, to?: bigint): Promise<readonly MergedReading[]>;
  /** The newest reading by timestamp that has a value of a field within two hours, both inclusive; null: none. */
  newestWith(id: string, field: FieldName, fromHour: number, toHour: number): Promise<MergedReading | null>;
  /** Readings of a span in the order of its axis or against it, from after a position on (null: its start). */
  page(
    id: string,
    span: Span,
    after: Position | null,
    limit: number,
    options?: PageOptions,
  ): Promise<readonly MergedReading[]>;
  /** The log of a store. */
  log(store: StoreName): Promise<StoreLog>;
  /** The readings that a store has of a device, in the order of the span's axis, from after a position on (null: its start). */
  loggedReadings(
    store: StoreName,
    id: string,
    span: Span,
    after: Position | null,
    limit: number,
  ): Promise<readonly LoggedReading[]>;
  /** How many readings a span has, counted up to a limit where one is given. */
  count(id: string, span: Span, limit?: number, filter?: ReadingFilter | null): Promise<number>;
  /** Like `count`, but quick and up to a limit: a reading that both stores have may count twice. */
  estimate(id: string, span: Span, limit: number): Promise<number>;
  /** How many readings both stores have that the public one received at a time or later. */
  countInBoth(id: string, since: number): Promise<number>;
  /**
   * The first and the last timestamp in either store within two, below 2^63; null where there is none. An hour of which
   * only sums are kept begins with its first millisecond.
   */
  timestamps(id: string, from: bigint, to: bigint): Promise<{ readonly first: bigint; readonly last: bigint } | null>;
  /**
   * When the first and the latest reading were received in either store, not after a time where one is given (then the
   * latest may be an hour's first); null where there is none.
   */
  arrivals(id: string, until?: number): Promise<{ readonly first: number; readonly last: number } | null>;
  /**
   * The sums of the readings of a span by steps of its axis, in ascending order; steps without readings are left out.
   * Steps of whole hours are quick however many readings there are; shorter ones look at every reading.
   */
  sums(id: string, span: Span, stepMs: number): Promise<readonly StepSums[]>;
}

/** The part of the view that proofs are made from. */
export type LogView = Pick<StoresView, 'devices' | 'log' | 'loggedReadings'>;

/** Reads a store with its log. */
export interface LogReader {
  /** Runs queries on one state of the store. */
  snapshot<T>(run: (view: LogView) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Reads both stores for the owner, on whatever thread it was opened. */
export interface StoresReader {
  /** Runs queries on one state of the stores. One at a time: another waits until it has ended. */
  snapshot<T>(run: (stores: StoresView) => Promise<T>): Promise<T>;
  /** Takes in that readings of a device were deleted: what is remembered of it is made again. */
  forgotten(id: string): void;
  /**
   * Makes what a chart of a device by arrival needs ahead of the question, of at most about so many readings. Resolves
   * with whether there is more to make.
   */
  prepareArrivals(id: string, readings: number): Promise<boolean>;
  close(): Promise<void>;
}
