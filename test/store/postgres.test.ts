import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreLocation } from '../../src/main/store/engine.ts';
import { engineOf, StoreWriters } from '../../src/main/store/engines.ts';
import type { Store } from '../../src/main/store/port.ts';
import { Verifiers } from '../../src/main/store/verifier/verifiers.ts';
import type { StoreName } from '../../src/shared/protocol/codes.ts';
import { PostgresServer, postgresPrograms } from '../support/postgres-server.ts';
import { registrationsContract } from './contract/devices.ts';
import { ingestContract } from './contract/ingest.ts';
import { checkAppends, readingsContract } from './contract/readings.ts';
import { BOTH, type OpenStores } from './contract/stores-under-test.ts';

const log = pino({ level: 'silent' });
const programs = postgresPrograms();
let server: PostgresServer;
let schemas = 0;

/** Two fresh stores, each in a schema of its own. */
const openPostgres: OpenStores = async (bounds) => {
  schemas += 1;
  const locations: Record<StoreName, StoreLocation> = {
    private: server.location(`private_${schemas}`),
    public: server.location(`public_${schemas}`),
  };
  const verifiers = new Verifiers(log, 2);
  const open = async () => {
    const writers = new StoreWriters({ log, ingesting: { verifiers, isByAppend: true } });
    const stores = {} as Record<StoreName, Store>;
    for (const name of BOTH) {
      await engineOf(locations[name]).prepare(name, locations[name]);
      const options = { durability: 'full', bounds: name === 'public' ? (bounds ?? null) : null } as const;
      stores[name] = await writers.open(name, locations[name], options);
    }
    const close = async () => {
      for (const store of Object.values(stores)) await store.close();
      await writers.close();
    };
    return { stores, close };
  };
  let opened = await open();
  return {
    store: (name) => opened.stores[name],
    get reader(): never {
      throw new Error('stores in PostgreSQL have no reader yet');
    },
    restart: async () => {
      await opened.close();
      opened = await open();
    },
    loseAnswers: async (name) => {
      await server.endConnections();
      await expect.poll(() => opened.stores[name].refusal(), { timeout: 15_000 }).toBeNull();
    },
    dispose: async () => {
      await opened.close();
      await verifiers.close();
    },
  };
};

describe.skipIf(programs === null)(
  programs === null ? 'PostgreSQL (skipped: no server in /usr/lib/postgresql)' : 'PostgreSQL',
  () => {
    beforeAll(async () => {
      server = await PostgresServer.start(programs!);
    }, 60_000);
    afterAll(() => server.stop());

    describe('registrations', () => registrationsContract(openPostgres));
    describe('readings', () => readingsContract(openPostgres));
    describe('blocks', () => ingestContract(openPostgres));

    it('a store is there once it was prepared, and is of this version', async () => {
      const location = server.location('fresh');
      const engine = engineOf(location);
      expect(await engine.exists(location)).toBe(false);
      await engine.prepare('private', location);
      await engine.prepare('private', location);
      expect(await engine.exists(location)).toBe(true);
      expect(await engine.snapshots.version(location)).toBe(engine.snapshots.newestVersion);
      await expect(engine.prepare('public', location)).rejects.toThrow('holds a private store');
      await server.query(`UPDATE fresh.store SET version = ${engine.snapshots.newestVersion + 1}`);
      await expect(engine.prepare('private', location)).rejects.toThrow('newer Wellhouse');
    });

    it('a server that is gone is unreachable, and loses nothing that was confirmed', async () => {
      const stores = await openPostgres();
      const store = stores.store('private');
      await server.restart(async () => {
        await expect(store.devices()).rejects.toMatchObject({ name: 'StorageUnavailable', code: 'unreachable' });
        expect(await store.refusal()).toMatchObject({ code: 'unreachable' });
      });
      await checkAppends(store, { numRuns: 3 });
      await stores.dispose();
    }, 60_000);
  },
);
