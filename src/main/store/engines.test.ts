import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import type { StoreLocations } from './engine.ts';
import { engineOf, openStoresReader, readStores, StoreWriters, shownTogether } from './engines.ts';
import { fileLocation, locationsIn, serverLocation } from './locations.ts';
import { POSTGRES } from './postgres/postgres-engine.ts';
import { SqliteStoresReader } from './sqlite/read/stores-reader.ts';
import { SQLITE } from './sqlite/sqlite-engine.ts';
import { StorageUnavailable } from './storage-unavailable.ts';
import type { StoresView } from './stores-view.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

const server = serverLocation('postgres://localhost/wells');

it.each([
  ['postgres://localhost/wells', POSTGRES],
  ['postgresql://localhost/wells', POSTGRES],
  ['postgresq://localhost/wells', SQLITE],
  ['/data/private.db', SQLITE],
  ['/data/postgres:/private.db', SQLITE],
  ['postgres.db', SQLITE],
])('the engine of %s', (location, engine) => {
  expect(engineOf(fileLocation(location))).toBe(engine);
});

it('the stores of a folder are two files', () => {
  expect(locationsIn('data')).toEqual({ private: join('data', 'private.db'), public: join('data', 'public.db') });
});

it('shows stores of one engine together', () => {
  const files = locationsIn(folder);
  expect(shownTogether(files)).toBe(files);
  const alone: StoreLocations = { private: files.private, public: null };
  expect(shownTogether(alone)).toBe(alone);
  expect(shownTogether({ private: files.private, public: server })).toEqual(alone);
});

it('reads a node’s stores, without one of another engine', async () => {
  const { private: own } = locationsIn(folder);
  await engineOf(own).prepare('private', own);
  const reader = await openStoresReader({ private: own, public: server });
  expect(reader).toBeInstanceOf(SqliteStoresReader);
  await reader.close();
  let kept: StoresView | null = null;
  const read = readStores({ private: own, public: server }, async (stores) => {
    kept = stores;
    return stores.devices();
  });
  expect(await read).toEqual([]);
  // The reader is closed.
  await expect(kept!.devices()).rejects.toThrow('The database connection is not open');
});

it('reads no private store that is not a file, and none that is missing', async () => {
  await expect(openStoresReader({ private: server, public: null })).rejects.toThrow(
    new Error('a private store is a file'),
  );
  const missing = openStoresReader({ private: fileLocation(join(folder, 'away.db')), public: null });
  await expect(missing).rejects.toThrow(StorageUnavailable);
});

it('passes on the error of what was to be read, and closes the reader', async () => {
  const { private: own } = locationsIn(folder);
  await engineOf(own).prepare('private', own);
  let kept: StoresView | null = null;
  const failed = readStores({ private: own, public: null }, (stores) => {
    kept = stores;
    return Promise.reject(new Error('of the caller'));
  });
  await expect(failed).rejects.toThrow('of the caller');
  await expect(kept!.devices()).rejects.toThrow('The database connection is not open');
});

it('starts the writers of an engine once, and again after they were closed', async () => {
  const start = vi.spyOn(SQLITE, 'startWriters');
  const options = { log: pino({ level: 'silent' }), ingesting: null };
  const writers = new StoreWriters(options);
  try {
    for (const calls of [1, 2]) {
      for (const name of ['private', 'public'] as const) {
        const location = locationsIn(folder)[name];
        await engineOf(location).prepare(name, location);
        const store = await writers.open(name, location, { durability: 'normal', bounds: null });
        expect(store.name).toBe(name);
        await store.close();
      }
      expect(start.mock.calls).toEqual(Array(calls).fill([options]));
      await writers.close();
    }
  } finally {
    start.mockRestore();
  }
});
