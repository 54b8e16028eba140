import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { StoreRefusal } from '../common/node-events.ts';
import type { Room } from '../common/room.ts';
import type { StoreOperator } from './operator.ts';
import type { Durability, LogReader, Store, StoreBounds, StoresReader } from './port.ts';
import type { StoreRows } from './rows.ts';
import type { Verifiers } from './verifier/verifiers.ts';

declare const brand: unique symbol;

/** Where a store is kept: a file, or the address of a server. Only its engine reads it. */
export type StoreLocation = string & { readonly [brand]: 'StoreLocation' };

/** Where the stores of a node are kept; null: there is no public one. */
export interface StoreLocations {
  readonly private: StoreLocation;
  readonly public: StoreLocation | null;
}

/** How a store is opened. */
export interface StoreOptions {
  readonly durability: Durability;
  /** null for none. */
  readonly bounds: StoreBounds | null;
  /** Prepares the store, where that could not be done yet: called before anything else is asked, until it resolves. */
  readonly prepare?: () => Promise<void>;
}

/** Called with the reason when a store refuses to write; null: it takes writes again. */
export type OnStoreState = (refusal: StoreRefusal | null) => void;

/** How stores take in blocks. */
export interface Ingesting {
  readonly verifiers: Verifiers;
  /** Checks signatures and appends, as an engine without a lane does: for tests of that. */
  readonly isByAppend: boolean;
}

/** The dependencies of an engine's writer. */
export interface WritersOptions {
  readonly log: Logger;
  /** null if no store takes in blocks. */
  readonly ingesting: Ingesting | null;
}

/** Opens stores for writing, and holds what writes to them. */
export interface Writers {
  /**
   * Opens a prepared store, and resolves when it takes writes. A store goes before those that were opened later. `onState`
   * is called when it refuses to write, once a minute while that lasts, and when it takes writes again.
   */
  open(name: StoreName, location: StoreLocation, options: StoreOptions, onState?: OnStoreState): Promise<Store>;
  /** Ends what writes, once all that was handed in is committed. To be called after the stores are closed. */
  close(): Promise<void>;
}

/** The contents of a store by which a copy of it is compared. */
export interface StoreContents {
  /** The version of its schema. */
  readonly version: number;
  readonly devices: number;
  readonly readings: number;
  /** When the latest reading was received, Unix milliseconds; null: there is none. */
  readonly lastReceivedAt: number | null;
  /** How many rows each table has. */
  readonly rows: Readonly<Record<string, number>>;
}

/** The space that a store takes at its location. */
export interface StoreUsage {
  readonly bytes: number;
  /** The disk that it is kept on; null: that is not known. */
  readonly room: Room | null;
}

/** Copies of a store as files, in the engine's own format. */
export interface Snapshots {
  /** The version of the stores that this program writes; a newer one can't be read. */
  readonly newestVersion: number;
  version(location: StoreLocation): Promise<number>;
  /** The version of a store, found without opening it; null: there is none, or it is not one of this engine's. */
  versionAt(location: StoreLocation): Promise<number | null>;
  /** When a store was written last, Unix milliseconds; minus infinity: there is none. */
  changedAt(location: StoreLocation): Promise<number>;
  /** The bytes that a copy takes at most. */
  bytes(location: StoreLocation): Promise<number>;
  /**
   * Copies a store as it is at one moment into a file that must not exist; others go on reading and writing meanwhile. May
   * keep the calling thread waiting.
   */
  write(location: StoreLocation, file: string): Promise<void>;
  /** Checks all of a store, which may be in use, and counts what is in it. Rejects with an error that says what is wrong. */
  inspect(location: StoreLocation, name: StoreName): Promise<StoreContents>;
  /** The same for a copy that nobody else has open: it stays as it is, with nothing beside it. */
  inspectFile(file: string, name: StoreName): Promise<StoreContents>;
}

/** How stores are moved from one engine to another. */
export interface Movable {
  /** Opens the rows of a prepared store. */
  open(location: StoreLocation, access: 'read' | 'write'): Promise<StoreRows>;
  /** Where a store is put together that is to be at a location once it is whole. */
  unfinished(location: StoreLocation): StoreLocation;
  /** Puts a whole store in its place, where there must be none. */
  place(unfinished: StoreLocation, location: StoreLocation): Promise<void>;
}

/** A kind of database that stores can be kept in. What fails rejects with StorageUnavailable where nothing else is said. */
export interface StoreEngine {
  /** A location for logs and errors: it may hold a password, which is left out. */
  describe(location: StoreLocation): string;
  /** Rejects with StartError where that can't be told, and with StorageUnavailable where it may be told later. */
  exists(location: StoreLocation): Promise<boolean>;
  /** Rejects with StartError where remains of a store would be lost if a new one was made. */
  refuseRemains(location: StoreLocation): Promise<void>;
  /**
   * Makes a store where there is none, checks it and brings it to the present version. Rejects with StartError, and leaves
   * it as it was, where it is damaged, newer than this program, or not ours; with StorageUnavailable as `exists`.
   */
  prepare(name: StoreName, location: StoreLocation): Promise<void>;
  /**
   * Keeps in a prepared store whose it is: `identity` is the public key of a node, lowercase hex. Rejects with StartError where
   * it is another's. null: one node alone uses a store, beside its key.
   */
  readonly bind: ((name: StoreName, location: StoreLocation, identity: string) => Promise<void>) | null;
  startWriters(options: WritersOptions): Writers;
  /** Opens the owner's reader of prepared stores on the calling thread. null: the owner's page does not show such stores. */
  readonly openReader: ((locations: StoreLocations) => Promise<StoresReader>) | null;
  readonly snapshots: Snapshots;
  usage(location: StoreLocation): Promise<StoreUsage>;
  /**
   * Keeps other programs off, until the process ends or what it returns is called. null: another one holds the lock. Throws
   * where that can't be told.
   */
  lock(location: StoreLocation): (() => void) | null;
  readonly movable: Movable;
  /** Ways of the operator to a store that nodes share, and to its log. null: one node alone uses a store. */
  readonly openLog: ((location: StoreLocation) => Promise<LogReader>) | null;
  readonly openOperator: ((location: StoreLocation) => Promise<StoreOperator>) | null;
}
