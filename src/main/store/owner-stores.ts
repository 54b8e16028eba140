import { statSync } from 'node:fs';
import type { Database, Statement } from 'better-sqlite3';
import { keepFewPages, openForReading } from './database.ts';

/** The two stores by the owner's names for them. */
export type StoreName = 'private' | 'public';

/** Where the stores lie; null where there is no public one. */
export interface OwnerStorePaths {
  readonly private: string;
  readonly public: string | null;
}

/** The small numbers that a device has in each store; null where that store does not know it. */
export interface DeviceNumbers {
  readonly private: number | null;
  readonly public: number | null;
}

const BUSY_TIMEOUT_MS = 1000;
const SCHEMAS: Record<StoreName, string> = { private: 'main', public: 'pub' };

/**
 * Both stores behind one read-only connection, so that their readings can be merged in SQL. For the owner's view alone:
 * endpoints have a connection to their own store and no other. Throws as better-sqlite3 does.
 */
export class OwnerStores {
  readonly db: Database;
  /** The stores that there are, the private one first. */
  readonly names: readonly StoreName[];
  readonly #paths: OwnerStorePaths;
  readonly #statements = new Map<string, Statement>();

  constructor(paths: OwnerStorePaths) {
    this.#paths = paths;
    this.db = openForReading(paths.private);
    this.db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    if (paths.public !== null) {
      this.db.prepare('ATTACH DATABASE ? AS pub').run(paths.public);
      keepFewPages(this.db, 'pub');
    }
    this.names = paths.public === null ? ['private'] : ['private', 'public'];
  }

  /** Runs queries on one state of each store: what is written meanwhile is not seen. */
  snapshot<T>(run: () => T): T {
    return this.db.transaction(run).deferred();
  }

  /**
   * A statement on one store that answers rows as arrays; `sql` names its tables as `@.table`, and the private store's
   * as `main.table`. Kept once prepared. Integers come as bigints where `exact`, else as numbers.
   */
  statement<Row>(store: StoreName, sql: string, exact = false): Statement<unknown[], Row> {
    const key = `${store} ${exact} ${sql}`;
    let statement = this.#statements.get(key);
    if (statement === undefined) {
      statement = this.db.prepare(sql.replaceAll('@.', `${SCHEMAS[store]}.`)).raw();
      if (exact) statement.safeIntegers();
      this.#statements.set(key, statement);
    }
    return statement as Statement<unknown[], Row>;
  }

  /** The bytes that a store takes on disk, its write-ahead log included. */
  bytes(store: StoreName): number {
    const path = this.#paths[store];
    if (path === null) return 0;
    return [path, `${path}-wal`].reduce(
      (total, file) => total + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  }

  close(): void {
    this.db.close();
  }
}
