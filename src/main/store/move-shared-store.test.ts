import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import type { StoreEngine, StoreLocation } from './engine.ts';
import { engineOf } from './engines.ts';
import { fileLocation, serverLocation } from './locations.ts';
import { movePublicStore, placeMovedStore } from './move-store.ts';
import type { AliveNode, StoreOperator } from './operator.ts';
import { POSTGRES } from './postgres/postgres-engine.ts';
import { StoreInUse, type StoreRows, TABLE_NAMES } from './rows.ts';
import { StorageUnavailable } from './storage-unavailable.ts';

type Shared = 'bind' | 'openOperator';
const engine = POSTGRES as StoreEngine & { [K in Shared]: NonNullable<StoreEngine[K]> };
const server = serverLocation('postgres://user:secret@host/wells');
let folder: string;
let [from, to] = [] as unknown as [StoreLocation, StoreLocation];
let nodes: Pick<AliveNode, 'host' | 'url'>[];
let version: number;
let closed: number;
/** The arguments of each call of `bind`. */
let bound: unknown[];
/** The rows of the store; `read` is what each read of it does. */
let read: StoreRows['read'];

beforeEach(async () => {
  folder = temporaryFolder();
  [from, to] = ['from.db', 'to.db'].map((name) => fileLocation(join(folder, name))) as [StoreLocation, StoreLocation];
  await engineOf(from).prepare('public', from);
  nodes = [
    { host: 'one', url: 'https://one' },
    { host: 'two', url: null },
  ];
  version = POSTGRES.snapshots.newestVersion;
  closed = 0;
  bound = [];
  read = async () => [];
  const close = async () => {
    closed += 1;
  };
  // The server is played: it is there, and answers what the test says.
  vi.spyOn(engine, 'exists').mockImplementation(async () => true);
  vi.spyOn(engine, 'bind').mockImplementation(async (...of) => {
    bound.push(of);
  });
  vi.spyOn(engine.snapshots, 'version').mockImplementation(async () => version);
  vi.spyOn(engine.movable, 'open').mockImplementation(
    async () => ({ read: (...of) => read(...of), close }) as StoreRows,
  );
  vi.spyOn(engine, 'openOperator').mockImplementation(
    async () => ({ nodes: async () => nodes, close }) as Pick<StoreOperator, 'close'> as StoreOperator,
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  removeFolder(folder);
});

const inUse = `nodes use the store at ${POSTGRES.describe(server)}: one (https://one), two; stop them, then run this again (a node that was killed counts for a minute)`;
const move = (signal = new AbortController().signal) =>
  movePublicStore({ from, to, identity: 'ab'.repeat(32), signal, onProgress: () => {} });
const moveFromServer = (signal?: AbortSignal) => {
  from = server;
  return move(signal);
};

it('a shared store is not moved while nodes use it', async () => {
  await expect(moveFromServer()).rejects.toThrow(new StoreInUse(inUse));
  await expect(moveFromServer()).rejects.toBeInstanceOf(StoreInUse);
  expect([closed, readdirSync(folder)]).toEqual([2, ['from.db']]);
});

it('a store is not moved to the place of a shared one', async () => {
  to = server;
  const where = POSTGRES.describe(server);
  const taken = `there is a store at ${where} already, and nodes use it: one (https://one), two; stop them, remove that store if you need nothing of it, then run this again`;
  for (const run of [() => move(), () => placeMovedStore({ to })]) {
    await expect(run()).rejects.toThrow(new StoreInUse(taken));
  }
  nodes = [];
  await expect(move()).rejects.toThrow(`there is a store at ${where} already (a node that starts creates one)`);
  // A store of another version may have no list of nodes.
  nodes = [{ host: 'one', url: null }];
  version -= 1;
  closed = 0;
  await expect(move()).rejects.toThrow('(a node that starts creates one)');
  expect(closed).toBe(0);
});

it('nodes that start meanwhile end the move, also if it fails for another reason', async () => {
  const began = nodes;
  for (const after of [async () => [], () => Promise.reject(new Error('of the program'))]) {
    nodes = [];
    read = async () => {
      nodes = began;
      return after();
    };
    await expect(moveFromServer()).rejects.toThrow(new StoreInUse(inUse));
  }
});

it('a fault of the storage and an end by the caller reject the move unchanged', async () => {
  const began = nodes;
  const cut = new AbortController();
  for (const [signal, error] of [
    [undefined, new StorageUnavailable('busy', 'of the storage')],
    [cut.signal, new Error('ended')],
  ] as const) {
    nodes = [];
    read = async () => {
      nodes = began;
      cut.abort(error);
      throw error;
    };
    await expect(moveFromServer(signal)).rejects.toBe(error);
  }
});

it('a store that no node uses is moved, and its connections are closed', async () => {
  nodes = [];
  expect(Object.values(await moveFromServer())).toEqual(TABLE_NAMES.map(() => 0));
  // Twice for the lists of nodes, and once for the rows.
  expect(closed).toBe(3);
  expect(bound).toEqual([['public', server, 'ab'.repeat(32)]]);
});
