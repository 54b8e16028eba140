import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { StoreRefusal } from '../common/node-events.ts';
import type { Room } from '../common/room.ts';
import type { StoreOperator } from './operator.ts';
import type { Durability, Store, StoreBounds } from './port.ts';
import type { StoreRows } from './rows.ts';
import type { LogReader, StoresReader } from './stores-view.ts';
import type { Verifiers } from './verifier/verifiers.ts';

declare const brand: unique symbol;

/** The place of a store: the path of a file, or the address of a server. Only its engine reads it. */
export type StoreLocation = string & { readonly [brand]: 'StoreLocation' };

/** The locations of a node's stores; `public` is null if there is no public store. */
export interface StoreLocations {
  readonly private: StoreLocation;
  readonly public: StoreLocation | null;
}

export interface StoreOptions {
  readonly durability: Durability;
  /** null if the store has no bounds. */
  readonly bounds: StoreBounds | null;
  /**
   * Prepares the store if this was not possible at the start. It is called before every other request until it
   * resolves.
   */
  readonly prepare?: () => Promise<void>;
}

/** Called with the reason when a store refuses to write, and with null when it accepts writes again. */
export type OnStoreState = (refusal: StoreRefusal | null) => void;

/** The way in which stores ingest blocks. */
export interface Ingesting {
  readonly verifiers: Verifiers;
  /** Whether a store checks signatures and then appends, like an engine without a lane. For tests of that path. */
  readonly isByAppend: boolean;
}

/** The dependencies of an engine's writer. */
export interface WritersOptions {
  readonly log: Logger;
  /** null if no store ingests blocks. */
  readonly ingesting: Ingesting | null;
}

/** Opens stores for writing, and owns the threads and connections that write. */
export interface Writers {
  /**
   * Opens a prepared store, and resolves when it accepts writes. Blocks of a store have priority over those of stores
   * that were opened later. `onState` is called when the store refuses to write, once a minute while it refuses, and
   * when it accepts writes again.
   */
  open(name: StoreName, location: StoreLocation, options: StoreOptions, onState?: OnStoreState): Promise<Store>;
  /** Stops writing after all pending jobs are committed. Close the stores first. */
  close(): Promise<void>;
}

/** The contents of a store, for the comparison with a copy. */
export interface StoreContents {
  /** The version of the schema. */
  readonly version: number;
  readonly devices: number;
  readonly readings: number;
  /** When the latest reading was received, Unix milliseconds; null if there are no readings. */
  readonly lastReceivedAt: number | null;
  /** The number of rows by table. */
  readonly rows: Readonly<Record<string, number>>;
}

export interface StoreUsage {
  readonly bytes: number;
  /** The disk of the store; null if it is not known. */
  readonly room: Room | null;
}

/** Copies of a store as files, in the engine's own format. */
export interface Snapshots {
  /** The version of the stores that this program writes; a newer one can't be read. */
  readonly newestVersion: number;
  version(location: StoreLocation): Promise<number>;
  /** Returns the version of a store without opening it; null if there is no store of this engine. */
  versionAt(location: StoreLocation): Promise<number | null>;
  /** Returns when a store was last written, Unix milliseconds; minus infinity if there is no store. */
  changedAt(location: StoreLocation): Promise<number>;
  /** Returns the maximum size of a copy, in bytes. */
  bytes(location: StoreLocation): Promise<number>;
  /**
   * Copies a store as of one moment into a new file. Others can read and write the store meanwhile. May block the
   * calling thread.
   */
  write(location: StoreLocation, file: string): Promise<void>;
  /**
   * Checks the whole store, which may be in use, and counts its contents. Rejects with an error that names the problem.
   */
  inspect(location: StoreLocation, name: StoreName): Promise<StoreContents>;
  /** Does the same for a copy that nobody else has open. The copy stays unchanged, with no new files next to it. */
  inspectFile(file: string, name: StoreName): Promise<StoreContents>;
}

/** How stores are moved from one engine to another. */
export interface Movable {
  /** Opens the rows of a prepared store. */
  open(location: StoreLocation, access: 'read' | 'write'): Promise<StoreRows>;
  /** Returns the temporary location in which a store for this location is built. */
  unfinished(location: StoreLocation): StoreLocation;
  /** Moves a complete store to its location, which must be free. */
  place(unfinished: StoreLocation, location: StoreLocation): Promise<void>;
}

/** A kind of database for stores. Failures reject with StorageUnavailable, unless stated otherwise. */
export interface StoreEngine {
  /** Returns a location for logs and errors, without its password. */
  describe(location: StoreLocation): string;
  /**
   * Returns whether there is a store. Rejects with StartError if this can't be determined, and with StorageUnavailable
   * if a later attempt may succeed.
   */
  exists(location: StoreLocation): Promise<boolean>;
  /** Rejects with StartError if creating a store here would destroy remains of another one. */
  refuseRemains(location: StoreLocation): Promise<void>;
  /**
   * Creates the store if there is none, checks it and brings it to the present version. Rejects with StartError, and
   * leaves the store unchanged, if it is damaged, newer than this program or not a Wellhouse store; with
   * StorageUnavailable like `exists`.
   */
  prepare(name: StoreName, location: StoreLocation): Promise<void>;
  /**
   * Records the owner of a prepared store. `identity` is the public key of a node, lowercase hex. Rejects with
   * StartError if the store belongs to another node. null: stores of this engine are not shared, so they need no owner.
   */
  readonly bind: ((name: StoreName, location: StoreLocation, identity: string) => Promise<void>) | null;
  startWriters(options: WritersOptions): Writers;
  /**
   * Opens the owner's reader of prepared stores on the calling thread. null: the owner's page can't show stores of this
   * engine.
   */
  readonly openReader: ((locations: StoreLocations) => Promise<StoresReader>) | null;
  readonly snapshots: Snapshots;
  usage(location: StoreLocation): Promise<StoreUsage>;
  /**
   * Locks out other programs until the returned function is called or the process ends. Returns null if another program
   * has the lock. Throws if this can't be determined.
   */
  lock(location: StoreLocation): (() => void) | null;
  readonly movable: Movable;
  /**
   * The operator's access to the log of a shared store and to the store itself. null: stores of this engine are not
   * shared.
   */
  readonly openLog: ((location: StoreLocation) => Promise<LogReader>) | null;
  readonly openOperator: ((location: StoreLocation) => Promise<StoreOperator>) | null;
}
