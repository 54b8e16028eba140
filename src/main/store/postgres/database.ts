import type { Pool, PoolConfig, QueryResultRow } from 'pg';
import type { StoreLocation } from '../engine.ts';
import type { PoolFacts } from '../operator.ts';
import { StorageUnavailable } from '../storage-unavailable.ts';
import { NO_CONNECTION_IN_TIME, unavailable } from './fault.ts';

const MAX_CONNECTIONS = 10;
/** Together less than the 5 s within which a device hears that the store is unavailable. */
const CONNECT_TIMEOUT_MS = 2000;
const QUERY_TIMEOUT_MS = 2500;
const TRY_AGAIN_MS = 1000;
/** For queries that change the schema, or wait for another node that does. */
const LONG_TIMEOUT_MS = 120_000;
/** A standby, or a server that was told so. */
const TAKES_NO_WRITES = `SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS standby`;
const DEFAULT_SCHEMA = 'wellhouse';

/** Part of a statement that writes: its commit waits for the disk, whatever is set for the database. */
export const SYNCED = `synced AS MATERIALIZED (
  SELECT set_config('synchronous_commit',
    CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true) AS level
)`;

interface DatabaseOptions {
  /** How long a statement may take. */
  readonly timeoutMs?: number;
  readonly connections?: number;
  /** See StoreOptions. */
  readonly prepare?: (() => Promise<void>) | undefined;
}

/** Runs one statement. Rejects with StorageUnavailable where the database is at fault. */
export type Query = <Row extends QueryResultRow>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/**
 * The connections to the database of one store. Where the location names several hosts, they go to the one that takes writes:
 * a standby may be behind. No statement is prepared by name and no session holds a state, so that a pooler may be between.
 */
export class Database {
  /** The schema that holds the store, safe to be part of a statement. */
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
      // A connection that ends while nobody uses it is replaced by the next query.
      pool.on('error', () => {});
      // One that ends in use rejects its query too: without a listener, the event would end the program.
      pool.on('connect', (client) => client.on('error', () => {}));
      return pool;
    };
    this.#pool = this.#poolTo(addresses[0]!);
  }

  /** Connects when it is first asked. The library is loaded here, so that a node without PostgreSQL never loads it. */
  static async at(location: StoreLocation, options: DatabaseOptions = {}): Promise<Database> {
    const { default: pg } = await import('pg');
    return new Database(location, (config) => new pg.Pool(config), options);
  }

  /**
   * Runs something with connections of its own, and time for statements that take long. Where a host does not answer, the next
   * one is tried, so `run` may run several times.
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

  /** Runs one statement by itself. */
  readonly query: Query = <Row extends QueryResultRow>(sql: string, values: readonly unknown[] = []) =>
    this.#using(async (pool) => (await pool.query<Row>(sql, [...values])).rows);

  /** Runs statements in one transaction, which is undone where `run` rejects. */
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
        // With a fault the connection is closed, and what it had begun is undone.
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

  /** Goes to the next host, where there is one and nobody has gone on already. */
  #moveOn(from: Pool): void {
    if (this.#addresses.length === 1 || from !== this.#pool) return;
    this.#at = (this.#at + 1) % this.#addresses.length;
    this.#pool = this.#poolTo(this.#addresses[this.#at]!);
    void from.end().catch(() => {});
  }
}

/** Tries until it succeeds, at most once a second; whoever asks meanwhile gets the error of the last try. */
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
        error: error instanceof StorageUnavailable ? error : new StorageUnavailable('unreachable', String(error)),
        at: performance.now(),
      };
      throw failed.error;
    }
  });
  return async () => {
    if (!isDone) await tried();
  };
}

/** Whether another host may do what this one could not. */
function isOfHost(error: unknown): boolean {
  if (!(error instanceof StorageUnavailable) || error.message === NO_CONNECTION_IN_TIME) return false;
  return error.code === 'unreachable' || error.code === 'read_only';
}

/**
 * Has one query answer all that ask while another one is under way: however many ask, two wait for the database. Each gets what
 * was read after it asked.
 */
export function together<T>(run: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    next = null;
    const begun = run();
    underWay = begun;
    const ended = () => {
      if (underWay === begun) underWay = null;
    };
    begun.then(ended, ended);
    return begun;
  };
  return () => {
    if (underWay === null) return begin();
    next ??= underWay.then(begin, begin);
    return next;
  };
}

/** The bytes that a store takes, indexes included. */
export async function bytesOf({ query, schema }: Database): Promise<number> {
  const [size] = await query<{ bytes: string }>(
    `SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class
     WHERE relnamespace = to_regnamespace($1) AND relkind = 'r'`,
    [schema],
  );
  return Number(size!.bytes);
}

/** The addresses of the server and its standbys, and the schema that holds the store: `?schema=` of the location. */
export function partsOf(location: StoreLocation): { readonly addresses: readonly string[]; readonly schema: string } {
  const [, scheme, login = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?]*@)?([^/?]*)(.*)$/s.exec(location) ?? [];
  const [path = '', query = ''] = rest.split('?');
  const parameters = new URLSearchParams(query);
  const schema = parameters.get('schema') ?? DEFAULT_SCHEMA;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new Error(`${schema} is not the name of a schema`);
  parameters.delete('schema');
  // The library's own reading of sslmode is stricter than what PostgreSQL's documentation says.
  if (parameters.has('sslmode') && !parameters.has('uselibpqcompat')) parameters.set('uselibpqcompat', 'true');
  const end = parameters.size === 0 ? path : `${path}?${parameters}`;
  return { addresses: hosts.split(',').map((host) => `${scheme}${login}${host}${end}`), schema };
}

/** A location for logs and errors: without user, password and parameters. */
export function describeLocation(location: StoreLocation): string {
  const [, scheme = 'postgres://', , hosts = '', path = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?]*@)?([^/?]*)([^?]*)/s.exec(location) ?? [];
  return `${scheme}${hosts}${path}`;
}
