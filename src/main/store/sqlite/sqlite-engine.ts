import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { roomAt } from '../../common/room.ts';
import type {
  Ingesting,
  OnStoreState,
  StoreEngine,
  StoreLocation,
  StoreOptions,
  Writers,
  WritersOptions,
} from '../engine.ts';
import type { Store } from '../port.ts';
import { prepareStore } from './file/database.ts';
import { reading } from './file/fault.ts';
import { lockFile } from './file/lock-file.ts';
import { logOf } from './file/names.ts';
import { SQLITE_ROWS } from './file/rows.ts';
import {
  inspectCopy,
  inspectStore,
  NEWEST_VERSION,
  snapshotBytes,
  snapshotStore,
  versionInHeader,
  versionOfStore,
} from './file/snapshot.ts';
import { refuseLogWithoutStore } from './file/store-check.ts';
import { SqliteStoresReader } from './read/stores-reader.ts';
import { SqliteStore } from './sqlite-store.ts';
import { WriterThread } from './write/writer.ts';

/** Stores each store in a file. A location is its path. */
export const SQLITE: StoreEngine = {
  describe: (location) => location,
  exists: async (location) => existsSync(location),
  refuseRemains: async (location) => refuseLogWithoutStore(location),
  prepare: async (name, location) => prepareStore(location, name),
  bind: null,
  startWriters: (options) => new SqliteWriters(options),
  openReader: async (locations) => reading(() => new SqliteStoresReader(locations)),
  snapshots: {
    newestVersion: NEWEST_VERSION,
    version: async (location) => versionOfStore(location),
    versionAt: async (location) => versionInHeader(location),
    changedAt: async (location) => Math.max(writtenAt(location), writtenAt(logOf(location))),
    bytes: async (location) => snapshotBytes(location),
    write: async (location, file) => snapshotStore(location, file),
    inspect: async (location, name) => inspectStore(location, name),
    inspectFile: async (file, name) => inspectCopy(file, name),
  },
  usage: async (location) => ({
    bytes: statSync(location, { throwIfNoEntry: false })?.size ?? 0,
    room: await roomAt(dirname(location)),
  }),
  lock: lockFile,
  movable: SQLITE_ROWS,
  openLog: null,
  openOperator: null,
};

function writtenAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

/** Returns the versions of the engine's libraries, for diagnostics. */
export function engineVersions(): { readonly sqlite: string } {
  const db = new Database(':memory:');
  try {
    return { sqlite: db.prepare<[], string>('SELECT sqlite_version()').pluck().get()! };
  } finally {
    db.close();
  }
}

/** The writer thread and its stores. */
class SqliteWriters implements Writers {
  readonly #thread: WriterThread;
  readonly #ingesting: Ingesting | null;

  constructor({ log, ingesting }: WritersOptions) {
    this.#thread = new WriterThread(log);
    this.#ingesting = ingesting;
  }

  async open(name: StoreName, location: StoreLocation, options: StoreOptions, onState?: OnStoreState): Promise<Store> {
    const writer = await this.#thread.open({ ...options, path: location }, onState);
    return new SqliteStore(name, location, writer, this.#ingesting);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
