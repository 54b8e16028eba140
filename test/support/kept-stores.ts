import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import type { Endpoint } from './node-process.ts';

const FOLDER = new URL('../durability/stores/', import.meta.url);
const NAMES: Record<Endpoint, string> = { local: 'private', public: 'public' };

/** The file that a store of a version is kept in. */
export const keptStoreUrl = (endpoint: Endpoint, version: number) =>
  new URL(`${NAMES[endpoint]}-version-${version}.db.gz`, FOLDER);

/** The store versions of which files are kept, in ascending order. They were written by the code of their time. */
export const KEPT_VERSIONS: readonly number[] = readdirSync(FOLDER)
  .flatMap((name) => /^private-version-(\d+)\.db\.gz$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((a, b) => a - b);

/** Unpacks the kept store of a version to a path; its folder is made. */
export function unpackKeptStore(endpoint: Endpoint, version: number, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, gunzipSync(readFileSync(keptStoreUrl(endpoint, version))));
}

/** Everything that the schema of a store says, and the marks in its header. */
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

/** The rows of every table of a store, by table and column, in the order of their keys. */
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
