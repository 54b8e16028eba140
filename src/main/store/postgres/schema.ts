import type { StoreName } from '../../../shared/protocol/codes.ts';
import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';
import { StartError } from '../../common/start-error.ts';
import type { StoreLocation } from '../engine.ts';
import { StorageUnavailable } from '../storage-unavailable.ts';
import { Database, describeLocation, type Query } from './database.ts';
import { isGone } from './fault.ts';

/** The columns of each field: its plain value, and its sealed bytes. Both are null if a reading lacks the field. */
export const FIELD_COLUMNS = FIELD_NAMES.flatMap((name) => [`"${name}"`, `"${name}Sealed"`]);

const PARTITIONS = 8;

/** A step of the schema. */
interface Migration {
  /** The oldest store version whose program works with the schema after this step: nodes are updated one by one. */
  readonly worksSince: number;
  readonly statements: (schema: string) => readonly string[];
}

/** The steps; the version of a store is the number of its steps. A released step never changes. */
const MIGRATIONS: readonly Migration[] = [
  { worksSince: 1, statements: firstTables },
  { worksSince: 1, statements: whatFilesKeep },
  {
    worksSince: 1,
    statements: (schema) => [
      // A task that one node does for all, the id of that node, and the end of its turn.
      `CREATE TABLE ${schema}.lease (task text PRIMARY KEY, node uuid NOT NULL, until timestamptz NOT NULL)`,
    ],
  },
  { worksSince: 1, statements: whatOperatorsAsk },
  { worksSince: 1, statements: theLog },
];

/** The version of the stores that this program writes. */
export const POSTGRES_VERSION = MIGRATIONS.length;

/** The facts that a store has about itself. */
export interface StoreRow {
  readonly name: StoreName;
  readonly version: number;
  readonly worksSince: number;
  /** The public key of the nodes that use it, lowercase hex; null: no node has used it yet. */
  readonly identity: string | null;
}

/** See StoreEngine.prepare. Nodes that start at the same time wait for each other. */
export async function prepare(name: StoreName, location: StoreLocation): Promise<void> {
  await starting(name, location, (database) =>
    database.transaction(async (query) => {
      const { schema } = database;
      await lockSchema(query, schema);
      const found = await storeIn(query, schema);
      if (found !== null && found.name !== name) {
        throw new StartError(`the database holds a ${found.name} store, not the ${name} one`);
      }
      if (found !== null && found.worksSince > POSTGRES_VERSION) {
        throw new StartError(
          `the database was written by a newer Wellhouse (store version ${found.version}, this one knows ${POSTGRES_VERSION}); update this one`,
        );
      }
      const missing = MIGRATIONS.slice(found?.version ?? 0);
      if (missing.length === 0) return;
      if (found === null) await makeSchema(query, schema, name);
      for (const { statements } of missing) for (const statement of statements(schema)) await query(statement);
      const { worksSince } = MIGRATIONS.at(-1)!;
      await query(`UPDATE ${schema}.store SET version = $1, works_since = $2`, [POSTGRES_VERSION, worksSince]);
    }),
  );
}

/** Waits for others that create, migrate or place the store of a schema; keeps them out until the transaction ends. */
export async function lockSchema(query: Query, schema: string): Promise<void> {
  await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`wellhouse ${schema}`]);
}

/** See StoreEngine.bind. */
export async function bind(name: StoreName, location: StoreLocation, identity: string): Promise<void> {
  await starting(name, location, async ({ query, schema }) => {
    const key = Buffer.from(identity, 'hex');
    await query(`UPDATE ${schema}.store SET identity = $1 WHERE identity IS NULL`, [key]);
    const found = await storeIn(query, schema);
    if (found?.identity === identity) return;
    throw new StartError(
      `the database belongs to the node ${found?.identity}, not to ${identity}: give all nodes of one public store the same identity (IDENTITY_FILE)`,
    );
  });
}

/** See StoreEngine.exists. */
export async function isThere(location: StoreLocation): Promise<boolean> {
  return starting('public', location, async ({ query, schema }) => (await storeIn(query, schema)) !== null);
}

/** Returns the store in a schema, or null. */
export async function storeIn(query: Query, schema: string): Promise<StoreRow | null> {
  const [table] = await query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [`${schema}.store`]);
  if (table?.there !== true) return null;
  const [store] = await query<StoreRow>(
    `SELECT name, version, works_since AS "worksSince", encode(identity, 'hex') AS identity FROM ${schema}.store`,
  );
  return store ?? null;
}

async function starting<T>(
  name: StoreName,
  location: StoreLocation,
  run: (database: Database) => Promise<T>,
): Promise<T> {
  try {
    return await Database.with(location, run);
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { message } = error as Error;
    const told = `the ${name} store ${describeLocation(location)} can't be opened (${message}); check the database server and the address of the store`;
    throw isGone(error) ? new StorageUnavailable('unreachable', told) : new StartError(told);
  }
}

async function makeSchema(query: Query, schema: string, name: StoreName): Promise<void> {
  // The schema may already exist, for a user who may not create one.
  const [found] = await query<{ there: boolean }>('SELECT to_regnamespace($1) IS NOT NULL AS there', [schema]);
  if (found?.there !== true) await query(`CREATE SCHEMA ${schema}`);
  const [database] = await query<{ encoding: string }>(`SELECT current_setting('server_encoding') AS encoding`);
  if (database!.encoding !== 'UTF8') {
    throw new StartError(`the database keeps its texts as ${database!.encoding}; make one with ENCODING 'UTF8'`);
  }
  await query(
    `CREATE TABLE ${schema}.store (name text NOT NULL, version int NOT NULL, works_since int NOT NULL, identity bytea)`,
  );
  await query(`INSERT INTO ${schema}.store VALUES ($1, 0, 0)`, [name]);
}

function firstTables(schema: string): string[] {
  const numbers = Array.from({ length: PARTITIONS }, (_, number) => number);
  return [
    `CREATE TABLE ${schema}.owner (id bytea PRIMARY KEY, name text NOT NULL)`,
    `CREATE TABLE ${schema}.device (
      device int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id bytea NOT NULL UNIQUE,
      owner bytea NOT NULL,
      registered jsonb NOT NULL,
      addresses jsonb NOT NULL,
      location numeric(20),
      created_at bigint NOT NULL
    )`,
    // A stranger chooses its contents. Uncompressed, it counts with its full size.
    `ALTER TABLE ${schema}.device ALTER addresses SET STORAGE EXTERNAL`,
    // seq and timestamp are unsigned. They are stored minus 2^63, which preserves their order.
    `CREATE TABLE ${schema}.reading (
      device int NOT NULL REFERENCES ${schema}.device,
      seq bigint NOT NULL,
      timestamp bigint NOT NULL,
      received_at bigint NOT NULL,
      key_version bigint NOT NULL,
      signature bytea,
      -- What was signed: the number of its composition, or its bytes where it has none that is known.
      composition smallint,
      raw bytea,
      ${FIELD_NAMES.map((field) => `"${field}" float8, "${field}Sealed" bytea`).join(', ')},
      PRIMARY KEY (device, seq)
    ) PARTITION BY HASH (device)`,
    ...numbers.map(
      (number) => `CREATE TABLE ${schema}.reading_${number} PARTITION OF ${schema}.reading
        FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${number})`,
    ),
    `CREATE INDEX reading_by_time ON ${schema}.reading (device, timestamp DESC, seq DESC)`,
    `CREATE TABLE ${schema}.withheld (
      device int NOT NULL REFERENCES ${schema}.device ON DELETE CASCADE,
      cause text NOT NULL,
      field text NOT NULL,
      count bigint NOT NULL,
      first_at bigint NOT NULL,
      last_at bigint NOT NULL,
      PRIMARY KEY (device, cause, field)
    )`,
    `CREATE TABLE ${schema}.outcome (hour int NOT NULL, outcome text NOT NULL, count bigint NOT NULL, PRIMARY KEY (hour, outcome))`,
    // Each node replaces only its own list.
    `CREATE TABLE ${schema}.unregistered (
      node uuid NOT NULL,
      id bytea NOT NULL,
      attempts bigint NOT NULL,
      first_at bigint NOT NULL,
      last_at bigint NOT NULL,
      last_error text NOT NULL,
      PRIMARY KEY (node, id)
    )`,
    `CREATE TABLE ${schema}.registration (address text NOT NULL, at timestamptz NOT NULL DEFAULT now())`,
    `CREATE INDEX registration_by_address ON ${schema}.registration (address, at)`,
  ];
}

/**
 * Adds columns and a table for data of a store that was moved from a file and has no other place, so that it can be
 * moved back unchanged.
 */
function whatFilesKeep(schema: string): string[] {
  return [
    `ALTER TABLE ${schema}.owner ADD kept json`,
    `ALTER TABLE ${schema}.device ADD kept json`,
    `ALTER TABLE ${schema}.reading ADD clock bigint, ADD entry bigint, ADD first_arrival text`,
    `CREATE TABLE ${schema}.carried (
      part text NOT NULL,
      key bigint NOT NULL,
      second bigint NOT NULL,
      cells json NOT NULL,
      PRIMARY KEY (part, key, second)
    )`,
  ];
}

/** Adds tables for the operator: the running nodes, the blocked keys, and the readings of each device by day. */
function whatOperatorsAsk(schema: string): string[] {
  return [
    `CREATE TABLE ${schema}.node (node uuid PRIMARY KEY, seen_at timestamptz NOT NULL, facts jsonb NOT NULL)`,
    `CREATE TABLE ${schema}.blocked (key bytea PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(), reason text NOT NULL)`,
    `CREATE TABLE ${schema}.posted (
      device int NOT NULL REFERENCES ${schema}.device ON DELETE CASCADE,
      day int NOT NULL,
      readings bigint NOT NULL,
      last_at bigint NOT NULL,
      PRIMARY KEY (device, day)
    )`,
    `CREATE INDEX posted_by_day ON ${schema}.posted (day)`,
  ];
}

/** Adds the log of readings and registrations, and fills it with the log of a moved store. */
function theLog(schema: string): string[] {
  const carried = (part: string) => `FROM ${schema}.carried WHERE part = '${part}'`;
  const integer = (cell: number) => `(cells->${cell}->>0)::bigint`;
  return [
    // The queue of the log: a reading, or the text of another entry.
    `CREATE TABLE ${schema}.log_queue (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      device int,
      seq bigint,
      content text
    )`,
    `CREATE TABLE ${schema}.log_leaf (
      entry bigint PRIMARY KEY,
      hash bytea NOT NULL,
      -- The reading; null where it is not one, or where the row of the reading has the entry.
      device int,
      seq bigint,
      is_deleted boolean NOT NULL DEFAULT false
    )`,
    `CREATE INDEX log_leaf_by_reading ON ${schema}.log_leaf (device, seq) WHERE device IS NOT NULL`,
    `CREATE INDEX reading_by_entry ON ${schema}.reading (entry) WHERE entry IS NOT NULL`,
    `CREATE TABLE ${schema}.log_entry (entry bigint PRIMARY KEY, content text NOT NULL)`,
    `CREATE INDEX log_entry_by_start ON ${schema}.log_entry (left(content, 100) text_pattern_ops)`,
    `CREATE TABLE ${schema}.log_node (level int NOT NULL, position bigint NOT NULL, hash bytea NOT NULL, PRIMARY KEY (level, position))`,
    `CREATE TABLE ${schema}.log_state (row int PRIMARY KEY CHECK (row = 1), size bigint NOT NULL)`,
    `CREATE TABLE ${schema}.log_checkpoint (size bigint PRIMARY KEY, at bigint NOT NULL, note text NOT NULL)`,
    `INSERT INTO ${schema}.log_leaf (entry, hash, is_deleted)
     SELECT ${integer(0)}, decode(cells->1->>'hex', 'hex'), ${integer(2)} = 1 ${carried('log_leaves')}`,
    `INSERT INTO ${schema}.log_entry SELECT ${integer(0)}, cells->>1 ${carried('log_entries')}`,
    `INSERT INTO ${schema}.log_node
     SELECT ${integer(0)}, ${integer(1)}, decode(cells->2->>'hex', 'hex') ${carried('log_nodes')}`,
    `INSERT INTO ${schema}.log_checkpoint SELECT ${integer(0)}, ${integer(1)}, cells->>2 ${carried('log_checkpoints')}`,
    `INSERT INTO ${schema}.log_state SELECT 1, coalesce((SELECT max(${integer(1)}) ${carried('log_state')}), 0)`,
    `DELETE FROM ${schema}.carried WHERE part LIKE 'log\\_%'`,
    ...queueUnhashed(schema),
  ];
}

/**
 * Returns statements that queue the entries that a moved store has numbered but not hashed: nobody has seen their
 * places yet, so they can change.
 */
export function queueUnhashed(schema: string): string[] {
  const size = `(SELECT size FROM ${schema}.log_state)`;
  return [
    `DELETE FROM ${schema}.log_leaf WHERE entry >= ${size}`,
    `INSERT INTO ${schema}.log_queue (device, seq, content)
     SELECT device, seq, content FROM (
       SELECT device, seq, NULL AS content, entry FROM ${schema}.reading WHERE entry >= ${size}
       UNION ALL SELECT NULL, NULL, content, entry FROM ${schema}.log_entry WHERE entry >= ${size}
     ) AS unhashed ORDER BY entry`,
    `UPDATE ${schema}.reading SET entry = NULL WHERE entry >= ${size}`,
    `DELETE FROM ${schema}.log_entry WHERE entry >= ${size}`,
  ];
}
