import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ingesting, StoreLocation } from '../../src/main/store/engine.ts';
import { openStoresReader } from '../../src/main/store/engines.ts';
import type { Store, StoreBounds } from '../../src/main/store/port.ts';
import type { Reading } from '../../src/main/store/reading.ts';
import { prepareStore } from '../../src/main/store/sqlite/file/database.ts';
import { SqliteStore } from '../../src/main/store/sqlite/sqlite-store.ts';
import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import { type StoreWriter, WriterThread } from '../../src/main/store/sqlite/write/writer.ts';
import type { StoresReader } from '../../src/main/store/stores-view.ts';
import { Verifiers } from '../../src/main/store/verifier/verifiers.ts';
import type { StoreName } from '../../src/shared/protocol/codes.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { storePath } from '../support/store-file.ts';
import { arrivalMovesContract } from './contract/arrival-moves.ts';
import { bothStoresContract, checkMerging } from './contract/both-stores.ts';
import { countsContract } from './contract/counts.ts';
import { devicesContract, registrationsContract } from './contract/devices.ts';
import { ingestContract, movedBlocksContract } from './contract/ingest.ts';
import { ownerRecordsContract } from './contract/owner-records.ts';
import { checkAppends, readingsContract } from './contract/readings.ts';
import { retentionContract } from './contract/retention.ts';
import { signedContract } from './contract/signed.ts';
import { BOTH, type OpenStores, type StoresUnderTest } from './contract/stores-under-test.ts';

const log = pino({ level: 'silent' });

// To start threads takes longer than most tests: only those that have one fail, or start again, start their own.
let verifiers: Verifiers;
let sharedThread: WriterThread;
beforeAll(() => {
  verifiers = new Verifiers(log, { least: 2, most: 2 });
  sharedThread = new WriterThread(log);
});
afterAll(async () => {
  await sharedThread.close();
  await verifiers.close();
});

interface HowOpened {
  /** Takes in blocks by appending, as an engine without a lane does; else by the lane. */
  readonly isByAppend?: boolean;
  /** Whether the stores have a writer thread that no other test has, and another one after each restart. */
  readonly hasOwnThread?: boolean;
}

const openBy =
  ({ isByAppend = false, hasOwnThread = false }: HowOpened): OpenStores =>
  async (bounds) => {
    const folder = temporaryFolder();
    const paths = { private: storePath(folder, 'local'), public: storePath(folder, 'public') };
    for (const name of BOTH) prepareStore(paths[name], name);
    const ingesting: Ingesting = { verifiers, isByAppend };
    const thread = () => (hasOwnThread ? new WriterThread(log) : sharedThread);
    let opened = await openStores(paths, ingesting, bounds, thread());
    const reader = await openStoresReader(paths);
    return {
      store: (name) => opened.stores[name],
      reader,
      restart: async () => {
        await opened.close();
        for (const name of BOTH) {
          const writer = new DirectWriter(paths[name]);
          writer.sumUp();
          writer.close();
        }
        opened = await openStores(paths, ingesting, bounds, thread());
      },
      loseAnswers: async (name) => {
        if (opened.thread === sharedThread) throw new Error('other tests use this thread');
        await opened.thread.worker!.terminate();
        await expect.poll(() => opened.stores[name].refusal(), { timeout: 15_000 }).toBeNull();
      },
      dispose: async () => {
        await reader.close();
        await opened.close();
        removeFolder(folder);
      },
    };
  };

const openSqlite = openBy({});

async function openStores(
  paths: Record<StoreName, StoreLocation>,
  ingesting: Ingesting,
  bounds: StoreBounds | undefined,
  thread: WriterThread,
) {
  const writers: StoreWriter[] = [];
  const open = async (name: StoreName) => {
    const ofStore = name === 'public' ? bounds : undefined;
    const writer = await thread.open({ path: paths[name], durability: 'normal', bounds: ofStore ?? null });
    writers.push(writer);
    return new SqliteStore(name, paths[name], writer, ingesting);
  };
  const stores = { private: await open('private'), public: await open('public') };
  const close = async () => {
    for (const store of Object.values(stores)) await store.close();
    // A store has one writer at a time: what another one sums up is not seen by the next.
    for (const writer of writers) await writer.close();
    if (thread !== sharedThread) await thread.close();
  };
  return { stores, thread, close };
}

describe('SQLite', () => {
  describe('registrations', () => registrationsContract(openSqlite));
  describe('devices', () => devicesContract(openSqlite));
  describe('the owner’s choices and notes', () => ownerRecordsContract(openSqlite));
  describe('readings', () => readingsContract(openSqlite));
  describe.each([false, true])('blocks, by appending: %s', (isByAppend) =>
    ingestContract(openBy({ isByAppend }), openBy({ isByAppend, hasOwnThread: true })),
  );
  describe.each([false, true])('blocks by a wrong clock, by appending: %s', (isByAppend) =>
    movedBlocksContract(openBy({ isByAppend })),
  );
  describe.each([false, true])('signed bytes, by appending: %s', (isByAppend) =>
    signedContract(openBy({ isByAppend })),
  );
  describe('retention', () => retentionContract(openSqlite));
  describe('arrivals by a wrong clock', () => arrivalMovesContract(openSqlite));
  describe('counts', () => countsContract(openSqlite));
  describe('both stores', () => bothStoresContract(openSqlite));
});

/** Without looking for the smallest example. */
const UNTIL_FOUND = { numRuns: 200, endOnFailure: true };

/** A copy with some other methods. */
function broken<T extends object>(target: T, over: Partial<T>): T {
  return new Proxy(target, {
    get: (_target, name) => {
      const value: unknown = Reflect.get(over, name) ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe('the contract fails for an engine that', () => {
  async function withStores(use: (stores: StoresUnderTest) => Promise<void>): Promise<void> {
    const stores = await openSqlite();
    try {
      await use(stores);
    } finally {
      await stores.dispose();
    }
  }

  it('orders 64-bit values as signed', () =>
    withStores(async (stores) => {
      const store = stores.store('private');
      const signed = ({ timestamp }: Reading) => BigInt.asIntN(64, timestamp);
      const bySigned = (a: Reading, b: Reading) => (signed(a) < signed(b) ? 1 : -1);
      const latest: Store['latest'] = async (id, limit) =>
        [...(await store.latest(id, 1000))].sort(bySigned).slice(0, limit);
      await checkAppends(broken(store, {}), { numRuns: 5 });
      await expect(checkAppends(broken(store, { latest }), UNTIL_FOUND)).rejects.toThrow('Property failed');
    }));

  it('keeps the last of several readings of a seq', () =>
    withStores(async (stores) => {
      const store = stores.store('private');
      const append: Store['append'] = async (readings) => (await store.append(readings.toReversed())).toReversed();
      await expect(checkAppends(broken(store, { append }), UNTIL_FOUND)).rejects.toThrow('Property failed');
    }));

  it(
    'counts readings of both stores twice',
    () =>
      withStores(async (stores) => {
        const { reader } = stores;
        const snapshot: StoresReader['snapshot'] = (run) =>
          reader.snapshot((view) =>
            run(broken(view, { count: (id, span, limit = Number.MAX_SAFE_INTEGER) => view.estimate(id, span, limit) })),
          );
        const doubling = { ...stores, reader: broken(reader, { snapshot }) };
        await expect(checkMerging(doubling, UNTIL_FOUND)).rejects.toThrow('Property failed');
      }),
    120_000,
  );
});
