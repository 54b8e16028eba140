import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { DeviceRegistration } from '../../../shared/protocol/device.ts';
import type { StoreRefusal } from '../../common/node-events.ts';
import { together } from '../../common/together.ts';
import type { MovedStep } from '../arrival-move.ts';
import type { Counts, UnregisteredDevice } from '../counts.ts';
import type { Ingesting, OnStoreState } from '../engine.ts';
import { ingestByAppend } from '../ingest-by-append.ts';
import type {
  DevicePage,
  Pruned,
  Registered,
  RegisteredDevice,
  RegistrationOrigin,
  SharedLimits,
  Store,
  StoreBounds,
} from '../port.ts';
import type { NewReading, Reading, ReadingOutcome } from '../reading.ts';
import { isStorageFault, StorageUnavailable } from '../storage-unavailable.ts';
import { addCounts, addPosted, beat, unregisteredOf } from './counts.ts';
import { bytesOf, type Database, type Query } from './database.ts';
import { DeviceLookups, devicesOf, forgetDevice, registerDevice } from './devices.ts';
import { repeated } from './fault.ts';
import { addCheckpoint, logWaiting } from './log-writer.ts';
import { appendReadings, latestReadings, pruneReadings } from './readings.ts';

/**
 * How long a measured size is reused. It is not reused within `SIZE_HOLDS_BELOW` of the bound, which all nodes together
 * could reach in this time.
 */
const SIZE_HOLDS_MS = 1000;
const SIZE_HOLDS_BELOW = 256 * 1024 ** 2;
/** The number of parallel statements that store readings, each of different devices. */
const GROUPS = 4;
/** The minimum time between two warnings. */
const WARN_EVERY_MS = 60_000;
/** The rows of a test for room: more than a table that has just been vacuumed usually has free. */
const TEST_ROWS = 64;
const TEST_ROW_CHARACTERS = 1900;

export interface PostgresOptions {
  readonly bounds: StoreBounds | null;
  readonly ingesting: Ingesting | null;
  readonly onState: OnStoreState;
  readonly log: Logger;
}

/**
 * A public store in a schema of PostgreSQL, which other nodes may use at the same time. It caches nothing that another
 * node could change.
 */
export class PostgresStore implements Store {
  readonly name: StoreName;
  readonly ingest: Store['ingest'];
  readonly shared: SharedLimits;
  readonly #database: Database;
  readonly #options: PostgresOptions;
  readonly #lookups: DeviceLookups;
  /** The id of this node, for the rows that each node has of its own. */
  readonly #node = randomUUID();
  readonly #writes = new Set<Promise<unknown>>();
  #refusal: StoreRefusal | null = null;
  /** The reason in the last warning; null if the log says that all is well. */
  #warnedOf: string | null = null;
  #warnedAt = Number.NEGATIVE_INFINITY;
  readonly #measure: () => Promise<number>;
  #bytes = { value: Number.POSITIVE_INFINITY, at: Number.NEGATIVE_INFINITY };

  constructor(name: StoreName, database: Database, options: PostgresOptions) {
    this.name = name;
    this.#database = database;
    this.#options = options;
    this.#lookups = new DeviceLookups(this.#query, database.schema);
    this.#measure = together(() => bytesOf(database));
    const { ingesting } = options;
    this.ingest =
      ingesting === null
        ? notOffered
        : ingestByAppend(ingesting.verifiers, (readings) => this.append(readings), GROUPS);
    this.shared = {
      list: together(() => this.#list()),
      lease: (task, ms) => this.#lease(task, ms),
      connections: () => database.connections,
      beat: (facts) => this.#tried(() => beat(database, this.#node, facts)),
      ended: async () => {
        await database.query(`DELETE FROM ${database.schema}.node WHERE node = $1`, [this.#node]);
      },
      addPosted: (counts) => addPosted(database, counts),
      logWaiting: (limit) => this.#tried(() => logWaiting(database, limit)),
      addCheckpoint: (checkpoint) => this.#tried(() => addCheckpoint(database, checkpoint)),
      takeRegistration: (address, most, withinMs) => this.#tried(() => this.#takeRegistration(address, most, withinMs)),
    };
  }

  device(id: string): Promise<RegisteredDevice | null> {
    return this.#lookups.find(id);
  }

  devices(page?: DevicePage): Promise<RegisteredDevice[]> {
    return devicesOf(this.#query, this.#database.schema, page);
  }

  register(registration: DeviceRegistration, createdAt: number, origin?: RegistrationOrigin): Promise<Registered> {
    const { query, schema } = this.#database;
    const maxDevices = this.#options.bounds?.maxDevices ?? Number.POSITIVE_INFINITY;
    return this.#write(() => registerDevice(query, schema, registration, createdAt, { maxDevices, origin }));
  }

  append(readings: readonly NewReading[]): Promise<ReadingOutcome[]> {
    if (readings.length === 0) return Promise.resolve([]);
    return this.#write(() => appendReadings(this.#database.query, this.#database.schema, readings));
  }

  latest(id: string, limit: number, before: bigint | null = null): Promise<Reading[]> {
    return latestReadings(this.#query, this.#database.schema, id, limit, before);
  }

  forget(id: string, limit: number): Promise<{ readonly readings: number; readonly isDone: boolean }> {
    // Deleting is allowed in a full store too.
    return this.#tried(() =>
      this.#database.transaction((query) => forgetDevice(query, this.#database.schema, id, limit)),
    );
  }

  /** No sums of hours are kept, so a reading that is sent again is stored again. */
  prune(id: string, before: number, limit: number): Promise<Pruned> {
    // Deleting is allowed in a full store too.
    return this.#tried(() =>
      this.#database.transaction((query) => pruneReadings(query, this.#database.schema, id, before, limit)),
    );
  }

  async addCounts(counts: Counts): Promise<void> {
    await this.#tried(() =>
      this.#database.transaction((query) => addCounts(query, this.#database.schema, this.#node, counts)),
    );
  }

  unregistered(): Promise<UnregisteredDevice[]> {
    return unregisteredOf(this.#query, this.#database.schema);
  }

  /** Nodes with a shared store have their own clocks, so no times of arrival are moved. */
  async moveArrivals(): Promise<MovedStep> {
    return { devices: [], next: null };
  }

  async bytes(): Promise<number> {
    const max = this.#options.bounds?.maxBytes ?? Number.POSITIVE_INFINITY;
    const { value, at } = this.#bytes;
    if (performance.now() - at < SIZE_HOLDS_MS && max - value > SIZE_HOLDS_BELOW) return value;
    const measured = await this.#measure();
    this.#bytes = { value: measured, at: performance.now() };
    return measured;
  }

  readonly refusal = together(async (): Promise<StoreRefusal | null> => {
    const { query, schema } = this.#database;
    try {
      await this.#requireRoom();
      // If the last write failed, try another one: a full disk and a standby can still be read.
      if (this.#refusal !== null) await this.#testRoom();
      else await query(`SELECT version FROM ${schema}.store`);
      this.#tell(null);
    } catch (error) {
      const { message } = error as Error;
      this.#tell({ code: isStorageFault(error) ? error.code : 'unreachable', message });
    }
    return this.#refusal;
  });

  async close(): Promise<void> {
    await Promise.allSettled(this.#writes);
    await this.#database.close();
  }

  readonly pruneStrays = notOffered;
  readonly setNotes = notOffered;
  readonly setChoice = notOffered;
  readonly choices = notOffered;
  readonly writeEntry = notOffered;
  readonly deleteEntry = notOffered;
  readonly entry = notOffered;
  readonly entriesWithPhotos = notOffered;

  /** Runs a statement that reads. If it fails, the store finds out at once whether it can write. */
  readonly #query: Query = async (sql, values) => {
    try {
      return await this.#database.query(sql, values);
    } catch (error) {
      if (this.#refusal === null && isStorageFault(error)) void this.refusal();
      throw error;
    }
  };

  /**
   * Writes rows and deletes them in the same transaction. A change of one row would not do: it fits into a page that
   * the table has, even if the disk is full.
   */
  #testRoom(): Promise<void> {
    const { schema } = this.#database;
    return this.#database.transaction(async (query) => {
      const part = `test ${randomUUID()}`;
      await query(
        `INSERT INTO ${schema}.carried
         SELECT $1, row, 0, to_json(repeat('x', ${TEST_ROW_CHARACTERS})) FROM generate_series(1, ${TEST_ROWS}) AS row`,
        [part],
      );
      await query(`DELETE FROM ${schema}.carried WHERE part = $1`, [part]);
    });
  }

  /** The version changes with every change of the list, because device numbers only increase. */
  async #list(): Promise<{ readonly count: number; readonly version: string }> {
    const [row] = await this.#query<{ count: string; last: number | null }>(
      `SELECT count(*) AS count, max(device) AS last FROM ${this.#database.schema}.device`,
    );
    return { count: Number(row!.count), version: `${row!.count} ${row!.last}` };
  }

  async #lease(task: string, ms: number): Promise<boolean> {
    const { schema } = this.#database;
    const taken = await this.#query(
      `INSERT INTO ${schema}.lease VALUES ($1, $2, now() + make_interval(secs => $3))
       ON CONFLICT (task) DO UPDATE SET node = excluded.node, until = excluded.until
       WHERE lease.node = excluded.node OR lease.until < now() RETURNING task`,
      [task, this.#node, ms / 1000],
    );
    return taken.length > 0;
  }

  async #takeRegistration(address: string, most: number, withinMs: number) {
    const { query, schema } = this.#database;
    const within = `at > now() - make_interval(secs => ${withinMs / 1000})`;
    const taken = await query<{ place: string }>(
      `WITH old AS (DELETE FROM ${schema}.registration WHERE NOT ${within})
       INSERT INTO ${schema}.registration (address)
       SELECT $1 WHERE (SELECT count(*) FROM ${schema}.registration WHERE address = $1 AND ${within}) < $2
       RETURNING at::text AS place`,
      [address, most],
    );
    const place = taken[0]?.place;
    if (place !== undefined) {
      return {
        waitMs: 0,
        takeBack: async () => {
          await query(`DELETE FROM ${schema}.registration WHERE address = $1 AND at = $2::timestamptz`, [
            address,
            place,
          ]);
        },
      };
    }
    const [oldest] = await query<{ ms: number }>(
      `SELECT extract(epoch FROM min(at) + make_interval(secs => ${withinMs / 1000}) - now())::float8 * 1000 AS ms
       FROM ${schema}.registration WHERE address = $1 AND ${within}`,
      [address],
    );
    return { waitMs: Math.max(1, oldest?.ms ?? 1), takeBack: async () => {} };
  }

  /** Runs a write if there is room for it. */
  #write<T>(run: () => Promise<T>): Promise<T> {
    return this.#tried(async () => {
      await this.#requireRoom();
      const result = await run();
      this.#tell(null);
      return result;
    });
  }

  /** Runs a write, retries it if the server rolled it back, and reports whether the store refuses writes. */
  #tried<T>(run: () => Promise<T>): Promise<T> {
    const write = this.#try(run);
    this.#writes.add(write);
    const ended = () => this.#writes.delete(write);
    write.then(ended, ended);
    return write;
  }

  async #try<T>(run: () => Promise<T>): Promise<T> {
    try {
      const result = await repeated(run);
      // Changes of a few rows, and deletions, succeed in a store without room too.
      if (this.#refusal?.code !== 'full' && this.#refusal?.code !== 'limit') this.#tell(null);
      return result;
    } catch (error) {
      if (isStorageFault(error)) this.#tell({ code: error.code, message: error.message });
      throw error;
    }
  }

  #tell(refusal: StoreRefusal | null): void {
    const before = this.#refusal;
    this.#refusal = refusal;
    this.#writeLog(refusal);
    if (before?.code !== refusal?.code) this.#options.onState(refusal);
  }

  /** Writes a warning when the store begins to refuse writes or the reason changes, at most once a minute. */
  #writeLog(refusal: StoreRefusal | null): void {
    const { log } = this.#options;
    if (refusal === null) {
      if (this.#warnedOf !== null) log.info('the store accepts writes again');
      this.#warnedOf = null;
      return;
    }
    const now = performance.now();
    if (this.#warnedOf === refusal.message || now - this.#warnedAt < WARN_EVERY_MS) return;
    this.#warnedOf = refusal.message;
    this.#warnedAt = now;
    log.warn({ code: refusal.code, reason: refusal.message }, 'the store refuses writes');
  }

  async #requireRoom(): Promise<void> {
    const max = this.#options.bounds?.maxBytes ?? Number.POSITIVE_INFINITY;
    if (max === Number.POSITIVE_INFINITY || (await this.bytes()) < max) return;
    throw new StorageUnavailable('limit', `the store holds its limit of ${max} bytes`);
  }
}

/** Only the private store has the owner's own records, and it is never shared. */
async function notOffered(): Promise<never> {
  throw new Error('a store in PostgreSQL does not offer this');
}
