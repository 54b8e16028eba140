import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { DeviceRegistration } from '../../../shared/protocol/device.ts';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import { OWNER_NAME_FROM_KEY_LENGTH } from '../../../shared/protocol/limits.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import type { StoreRefusal } from '../../common/node-events.ts';
import type { Ingesting, OnStoreState } from '../engine.ts';
import { ingestByAppend } from '../ingest-by-append.ts';
import type { DevicePage, Registered, RegisteredDevice, Store, StoreBounds } from '../port.ts';
import type { NewReading, Reading, ReadingOutcome, StoredField } from '../reading.ts';
import { isStorageFault, StorageUnavailable } from '../storage-unavailable.ts';
import type { Database } from './database.ts';
import { isUndone } from './fault.ts';
import { FIELD_COLUMNS } from './schema.ts';

const SIZE_CHECK_MS = 200;
const TRIES = 5;
/** What is taken off unsigned values to keep their order. */
const HALF = 2n ** 63n;

const COLUMNS = ['seq', 'timestamp', 'received_at', 'key_version', 'clock', ...FIELD_COLUMNS];
const TYPES = ['bigint', 'bigint', 'bigint', 'bigint', 'bigint', ...FIELD_NAMES.flatMap(() => ['float8', 'bytea'])];

/** One statement, so all or none. Which of several with one seq is the first is known by their numbers. */
const APPEND = `
  WITH sent AS (
    SELECT * FROM unnest($1::bytea[], ${TYPES.map((type, index) => `$${index + 2}::${type}[]`).join(', ')})
      WITH ORDINALITY AS sent (id, ${COLUMNS.join(', ')}, number)
  ), known AS (
    SELECT device.device, sent.* FROM sent JOIN device ON device.id = sent.id
  ), stored AS (
    INSERT INTO reading (device, ${COLUMNS.join(', ')})
    SELECT device, ${COLUMNS.join(', ')} FROM known ORDER BY number
    ON CONFLICT DO NOTHING RETURNING device, seq
  )
  SELECT known.number::int, stored.seq IS NOT NULL AS "isStored"
  FROM known LEFT JOIN stored ON stored.device = known.device AND stored.seq = known.seq`;

/** With `before`, from the reading of that seq on, without it; where there is none, from that of the next lower seq on, with it. */
const LATEST = `
  WITH of AS (SELECT device FROM device WHERE id = $1),
  place AS (
    SELECT timestamp, seq FROM reading WHERE device = (SELECT device FROM of) AND seq <= $3::bigint
    ORDER BY seq DESC LIMIT 1
  )
  SELECT ${COLUMNS.join(', ')} FROM reading
  WHERE device = (SELECT device FROM of) AND ($3::bigint IS NULL OR EXISTS (
    SELECT FROM place WHERE (reading.timestamp, reading.seq) < (place.timestamp, place.seq)
      OR (reading.seq = place.seq AND place.seq < $3::bigint)
  ))
  ORDER BY timestamp DESC, seq DESC LIMIT $2`;

interface DeviceRow {
  readonly id: Buffer;
  readonly owner: Buffer;
  readonly ownerName: string;
  readonly registered: Omit<RegisteredDevice, 'id' | 'ownerPubkey' | 'ownerName' | 'location' | 'createdAt'>;
  readonly location: string | null;
  readonly createdAt: string;
}

const DEVICES = `SELECT device.id, owner, owner.name AS "ownerName", registered, location, created_at AS "createdAt"
  FROM device JOIN owner ON owner.id = device.owner`;

/** How a store is opened. */
export interface PostgresOptions {
  readonly bounds: StoreBounds | null;
  readonly ingesting: Ingesting | null;
  readonly onState: OnStoreState;
}

/** A store in a schema of PostgreSQL's. So far it has devices and readings; what is missing rejects. */
export class PostgresStore implements Store {
  readonly name: StoreName;
  readonly ingest: Store['ingest'];
  readonly #database: Database;
  readonly #options: PostgresOptions;
  /** Readings are stored in the order of calls. */
  readonly #appends = new SerialQueue();
  #isRefusing = false;
  #bytes = 0;
  #sizedAt = Number.NEGATIVE_INFINITY;

  constructor(name: StoreName, database: Database, options: PostgresOptions) {
    this.name = name;
    this.#database = database;
    this.#options = options;
    this.ingest =
      options.ingesting === null
        ? notYet
        : ingestByAppend(options.ingesting.verifiers, (readings) => this.append(readings));
  }

  async device(id: string): Promise<RegisteredDevice | null> {
    const [row] = await this.#database.query<DeviceRow>(`${DEVICES} WHERE device.id = $1`, [Buffer.from(id, 'hex')]);
    return row === undefined ? null : deviceOf(row);
  }

  async devices(page?: DevicePage): Promise<RegisteredDevice[]> {
    const { after, limit } = page ?? { after: null, limit: null };
    const rows = await this.#database.query<DeviceRow>(
      `${DEVICES} WHERE $1::bytea IS NULL OR device.device > (SELECT device FROM device WHERE id = $1)
       ORDER BY device.device LIMIT $2`,
      [after === null ? null : Buffer.from(after, 'hex'), limit],
    );
    return rows.map(deviceOf);
  }

  register(registration: DeviceRegistration, createdAt: number): Promise<Registered> {
    const { id, mac, ownerPubkey, ownerName, name, type, location, publishTo, privacyPolicy, hardware } = registration;
    const max = this.#options.bounds?.maxDevices ?? Number.POSITIVE_INFINITY;
    return this.#write(async () => {
      const key = Buffer.from(id, 'hex');
      const owner = Buffer.from(ownerPubkey, 'hex');
      const [known] = await this.#database.query<{ there: boolean; count: number }>(
        'SELECT EXISTS (SELECT FROM device WHERE id = $1) AS there, (SELECT count(*)::int FROM device) AS count',
        [key],
      );
      if (known!.there) return 'exists';
      if (known!.count >= max) return 'limit';
      // A stored name is kept: a stranger who registers must not rename an owner.
      const inserted = await this.#database.query(
        `WITH named AS (INSERT INTO owner VALUES ($2, $3) ON CONFLICT DO NOTHING)
         INSERT INTO device (id, owner, registered, location, created_at) VALUES ($1, $2, $4, $5, $6)
         ON CONFLICT DO NOTHING RETURNING device`,
        [
          key,
          owner,
          ownerName ?? ownerPubkey.slice(0, OWNER_NAME_FROM_KEY_LENGTH),
          { mac, name, type, publishTo, privacyPolicy: privacyPolicy ?? {}, hardware: hardware ?? {} },
          location?.toString() ?? null,
          createdAt,
        ],
      );
      return inserted.length === 0 ? 'exists' : 'created';
    });
  }

  append(readings: readonly NewReading[]): Promise<ReadingOutcome[]> {
    if (readings.length === 0) return Promise.resolve([]);
    return this.#write(async () => {
      const rows = await this.#database.query<{ number: number; isStored: boolean }>(APPEND, columnsOf(readings));
      const isStored = new Map(rows.map((row) => [row.number - 1, row.isStored]));
      const seen = new Set<string>();
      return readings.map(({ deviceId, seq, receivedAt }, index): ReadingOutcome => {
        const stored = isStored.get(index);
        if (stored === undefined) return { kind: 'unknown_device' };
        const key = `${deviceId} ${seq}`;
        if (!stored || seen.has(key)) return { kind: 'duplicate' };
        seen.add(key);
        return { kind: 'stored', receivedAt };
      });
    });
  }

  async latest(id: string, limit: number, before: bigint | null = null): Promise<Reading[]> {
    const rows = await this.#database.query<Record<string, unknown>>(LATEST, [
      Buffer.from(id, 'hex'),
      limit,
      before === null ? null : (before - HALF).toString(),
    ]);
    return rows.map(readingOf);
  }

  bytes(): Promise<number> {
    return bytesOf(this.#database);
  }

  async refusal(): Promise<StoreRefusal | null> {
    try {
      await this.#requireRoom();
      const [state] = await this.#database.query<{ is: string }>(
        "SELECT current_setting('transaction_read_only') AS is",
      );
      return state?.is === 'on' ? { code: 'read_only', message: 'the database takes no writes' } : null;
    } catch (error) {
      const { message } = error as Error;
      return { code: isStorageFault(error) ? error.code : 'unreachable', message };
    }
  }

  async close(): Promise<void> {
    await this.#appends.settled();
    await this.#database.close();
  }

  readonly forget = notYet;
  readonly prune = notYet;
  readonly pruneStrays = notYet;
  readonly moveArrivals = notYet;
  readonly addCounts = notYet;
  readonly unregistered = notYet;
  readonly setNotes = notYet;
  readonly setChoice = notYet;
  readonly writeEntry = notYet;
  readonly deleteEntry = notYet;

  /** Runs a write after those before it, again where the server undid it, and says whether the store refuses writes. */
  #write<T>(run: () => Promise<T>): Promise<T> {
    return this.#appends.run(async () => {
      try {
        await this.#requireRoom();
        const result = await tried(run);
        this.#tell(null);
        return result;
      } catch (error) {
        if (isStorageFault(error)) this.#tell({ code: error.code, message: error.message });
        throw error;
      }
    });
  }

  #tell(refusal: StoreRefusal | null): void {
    const wasRefusing = this.#isRefusing;
    this.#isRefusing = refusal !== null;
    if (wasRefusing !== this.#isRefusing) this.#options.onState(refusal);
  }

  async #requireRoom(): Promise<void> {
    const max = this.#options.bounds?.maxBytes ?? Number.POSITIVE_INFINITY;
    if (max === Number.POSITIVE_INFINITY) return;
    if (performance.now() - this.#sizedAt >= SIZE_CHECK_MS) {
      this.#bytes = await bytesOf(this.#database);
      this.#sizedAt = performance.now();
    }
    if (this.#bytes >= max) throw new StorageUnavailable('limit', `the store holds its limit of ${max} bytes`);
  }
}

/** The bytes that a store takes, indexes included. */
export async function bytesOf(database: Database): Promise<number> {
  const [size] = await database.query<{ bytes: string }>(
    "SELECT pg_total_relation_size('reading') + pg_total_relation_size('device') AS bytes",
  );
  return Number(size!.bytes);
}

async function tried<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === TRIES || !isUndone((error as Error).cause)) throw error;
    }
  }
}

async function notYet(): Promise<never> {
  throw new Error('a store in PostgreSQL cannot do this yet');
}

function columnsOf(readings: readonly NewReading[]): unknown[][] {
  const fields = FIELD_NAMES.flatMap((name) => [
    readings.map(({ fields: { [name]: value } }) => (typeof value === 'number' ? value : null)),
    readings.map(({ fields: { [name]: value } }) => (value instanceof Uint8Array ? Buffer.from(value) : null)),
  ]);
  return [
    readings.map(({ deviceId }) => Buffer.from(deviceId, 'hex')),
    readings.map(({ seq }) => (seq - HALF).toString()),
    readings.map(({ timestamp }) => (timestamp - HALF).toString()),
    readings.map(({ receivedAt }) => receivedAt),
    readings.map(({ keyVersion }) => keyVersion),
    readings.map(({ clock = 0 }) => clock),
    ...fields,
  ];
}

function readingOf(row: Record<string, unknown>): Reading {
  const fields = {} as Record<FieldName, StoredField>;
  for (const name of FIELD_NAMES) fields[name] = (row[name] ?? row[`${name}Sealed`] ?? null) as StoredField;
  return {
    seq: BigInt(row.seq as string) + HALF,
    timestamp: BigInt(row.timestamp as string) + HALF,
    receivedAt: Number(row.received_at),
    keyVersion: Number(row.key_version),
    fields,
  };
}

function deviceOf({ id, owner, ownerName, registered, location, createdAt }: DeviceRow): RegisteredDevice {
  return {
    ...registered,
    id: id.toString('hex'),
    ownerPubkey: owner.toString('hex'),
    ownerName,
    location: location === null ? null : BigInt(location),
    createdAt: Number(createdAt),
  };
}
