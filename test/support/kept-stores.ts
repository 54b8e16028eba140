import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import type { Endpoint } from './node-process.ts';

/** The store versions of which files are kept in `test/durability/stores`, written by the code of their time. */
export const KEPT_VERSIONS = [1, 2, 3] as const;
export type KeptVersion = (typeof KEPT_VERSIONS)[number];

const NAMES: Record<Endpoint, string> = { local: 'private', public: 'public' };

/** Unpacks the kept store of a version to a path; its folder is made. */
export function unpackKeptStore(endpoint: Endpoint, version: KeptVersion, path: string): void {
  const packed = new URL(`../durability/stores/${NAMES[endpoint]}-version-${version}.db.gz`, import.meta.url);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, gunzipSync(readFileSync(packed)));
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
