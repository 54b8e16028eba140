import { statSync } from 'node:fs';
import type { Database, Statement } from 'better-sqlite3';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import type { StoreLocations } from '../../engine.ts';
import { keepFewPages, openForReading } from '../file/database.ts';

/** The schema names of a connection's first store, and of the other. */
const PAGES_SQL = ['main', 'pub'].map(
  (schema) => `SELECT page_count, page_size FROM pragma_page_count('${schema}'), pragma_page_size('${schema}')`,
) as [string, string];
const BUSY_TIMEOUT_MS = 1000;

/**
 * A read-only connection to one store, or to both, so that their readings can be merged in SQL. Both are for the owner
 * alone: a listener's store has a connection to its own file and no other. Throws as better-sqlite3 does.
 */
export class ReadConnection {
  readonly db: Database;
  /** The stores that can be read, the private one first. */
  readonly names: readonly StoreName[];
  readonly #paths: Partial<Record<StoreName, string>>;
  readonly #statements = new Map<string, Statement>();

  private constructor(paths: Partial<Record<StoreName, string>>, names: readonly [StoreName, ...StoreName[]]) {
    this.#paths = paths;
    this.names = names;
    this.db = openForReading(paths[names[0]]!);
    if (names.length === 1) return;
    this.db.prepare('ATTACH DATABASE ? AS pub').run(paths[names[1]!]);
    keepFewPages(this.db, 'pub');
  }

  /** Opens one store that has been prepared. */
  static toOne(name: StoreName, path: string): ReadConnection {
    return new ReadConnection({ [name]: path }, [name]);
  }

  /** Opens the private store, and with it the public one where there is one; waits longer where one is locked. */
  static toBoth(paths: StoreLocations): ReadConnection {
    const connection =
      paths.public === null
        ? ReadConnection.toOne('private', paths.private)
        : new ReadConnection({ ...paths, public: paths.public }, ['private', 'public']);
    connection.db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return connection;
  }

  /**
   * A statement on one store that answers rows as arrays; `sql` names its tables as `@.table`, and those of the private
   * store, in a connection to both, as `main.table`. Kept once prepared. Integers come as bigints where `exact`, else as
   * numbers.
   */
  statement<Row>(store: StoreName, sql: string, exact = false): Statement<unknown[], Row> {
    const key = `${store} ${exact} ${sql}`;
    let statement = this.#statements.get(key);
    if (statement === undefined) {
      statement = this.db.prepare(sql.replaceAll('@.', store === this.names[0] ? 'main.' : 'pub.')).raw();
      if (exact) statement.safeIntegers();
      this.#statements.set(key, statement);
    }
    return statement as Statement<unknown[], Row>;
  }

  /** The bytes that a store takes on disk, its write-ahead log included. */
  bytes(store: StoreName): number {
    const path = this.#paths[store];
    if (path === undefined) return 0;
    return [path, `${path}-wal`].reduce(
      (total, file) => total + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  }

  /** The bytes of a store's pages, those in the write-ahead log in place of the ones that they replace. */
  pageBytes(store: StoreName): number {
    const [[pages, bytes]] = this.statement<[number, number]>(
      store,
      PAGES_SQL[store === this.names[0] ? 0 : 1],
    ).all() as [[number, number]];
    return pages * bytes;
  }

  /** The bytes of a store's file that hold nothing, which new readings use first, those that hold something, and of a page. */
  pages(store: StoreName): { readonly unusedBytes: number; readonly usedBytes: number; readonly pageBytes: number } {
    const schema = store === this.names[0] ? 'main' : 'pub';
    const pragma = (name: string) => this.db.pragma(`${schema}.${name}`, { simple: true }) as number;
    const [unused, all, pageBytes] = [pragma('freelist_count'), pragma('page_count'), pragma('page_size')];
    return { unusedBytes: unused * pageBytes, usedBytes: (all - unused) * pageBytes, pageBytes };
  }

  close(): void {
    this.db.close();
  }
}
