import {
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statfsSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { isEnglishPhrase } from '../../../shared/crypto/phrase/phrase.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { SENSOR_FIELDS } from '../../../shared/protocol/fields.ts';
import { CareError } from '../care-error.ts';
import type { DeviceRow, TelemetryRow } from './reference-rows.ts';

const STORE_FILES: Readonly<Record<StoreName, string>> = { private: 'raiznet_private.db', public: 'raiznet_public.db' };
const PHRASE_FILE = 'identity.mnemonic';
const SCRATCH = /^import-[A-Za-z0-9]{6}$/;

const DEVICE_COLUMNS = [
  ...['pubkey', 'mac', 'owner_pubkey', 'name', 'type', 'location', 'publish_to', 'networks', 'local_servers'],
  ...['encryption_key_version', 'privacy_policy', 'hardware', 'status', 'created_at'],
];
const TELEMETRY_COLUMNS = [
  ...['device_pubkey', 'seq', 'timestamp', 'received_at', 'key_version'],
  ...SENSOR_FIELDS.flatMap(({ policyName }) => [`${policyName}_plain`, `${policyName}_cipher`, `${policyName}_nonce`]),
];

/** One store of a reference server, as rows. Integers are bigints. */
export class ReferenceStore {
  readonly name: StoreName;
  readonly #db: Database.Database;

  constructor(name: StoreName, db: Database.Database) {
    this.name = name;
    this.#db = db;
  }

  /** Returns the number of devices and readings. */
  counts(): { readonly devices: number; readonly readings: number } {
    const count = (table: string) => this.#db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
    return { devices: count('devices'), readings: count('telemetry') };
  }

  /** Returns all devices in order of registration, each with its owner's name. */
  devices(): readonly DeviceRow[] {
    const columns = DEVICE_COLUMNS.map((name) => `devices.${name} AS ${name}`).join(', ');
    return this.#db
      .prepare(
        `SELECT ${columns}, users.name AS owner_name FROM devices LEFT JOIN users ON users.pubkey = devices.owner_pubkey
         ORDER BY devices.created_at, devices.rowid`,
      )
      .safeIntegers()
      .all() as DeviceRow[];
  }

  /** Returns all readings by device, in SQLite's order of seq. */
  readings(): IterableIterator<TelemetryRow> {
    return this.#db
      .prepare(`SELECT ${TELEMETRY_COLUMNS.join(', ')} FROM telemetry ORDER BY device_pubkey, seq`)
      .safeIntegers()
      .iterate() as IterableIterator<TelemetryRow>;
  }

  close(): void {
    this.#db.close();
  }
}

/**
 * The data folder of a reference server, which stays unchanged. SQLite would write to the files even to read them, so
 * they are copied first, with their write-ahead logs.
 */
export class ReferenceFolder {
  /** The server's phrase, a secret; null if there is none. */
  readonly phrase: string | null;
  readonly stores: readonly ReferenceStore[];
  readonly #scratch: string;

  private constructor(phrase: string | null, stores: readonly ReferenceStore[], scratch: string) {
    this.phrase = phrase;
    this.stores = stores;
    this.#scratch = scratch;
  }

  /**
   * Opens a folder. The copies are in a new folder below `scratchParent` until `close()`. Throws CareError if there is
   * no data of a reference server, if it is damaged or in use, or if there is no space for the copies.
   */
  static open(folder: string, scratchParent: string): ReferenceFolder {
    const names = (['private', 'public'] as const).filter((name) => existsSync(join(folder, STORE_FILES[name])));
    if (names.length === 0) {
      throw new CareError(
        'no_folder',
        `${folder} contains neither ${STORE_FILES.private} nor ${STORE_FILES.public}: name the data folder of a reference server`,
      );
    }
    const phrase = readPhrase(join(folder, PHRASE_FILE));
    requireRoom(folder, names, scratchParent);
    // Remove the folders of imports that were killed.
    for (const name of readdirSync(scratchParent)) {
      if (SCRATCH.test(name)) rmSync(join(scratchParent, name), { recursive: true, force: true });
    }
    const scratch = mkdtempSync(join(scratchParent, 'import-'));
    const stores: ReferenceStore[] = [];
    try {
      for (const name of names)
        stores.push(new ReferenceStore(name, openCopy(join(folder, STORE_FILES[name]), scratch)));
      return new ReferenceFolder(phrase, stores, scratch);
    } catch (error) {
      for (const store of stores) store.close();
      rmSync(scratch, { recursive: true, force: true });
      throw error;
    }
  }

  /** Removes the copies. */
  close(): void {
    for (const store of this.stores) store.close();
    rmSync(this.#scratch, { recursive: true, force: true });
  }
}

function readPhrase(path: string): string | null {
  if (!existsSync(path)) return null;
  const phrase = readFileSync(path, 'utf8').trim();
  if (!isEnglishPhrase(phrase)) throw new CareError('bad_data', `${path} does not contain an English BIP-39 phrase`);
  return phrase;
}

/** Returns the files of a store: its database, and the log with changes that are not in it yet. */
function filesOf(path: string): readonly string[] {
  return [path, `${path}-wal`].filter((file) => existsSync(file));
}

function requireRoom(folder: string, names: readonly StoreName[], scratchParent: string): void {
  const files = names.flatMap((name) => filesOf(join(folder, STORE_FILES[name])));
  // SQLite merges the log into the copy when it opens it.
  const bytes = 2 * files.reduce((sum, file) => sum + statSync(file).size, 0);
  const { bavail, bsize } = statfsSync(scratchParent);
  if (bavail * bsize >= bytes) return;
  const mebibytes = Math.ceil(bytes / 1024 ** 2);
  throw new CareError(
    'no_room',
    `the import needs ${mebibytes} MiB of free space at ${scratchParent} for a copy of the files`,
  );
}

function openCopy(path: string, scratch: string): Database.Database {
  const before = filesOf(path).map(changeOf);
  const copies = filesOf(path).map((file) => {
    const copy = join(scratch, file.slice(path.length - path.split(/[\\/]/).at(-1)!.length));
    copyFileSync(file, copy, constants.COPYFILE_FICLONE);
    return copy;
  });
  const after = filesOf(path).map(changeOf);
  if (before.join() !== after.join()) {
    throw new CareError('busy', `${path} is being written to: stop the reference server first`);
  }
  let db: Database.Database | null = null;
  try {
    db = new Database(copies[0]!);
    requireSchema(db, path);
    const fault = db.pragma('quick_check(1)', { simple: true });
    if (fault !== 'ok') throw new CareError('damaged', `${path} is damaged (${String(fault).replace(/\s+/g, ' ')})`);
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof Database.SqliteError)
      throw new CareError('damaged', `${path} can't be read (${error.message})`);
    throw error;
  }
}

function changeOf(file: string): string {
  const { size, mtimeMs }: Stats = statSync(file);
  return `${file}:${size}:${mtimeMs}`;
}

function requireSchema(db: Database.Database, path: string): void {
  const needed = { users: ['pubkey', 'name'], devices: DEVICE_COLUMNS, telemetry: TELEMETRY_COLUMNS };
  for (const [table, columns] of Object.entries(needed)) {
    const present = new Set(db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table));
    const missing = columns.find((column) => !present.has(column));
    if (missing !== undefined) {
      throw new CareError('bad_data', `${path} is not a reference server's store: it has no ${table}.${missing}`);
    }
  }
}
