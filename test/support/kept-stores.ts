import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import type { Endpoint } from './node-process.ts';

const FOLDER = new URL('../durability/stores/', import.meta.url);
const NAMES: Record<Endpoint, string> = { local: 'private', public: 'public' };

/** Returns the file with the sample store of a version. */
export const keptStoreUrl = (endpoint: Endpoint, version: number) =>
  new URL(`${NAMES[endpoint]}-version-${version}.db.gz`, FOLDER);

/** The store versions with sample files, in ascending order. The code of each version wrote its file. */
export const KEPT_VERSIONS: readonly number[] = readdirSync(FOLDER)
  .flatMap((name) => /^private-version-(\d+)\.db\.gz$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((a, b) => a - b);

/** Unpacks the sample store of a version to a path, and creates its folder. */
export function unpackKeptStore(endpoint: Endpoint, version: number, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, gunzipSync(readFileSync(keptStoreUrl(endpoint, version))));
}

/** Returns the whole schema of a store, and the marks in its header. */
export function schemaOf(path: string) {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    return {
      version: db.pragma('user_version', { simple: true }),
      applicationId: db.pragma('application_id', { simple: true }),
      schema: db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all(),
    };
  } finally {
    db.close();
  }
}

/** Returns the rows of every table of a store, by table and column, in the order of their keys. */
export function rowsOf(path: string): Record<string, Record<string, unknown>[]> {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck();
    const rows = (table: string) => db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).safeIntegers().all();
    return Object.fromEntries(tables.all().map((table) => [table, rows(table) as Record<string, unknown>[]]));
  } finally {
    db.close();
  }
}
