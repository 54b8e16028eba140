import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CLOCK_COLUMN,
  ENTRY_COLUMN,
  FIELD_COLUMNS,
  FIRST_ARRIVAL_COLUMN,
  READING_COLUMNS,
  ROLLUP_COLUMNS,
  SIGNED_COLUMNS,
} from '../../src/main/store/sqlite/file/columns.ts';
import { prepareStore } from '../../src/main/store/sqlite/file/database.ts';
import { STORE_VERSION } from '../../src/main/store/sqlite/file/migrations.ts';
import { KEPT_VERSIONS, rowsOf, schemaOf, unpackKeptStore } from '../support/kept-stores.ts';
import { ENDPOINTS, type Endpoint, removeFolder, temporaryFolder } from '../support/node-process.ts';
import { STORE_OF, storePath } from '../support/store-file.ts';

const HOUR = 3_600_000n;

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));
beforeAll(() => {
  for (const endpoint of ENDPOINTS) prepareStore(storePath(folder, endpoint), STORE_OF[endpoint]);
});

const fresh = (endpoint: Endpoint) => storePath(folder, endpoint);

const cases = ENDPOINTS.flatMap((endpoint) => KEPT_VERSIONS.map((version) => ({ endpoint, version })));

test('every version but that of an unreleased step has a kept store', () => {
  const versions = Array.from({ length: STORE_VERSION }, (_, index) => index + 1);
  expect([versions, versions.slice(0, -1)]).toContainEqual(KEPT_VERSIONS);
});

describe.each(cases)('the $endpoint store of version $version', ({ endpoint, version }) => {
  const path = storePath(`${folder}/${endpoint}-${version}`, endpoint);
  let before: ReturnType<typeof rowsOf>;
  beforeAll(() => {
    unpackKeptStore(endpoint, version, path);
    before = rowsOf(path);
    expect(schemaOf(path).version).toBe(version);
    prepareStore(path, STORE_OF[endpoint]);
  });

  test('has the schema of a new store once it is migrated', () => {
    expect(schemaOf(path)).toEqual(schemaOf(fresh(endpoint)));
  });

  test('keeps all its data', () => {
    const after = rowsOf(path);
    // Eleven, and one more in each that keep-stores.ts has made.
    expect(before.readings).toHaveLength(11 + Math.max(0, version - 3));
    for (const [table, rows] of Object.entries(before)) {
      expect(after[table], table).toHaveLength(rows.length);
      for (const [index, row] of rows.entries()) expect(after[table]![index], table).toMatchObject(row);
    }
  });

  test('has every hour marked or summed up', () => {
    const { readings, dirty_hours: dirty, hourly_rollups: summed } = rowsOf(path);
    const keyOf = (device: unknown, hour: unknown) => `${device} ${hour}`;
    const known = new Set([...dirty!, ...summed!].map(({ device, hour }) => keyOf(device, hour)));
    const hourOf = (timestamp: unknown) => BigInt.asUintN(64, timestamp as bigint) / HOUR;
    expect(known).toEqual(new Set(readings!.map(({ device, timestamp }) => keyOf(device, hourOf(timestamp)))));
  });
});

test.each(ENDPOINTS)('a new %s store has a column for every field, and no unknown one', (endpoint) => {
  const db = new Database(fresh(endpoint), { readonly: true });
  const columns = (table: string) =>
    (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name).sort();
  expect(columns('readings')).toEqual(
    [...READING_COLUMNS, CLOCK_COLUMN, ...SIGNED_COLUMNS, ENTRY_COLUMN, FIRST_ARRIVAL_COLUMN].sort(),
  );
  expect(columns('hourly_rollups')).toEqual([...ROLLUP_COLUMNS].sort());
  expect(columns('reading_forms')).toEqual(
    [
      ...READING_COLUMNS.filter((name) => !FIELD_COLUMNS.includes(name)),
      ...FIELD_COLUMNS.flatMap((name) => ['plain', 'cipher', 'nonce'].map((form) => `${name}_${form}`)),
    ].sort(),
  );
  db.close();
});
