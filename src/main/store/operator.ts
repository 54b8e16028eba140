/**
 * The interface for the operator of a store that nodes share. A key is a public key, lowercase hex: of a device, or of
 * an owner for all their devices. Times are Unix milliseconds. Every method rejects with StorageUnavailable.
 */

/** The facts that a running node reports about itself. */
export interface NodeFacts {
  readonly host: string;
  readonly version: string;
  readonly url: string | null;
  readonly startedAt: number;
  readonly rssBytes: number;
  /** The number of blocks that wait for a thread or the database. */
  readonly waitingBlocks: number;
  readonly connections: PoolFacts;
}

/** The connections of a node to the database. */
export interface PoolFacts {
  readonly open: number;
  readonly idle: number;
  /** The number of statements that wait for a connection. */
  readonly waiting: number;
}

/** A node that reported within the last minute. */
export interface AliveNode extends NodeFacts {
  readonly id: string;
  readonly seenAt: number;
}

/** The number of readings of a device that were stored on a day (days since 1970, UTC). */
export interface PostedCount {
  readonly deviceId: string;
  readonly day: number;
  readonly readings: number;
  readonly lastAt: number;
}

/** The state of the database. */
export interface DatabaseFacts {
  readonly serverVersion: string;
  readonly storeVersion: number;
  readonly startedAt: number;
  /** The size of the store with its indexes. */
  readonly bytes: number;
  readonly devices: number;
  /** An estimate of the server. */
  readonly readings: number;
  readonly connections: number;
  /** The number of entries that are not in the log's tree yet. */
  readonly waitingEntries: number;
  readonly maxConnections: number;
  readonly synchronousCommit: string;
  readonly standbys: number;
  /** The delay of the slowest standby, in seconds; null if there is none, or if this user may not see it. */
  readonly standbyLagSeconds: number | null;
  /** The age of the oldest open transaction, in seconds. */
  readonly oldestTransactionSeconds: number;
}

/** A device and the number of its readings. */
export interface PostingDevice {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly ownerName: string;
  readonly readings: number;
  readonly lastAt: number;
}

/** A recently registered device. */
export interface NewDevice {
  readonly id: string;
  readonly name: string;
  readonly ownerPubkey: string;
  readonly ownerName: string;
  readonly createdAt: number;
}

/** A slow statement. */
export interface SlowStatement {
  readonly text: string;
  /** The time that it has been running, or its mean time. */
  readonly seconds: number;
  /** The number of calls; null: it is running now. */
  readonly calls: number | null;
}

/** A key whose blocks and registrations the store refuses. */
export interface BlockedKey {
  readonly key: string;
  readonly at: number;
  readonly reason: string;
}

/** The operator's access to a shared store. */
export interface StoreOperator {
  database(): Promise<DatabaseFacts>;
  nodes(): Promise<readonly AliveNode[]>;
  /**
   * Returns the number of blocks by outcome since an hour: `stored`, or the cause of a refusal. The most frequent comes
   * first.
   */
  outcomes(sinceHour: number): Promise<readonly { readonly outcome: string; readonly count: number }[]>;
  /** Returns a page of the devices with the most readings since a day. */
  posting(sinceDay: number, skip: number, limit: number): Promise<readonly PostingDevice[]>;
  /** Returns the devices that were registered last; with `before`, those registered before that device. */
  newest(before: string | null, limit: number): Promise<readonly NewDevice[]>;
  /**
   * Returns statements that have run for more than a second, and those with the longest mean if `pg_stat_statements` is
   * installed.
   */
  slow(): Promise<readonly SlowStatement[]>;
  /** Returns at most `limit` devices of a key: the device itself, and those of the owner. */
  devicesOf(key: string, limit: number): Promise<readonly string[]>;
  /** See Store.forget. */
  forget(id: string, limit: number): Promise<{ readonly readings: number; readonly isDone: boolean }>;
  /** Refuses everything from a key from now on, at every node. */
  block(key: string, reason: string): Promise<void>;
  /** Returns whether the key was blocked. */
  unblock(key: string): Promise<boolean>;
  blocked(): Promise<readonly BlockedKey[]>;
  close(): Promise<void>;
}
