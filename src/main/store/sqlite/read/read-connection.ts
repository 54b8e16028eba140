import { statSync } from 'node:fs';
import type { Database, Statement } from 'better-sqlite3';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import type { StoreLocations } from '../../engine.ts';
import { keepFewPages, openForReading } from '../file/database.ts';

/** The schema names of a connection's first and second store. */
const PAGES_SQL = ['main', 'pub'].map(
  (schema) => `SELECT page_count, page_size FROM pragma_page_count('${schema}'), pragma_page_size('${schema}')`,
) as [string, string];
const BUSY_TIMEOUT_MS = 1000;

/**
 * A read-only connection to one store, or to both, so that their readings can be merged in SQL. Only the owner's reader
 * opens both: a listener's store has a connection to its own file only. Throws like better-sqlite3.
 */
export class ReadConnection {
  readonly db: Database;
  /** The readable stores, the private one first. */
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

  /** Opens one prepared store. */
  static toOne(name: StoreName, path: string): ReadConnection {
    return new ReadConnection({ [name]: path }, [name]);
  }

  /** Opens the private store, and the public one if there is one; waits longer if one is locked. */
  static toBoth(paths: StoreLocations): ReadConnection {
    const connection =
      paths.public === null
        ? ReadConnection.toOne('private', paths.private)
        : new ReadConnection({ ...paths, public: paths.public }, ['private', 'public']);
    connection.db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return connection;
  }

  /**
   * Returns a statement on one store that returns rows as arrays. `sql` names its tables as `@.table`, and those of the
   * private store, in a connection to both, as `main.table`. Prepared statements are cached. With `exact`, integers are
   * bigints, else numbers.
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

  /** Returns the size of a store on disk with its write-ahead log, in bytes. */
  bytes(store: StoreName): number {
    const path = this.#paths[store];
    if (path === undefined) return 0;
    return [path, `${path}-wal`].reduce(
      (total, file) => total + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  }

  /**
   * Returns the size of a store's pages, in bytes; pages in the write-ahead log count in place of those that they
   * replace.
   */
  pageBytes(store: StoreName): number {
    const [[pages, bytes]] = this.statement<[number, number]>(
      store,
      PAGES_SQL[store === this.names[0] ? 0 : 1],
    ).all() as [[number, number]];
    return pages * bytes;
  }

  /**
   * Returns the unused bytes of a store's file, which new readings use first, the used bytes, and the size of a page.
   */
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
