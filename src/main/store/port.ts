import type { ChoiceName } from '../../shared/owner-data/choices.ts';
import type { JournalEntry } from '../../shared/owner-data/journal.ts';
import type { DeviceNotes } from '../../shared/owner-data/notes.ts';
import type { RegistrationWay } from '../../shared/proof/leaf.ts';
import type { DeviceType, PublishTo, StoreName } from '../../shared/protocol/codes.ts';
import type { DeviceRegistration, PrivacyPolicy } from '../../shared/protocol/device.ts';
import type { StoreRefusal } from '../common/node-events.ts';
import type { ArrivalMove, MovedStep, MovedTo } from './arrival-move.ts';
import type { Counts, UnregisteredDevice } from './counts.ts';
import type { NodeFacts, PoolFacts, PostedCount } from './operator.ts';
import type { BlockOutcome, NewBlock, NewReading, Reading, ReadingOutcome } from './reading.ts';
import type { StoredCheckpoint } from './store-log.ts';

/**
 * The interface between a store and the rest of the program. A device is its id (public key, lowercase hex), `seq` and
 * `timestamp` are unsigned 64-bit values, every other time is Unix milliseconds of this node's clock. Each engine
 * chooses how it stores them. Every method rejects with StorageUnavailable if the storage is at fault.
 */

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
  /** The number of this registration in a shared store: if the device is deleted and comes again, it has another one. */
  readonly registration?: number;
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

/** The result of a step of retention. */
export interface Pruned {
  readonly readings: number;
  readonly isDone: boolean;
  /** Whether older readings stay for now because their sums are not made yet. */
  readonly isWaiting: boolean;
}
