import type { StoreName } from '../../../shared/protocol/codes.ts';
import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';
import { StartError } from '../../common/start-error.ts';
import type { StoreLocation } from '../engine.ts';
import { Database, partsOf } from './database.ts';

/** The version of the stores that this program writes. */
export const POSTGRES_VERSION = 1;

/** The columns of a field: its plain value, and its sealed bytes. Both are null where a reading has none. */
export const FIELD_COLUMNS = FIELD_NAMES.flatMap((name) => [`"${name}"`, `"${name}Sealed"`]);

const TABLES = `
  CREATE TABLE store (name text NOT NULL, version int NOT NULL);
  CREATE TABLE device (
    device int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id bytea NOT NULL UNIQUE,
    owner bytea NOT NULL,
    registered jsonb NOT NULL,
    location numeric(20),
    created_at bigint NOT NULL
  );
  CREATE TABLE owner (id bytea PRIMARY KEY, name text NOT NULL);
  -- seq and timestamp are unsigned: they are kept less 2^63, so that they are ordered as they should be.
  CREATE TABLE reading (
    device int NOT NULL REFERENCES device,
    seq bigint NOT NULL,
    timestamp bigint NOT NULL,
    received_at bigint NOT NULL,
    key_version bigint NOT NULL,
    clock bigint NOT NULL,
    ${FIELD_NAMES.map((name) => `"${name}" float8, "${name}Sealed" bytea`).join(', ')},
    PRIMARY KEY (device, seq)
  );
  CREATE INDEX reading_by_time ON reading (device, timestamp DESC, seq DESC);`;

/** See StoreEngine.prepare. */
export async function prepare(name: StoreName, location: StoreLocation): Promise<void> {
  await Database.with(location, async (database) => {
    const found = await storeIn(database);
    if (found === null) return await create(name, location, database);
    if (found.name !== name) throw new StartError(`the database holds a ${found.name} store, not the ${name} one`);
    if (found.version <= POSTGRES_VERSION) return;
    throw new StartError(
      `the database was written by a newer Wellhouse (store version ${found.version}, this one knows ${POSTGRES_VERSION}); update this one`,
    );
  }).catch((error: unknown) => {
    if (error instanceof StartError) throw error;
    throw new StartError(`the ${name} store can't be opened (${(error as Error).message}); check the database server`);
  });
}

/** The store in a schema; null: there is none. */
export async function storeIn(
  database: Database,
): Promise<{ readonly name: StoreName; readonly version: number } | null> {
  const [table] = await database.query<{ there: boolean }>(
    "SELECT to_regclass(current_schema() || '.store') IS NOT NULL AS there",
  );
  if (table?.there !== true) return null;
  const [store] = await database.query<{ name: StoreName; version: number }>('SELECT name, version FROM store');
  return store ?? null;
}

async function create(name: StoreName, location: StoreLocation, database: Database): Promise<void> {
  const { schema } = partsOf(location);
  // Several statements without values are one transaction.
  await database.query(`CREATE SCHEMA IF NOT EXISTS ${schema}; SET LOCAL search_path = ${schema}; ${TABLES}
    INSERT INTO store VALUES ('${name}', ${POSTGRES_VERSION});`);
}
