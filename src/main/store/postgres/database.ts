import type { Pool, QueryResultRow } from 'pg';
import type { StoreLocation } from '../engine.ts';
import { unavailable } from './fault.ts';

const MAX_CONNECTIONS = 4;
/** A device hears of it within its 8 s. */
const TIMEOUT_MS = 4000;

/** The connections to the schema of one store. */
export class Database {
  readonly #pool: Pool;

  private constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Connects when it is first asked. The library is loaded here, so that a node without PostgreSQL never loads it. */
  static async at(location: StoreLocation): Promise<Database> {
    const { default: pg } = await import('pg');
    const { address, schema } = partsOf(location);
    const pool = new pg.Pool({
      connectionString: address,
      options: `-c search_path=${schema}`,
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: TIMEOUT_MS,
      statement_timeout: TIMEOUT_MS,
      application_name: 'wellhouse',
    });
    // A connection that ends while nobody uses it is replaced by the next query.
    pool.on('error', () => {});
    return new Database(pool);
  }

  /** Runs something with connections of its own. */
  static async with<T>(location: StoreLocation, run: (database: Database) => Promise<T>): Promise<T> {
    const database = await Database.at(location);
    try {
      return await run(database);
    } finally {
      await database.close();
    }
  }

  /** Rejects with StorageUnavailable where the database is at fault. */
  async query<Row extends QueryResultRow>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      return (await this.#pool.query<Row>(sql, [...values])).rows;
    } catch (error) {
      throw Object.assign(unavailable(error), { cause: error });
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** The address of the server and its database, and the schema that holds the store: `?schema=` of the location. */
export function partsOf(location: StoreLocation): { readonly address: string; readonly schema: string } {
  const [address = '', query = ''] = location.split('?');
  const parameters = new URLSearchParams(query);
  const schema = parameters.get('schema') ?? 'public';
  if (!/^[a-z_][a-z0-9_]*$/.test(schema)) throw new Error(`${schema} is no name of a schema`);
  parameters.delete('schema');
  return { address: parameters.size === 0 ? address : `${address}?${parameters}`, schema };
}
