import type { Pool, PoolConfig, QueryResultRow } from 'pg';
import { StartError } from '../../common/start-error.ts';
import { together } from '../../common/together.ts';
import type { StoreLocation } from '../engine.ts';
import type { PoolFacts } from '../operator.ts';
import { StorageUnavailable } from '../storage-unavailable.ts';
import { NO_CONNECTION_IN_TIME, unavailable } from './fault.ts';

const MAX_CONNECTIONS = 10;
/**
 * The timeouts add up to less than 5 s: within that time a device must get the answer that the store is unavailable.
 */
const CONNECT_TIMEOUT_MS = 2000;
const QUERY_TIMEOUT_MS = 2500;
const TRY_AGAIN_MS = 1000;
/** For statements that change the schema, or wait for another node that changes it. */
const LONG_TIMEOUT_MS = 120_000;
/** Finds a standby, or a server that is set to be read-only. */
const TAKES_NO_WRITES = `SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS standby`;
const DEFAULT_SCHEMA = 'wellhouse';
/** With `prefer` and `allow` the library never goes without encryption, as libpq may, so they are refused. */
const SSL_MODES: readonly string[] = ['disable', 'require', 'verify-ca', 'verify-full'];

/** A part of a writing statement: its commit waits for the disk, whatever the database's setting is. */
export const SYNCED = `synced AS MATERIALIZED (
  SELECT set_config('synchronous_commit',
    CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true) AS level
)`;

interface DatabaseOptions {
  /** The maximum duration of a statement. */
  readonly timeoutMs?: number;
  readonly connections?: number;
  /** See StoreOptions. */
  readonly prepare?: (() => Promise<void>) | undefined;
}

/** Runs one statement. Rejects with StorageUnavailable if the database is at fault. */
export type Query = <Row extends QueryResultRow>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/**
 * The connections to the database of one store. If the location names several hosts, the connections go to the one that
 * accepts writes: a standby may be behind. No statement is prepared by name and no session has state, so a connection
 * pooler works too.
 */
export class Database {
  /** The schema of the store, safe to use in a statement. */
  readonly schema: string;
  readonly #addresses: readonly string[];
  readonly #poolTo: (address: string) => Pool;
  #at = 0;
  #pool: Pool;

  readonly #whenPrepared: () => Promise<void>;

  private constructor(
    location: StoreLocation,
    makePool: (config: PoolConfig) => Pool,
    { timeoutMs = QUERY_TIMEOUT_MS, connections = MAX_CONNECTIONS, prepare }: DatabaseOptions,
  ) {
    this.#whenPrepared = prepare === undefined ? async () => {} : once(prepare);
    const { addresses, schema } = partsOf(location);
    this.schema = schema;
    this.#addresses = addresses;
    this.#poolTo = (address) => {
      const pool = makePool({
        connectionString: address,
        max: connections,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        query_timeout: timeoutMs,
        statement_timeout: timeoutMs,
        lock_timeout: timeoutMs,
        keepAlive: true,
        keepAliveInitialDelayMillis: 5000,
        application_name: 'wellhouse',
        verify: (client, done) => {
          client.query<{ standby: boolean }>(TAKES_NO_WRITES).then(
            ({ rows }) =>
              done(rows[0]?.standby ? new StorageUnavailable('read_only', 'the server takes no writes') : undefined),
            (error: Error) => done(error),
          );
        },
      });
      // If an idle connection ends, the next query replaces it.
      pool.on('error', () => {});
      // If a connection in use ends, its query rejects too. Without a listener, the event would end the program.
      pool.on('connect', (client) => client.on('error', () => {}));
      return pool;
    };
    this.#pool = this.#poolTo(addresses[0]!);
  }

  /** Connects at the first query. The library is loaded here, so that a node without PostgreSQL never loads it. */
  static async at(location: StoreLocation, options: DatabaseOptions = {}): Promise<Database> {
    const { default: pg } = await import('pg');
    return new Database(location, (config) => new pg.Pool(config), options);
  }

  /**
   * Calls `run` with separate connections and a long timeout. If a host does not answer, the next one is tried, so
   * `run` may be called several times.
   */
  static async with<T>(location: StoreLocation, run: (database: Database) => Promise<T>): Promise<T> {
    const database = await Database.at(location, { timeoutMs: LONG_TIMEOUT_MS });
    try {
      for (let left = database.#addresses.length - 1; ; left -= 1) {
        try {
          return await run(database);
        } catch (error) {
          if (left === 0 || !isOfHost(error)) throw error;
        }
      }
    } finally {
      await database.close();
    }
  }

  /** Runs a single statement. */
  readonly query: Query = <Row extends QueryResultRow>(sql: string, values: readonly unknown[] = []) =>
    this.#using(async (pool) => (await pool.query<Row>(sql, [...values])).rows);

  /** Runs statements in one transaction, which is rolled back if `run` rejects. */
  transaction<T>(run: (query: Query) => Promise<T>): Promise<T> {
    return this.#using(async (pool) => {
      const client = await pool.connect();
      let fault: Error | undefined;
      try {
        await client.query('BEGIN');
        const result = await run(async (sql, values = []) => (await client.query(sql, [...values])).rows);
        await client.query('COMMIT');
        return result;
      } catch (error) {
        fault = error as Error;
        throw error;
      } finally {
        // With a fault, the connection is closed and its transaction is rolled back.
        client.release(fault);
      }
    });
  }

  get connections(): PoolFacts {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { open: totalCount, idle: idleCount, waiting: waitingCount };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #using<T>(run: (pool: Pool) => Promise<T>): Promise<T> {
    await this.#whenPrepared();
    const pool = this.#pool;
    try {
      return await run(pool);
    } catch (error) {
      const fault = unavailable(error);
      if (isOfHost(fault)) this.#moveOn(pool);
      throw fault === error ? error : Object.assign(fault, { cause: error });
    }
  }

  /** Switches to the next host, if there is one and no other call has switched already. */
  #moveOn(from: Pool): void {
    if (this.#addresses.length === 1 || from !== this.#pool) return;
    this.#at = (this.#at + 1) % this.#addresses.length;
    this.#pool = this.#poolTo(this.#addresses[this.#at]!);
    void from.end().catch(() => {});
  }
}

/** Retries until it succeeds, at most once a second; calls in between reject with the last error. */
function once(prepare: () => Promise<void>): () => Promise<void> {
  let isDone = false;
  let failed: { readonly error: unknown; readonly at: number } | null = null;
  const tried = together(async () => {
    if (isDone) return;
    if (failed !== null && performance.now() - failed.at < TRY_AGAIN_MS) throw failed.error;
    try {
      await prepare();
      isDone = true;
    } catch (error) {
      failed = {
        error:
          error instanceof StorageUnavailable ? error : new StorageUnavailable('unreachable', (error as Error).message),
        at: performance.now(),
      };
      throw failed.error;
    }
  });
  return async () => {
    if (!isDone) await tried();
  };
}

/** Returns whether another host may succeed where this one failed. */
function isOfHost(error: unknown): boolean {
  if (!(error instanceof StorageUnavailable) || error.message === NO_CONNECTION_IN_TIME) return false;
  return error.code === 'unreachable' || error.code === 'read_only';
}

/** Returns the size of a store with its indexes, in bytes. */
export async function bytesOf({ query, schema }: Database): Promise<number> {
  const [size] = await query<{ bytes: string }>(
    `SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class
     WHERE relnamespace = to_regnamespace($1) AND relkind = 'r'`,
    [schema],
  );
  return Number(size!.bytes);
}

/**
 * Returns the addresses of the server and its standbys, and the schema of the store: `?schema=` of the location. Throws
 * StartError if the schema or `sslmode` is none that works.
 */
export function partsOf(location: StoreLocation): { readonly addresses: readonly string[]; readonly schema: string } {
  const [, scheme, login = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?]*@)?([^/?]*)(.*)$/s.exec(location) ?? [];
  const [path = '', query = ''] = rest.split('?');
  const parameters = new URLSearchParams(query);
  const schema = parameters.get('schema') ?? DEFAULT_SCHEMA;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new StartError(
      `the address of the public store has schema=${schema}: a schema's name is of a–z, 0–9 and _, at most 63, and begins with no digit`,
    );
  }
  parameters.delete('schema');
  const sslMode = parameters.get('sslmode');
  if (sslMode !== null && !SSL_MODES.includes(sslMode)) {
    throw new StartError(
      `the address of the public store has sslmode=${sslMode}: the values are ${SSL_MODES.join(', ')}`,
    );
  }
  if (sslMode === 'verify-ca' && !parameters.get('sslrootcert')) {
    throw new StartError('the address of the public store has sslmode=verify-ca, which needs sslrootcert');
  }
  // The library interprets sslmode more strictly than PostgreSQL's documentation does.
  if (parameters.has('sslmode') && !parameters.has('uselibpqcompat')) parameters.set('uselibpqcompat', 'true');
  const end = parameters.size === 0 ? path : `${path}?${parameters}`;
  return { addresses: hosts.split(',').map((host) => `${scheme}${login}${host}${end}`), schema };
}

/** Returns a location for logs and errors: without user, password and parameters. */
export function describeLocation(location: StoreLocation): string {
  const [, scheme = 'postgres://', , hosts = '', path = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?]*@)?([^/?]*)([^?]*)/s.exec(location) ?? [];
  return `${scheme}${hosts}${path}`;
}
