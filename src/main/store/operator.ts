/**
 * The interface of a store that nodes share to its operator. A key is a public key, lowercase hex: that of a device, or of an
 * owner for all devices of theirs. Times are Unix milliseconds. Every method rejects with StorageUnavailable.
 */

/** The facts that a node tells about itself while it runs. */
export interface NodeFacts {
  readonly host: string;
  readonly version: string;
  readonly url: string | null;
  readonly startedAt: number;
  readonly rssBytes: number;
  /** Blocks that wait for a thread or the database. */
  readonly waitingBlocks: number;
  readonly connections: PoolFacts;
}

/** The connections of a node to the database. */
export interface PoolFacts {
  readonly open: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

/** A node that said so within the last minute. */
export interface AliveNode extends NodeFacts {
  readonly id: string;
  readonly seenAt: number;
}

/** How many readings of a device were stored on a day since 1970, UTC. */
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
  /** The size of the store, indexes included. */
  readonly bytes: number;
  readonly devices: number;
  /** As the server estimates. */
  readonly readings: number;
  readonly connections: number;
  /** Entries that are not in the log's tree yet. */
  readonly waitingEntries: number;
  readonly maxConnections: number;
  readonly synchronousCommit: string;
  readonly standbys: number;
  /** How far the slowest standby is behind, in seconds; null: there is none, or this user may not see it. */
  readonly standbyLagSeconds: number | null;
  /** How long the oldest transaction is open, in seconds. */
  readonly oldestTransactionSeconds: number;
}

/** A device and how much it brought. */
export interface PostingDevice {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly ownerName: string;
  readonly readings: number;
  readonly lastAt: number;
}

/** A device that was registered. */
export interface NewDevice {
  readonly id: string;
  readonly name: string;
  readonly ownerPubkey: string;
  readonly ownerName: string;
  readonly createdAt: number;
}

/** A statement that takes long. */
export interface SlowStatement {
  readonly text: string;
  /** How long it has run, or its mean. */
  readonly seconds: number;
  /** How often it ran; null: it runs now. */
  readonly calls: number | null;
}

/** A key that the store takes nothing of. */
export interface BlockedKey {
  readonly key: string;
  readonly at: number;
  readonly reason: string;
}

/** The operator's way to a shared store. */
export interface StoreOperator {
  database(): Promise<DatabaseFacts>;
  nodes(): Promise<readonly AliveNode[]>;
  /** Blocks by outcome since an hour: `stored`, or the cause of a refusal; the most frequent first. */
  outcomes(sinceHour: number): Promise<readonly { readonly outcome: string; readonly count: number }[]>;
  /** Which devices brought most since a day, a page of them. */
  posting(sinceDay: number, skip: number, limit: number): Promise<readonly PostingDevice[]>;
  /** The devices that were registered last, before a device where one is given. */
  newest(before: string | null, limit: number): Promise<readonly NewDevice[]>;
  /** Statements that run for more than a second, and where `pg_stat_statements` is there, those with the longest mean. */
  slow(): Promise<readonly SlowStatement[]>;
  /** The devices of a key, at most so many: the device itself, and those of the owner. */
  devicesOf(key: string, limit: number): Promise<readonly string[]>;
  /** See Store.forget. */
  forget(id: string, limit: number): Promise<{ readonly readings: number; readonly isDone: boolean }>;
  /** Takes nothing of a key from now on, at any node. */
  block(key: string, reason: string): Promise<void>;
  /** Gives whether it was blocked. */
  unblock(key: string): Promise<boolean>;
  blocked(): Promise<readonly BlockedKey[]>;
  close(): Promise<void>;
}
