import type { StoreEngine, Writers } from '../engine.ts';
import { Database } from './database.ts';
import { bytesOf, PostgresStore } from './postgres-store.ts';
import { POSTGRES_VERSION, prepare, storeIn } from './schema.ts';

/**
 * Keeps stores in schemas of a PostgreSQL server. A location is the server's address, `postgres://…`, with `?schema=`. Begun:
 * it has neither readers nor snapshots yet, and no setting offers it.
 */
export const POSTGRES: StoreEngine = {
  exists: (location) => Database.with(location, async (database) => (await storeIn(database)) !== null),
  refuseRemains: async () => {},
  prepare,
  startWriters: ({ ingesting }): Writers => ({
    open: async (name, location, { bounds }, onState = () => {}) =>
      new PostgresStore(name, await Database.at(location), { bounds, ingesting, onState }),
    close: async () => {},
  }),
  openReader: notYet,
  snapshots: {
    newestVersion: POSTGRES_VERSION,
    version: (location) => Database.with(location, async (database) => (await storeIn(database))?.version ?? 0),
    versionAt: (location) => Database.with(location, async (database) => (await storeIn(database))?.version ?? null),
    changedAt: notYet,
    bytes: notYet,
    write: notYet,
    inspect: notYet,
    inspectFile: notYet,
  },
  usage: (location) => Database.with(location, async (database) => ({ bytes: await bytesOf(database), room: null })),
  // Several nodes may share the stores of a server.
  lock: () => () => {},
};

async function notYet(): Promise<never> {
  throw new Error('stores in PostgreSQL cannot do this yet');
}
