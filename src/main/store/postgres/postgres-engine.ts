import type { StoreEngine, Writers } from '../engine.ts';
import { bytesOf, Database, describeLocation } from './database.ts';
import { openLog } from './log-reader.ts';
import { openOperator } from './operator.ts';
import { PostgresStore } from './postgres-store.ts';
import { POSTGRES_ROWS } from './rows.ts';
import { bind, isThere, POSTGRES_VERSION, prepare, storeIn } from './schema.ts';

/**
 * Keeps public stores in schemas of a PostgreSQL server, shared by several nodes. A location is the server's address,
 * `postgres://…`, with `?schema=`. The engine has no reader for the owner and no copies as files: PostgreSQL has its
 * own tools for copies.
 */
export const POSTGRES: StoreEngine = {
  describe: describeLocation,
  exists: isThere,
  refuseRemains: async () => {},
  prepare,
  bind,
  startWriters: ({ ingesting, log }): Writers => ({
    open: async (name, location, { bounds, prepare }, onState = () => {}) =>
      new PostgresStore(name, await Database.at(location, { prepare }), {
        bounds,
        ingesting,
        onState,
        log: log.child({ store: describeLocation(location) }),
      }),
    close: async () => {},
  }),
  openReader: null,
  snapshots: {
    newestVersion: POSTGRES_VERSION,
    version: (location) =>
      Database.with(location, async ({ query, schema }) => (await storeIn(query, schema))?.version ?? 0),
    versionAt: (location) =>
      Database.with(location, async ({ query, schema }) => (await storeIn(query, schema))?.version ?? null),
    changedAt: notOffered,
    bytes: notOffered,
    write: notOffered,
    inspect: notOffered,
    inspectFile: notOffered,
  },
  usage: (location) => Database.with(location, async (database) => ({ bytes: await bytesOf(database), room: null })),
  // Several nodes share a store, so there is no lock.
  lock: () => () => {},
  movable: POSTGRES_ROWS,
  openLog,
  openOperator,
};

async function notOffered(): Promise<never> {
  throw new Error('PostgreSQL copies its stores by itself: see docs/many-homes.md');
}
