import { existsSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import { playedVerifiers } from '../../../../test/support/served-writer.ts';
import { deviceRegistration } from '../../../shared/protocol/device.ts';
import { SimulatedDevice } from '../../../simulator/device.ts';
import type { StoreLocation } from '../engine.ts';
import { fileLocation } from '../locations.ts';
import { StorageUnavailable } from '../storage-unavailable.ts';
import { STORE_VERSION } from './file/migrations.ts';
import { engineVersions, SQLITE } from './sqlite-engine.ts';

let folder: string;
let path: StoreLocation;
beforeEach(() => {
  folder = temporaryFolder();
  path = fileLocation(join(folder, 'public.db'));
});
afterEach(() => removeFolder(folder));

describe('a store that is a file', () => {
  it('is there once it is prepared, and is called by its path', async () => {
    expect([SQLITE.describe(path), await SQLITE.exists(path)]).toEqual([path, false]);
    await SQLITE.prepare('public', path);
    expect(await SQLITE.exists(path)).toBe(true);
    await expect(SQLITE.prepare('private', path)).rejects.toThrow('is a public store under the wrong name');
  });

  it('is not created beside the remains of another', async () => {
    await SQLITE.refuseRemains(path);
    writeFileSync(`${path}-wal`, 'readings');
    await expect(SQLITE.refuseRemains(path)).rejects.toThrow('is missing, but its log');
  });

  it('is shared with no other node', () => {
    expect([SQLITE.bind, SQLITE.openLog, SQLITE.openOperator]).toEqual([null, null, null]);
  });

  it('was changed when it or its log was written last', async () => {
    const { changedAt } = SQLITE.snapshots;
    expect(await changedAt(path)).toBe(Number.NEGATIVE_INFINITY);
    writeFileSync(path, '');
    utimesSync(path, 0, 1000);
    expect(await changedAt(path)).toBe(1_000_000);
    writeFileSync(`${path}-wal`, '');
    for (const [seconds, changed] of [
      [2000, 2_000_000],
      [500, 1_000_000],
    ] as const) {
      utimesSync(`${path}-wal`, 0, seconds);
      expect(await changedAt(path)).toBe(changed);
    }
  });

  it('has its size, and the room of its disk', async () => {
    const room = { freeBytes: expect.any(Number), totalBytes: expect.any(Number), isLow: expect.any(Boolean) };
    expect(await SQLITE.usage(path)).toEqual({ bytes: 0, room });
    await SQLITE.prepare('public', path);
    expect(await SQLITE.usage(path)).toEqual({ bytes: statSync(path).size, room });
  });

  it('is copied, with its version and contents', async () => {
    const { snapshots } = SQLITE;
    expect(await snapshots.versionAt(path)).toBeNull();
    await SQLITE.prepare('public', path);
    const copy = join(folder, 'copy.db');
    await snapshots.write(path, copy);
    expect(existsSync(copy)).toBe(true);
    const versions = [snapshots.newestVersion, await snapshots.version(path), await snapshots.versionAt(path)];
    expect(versions).toEqual(Array(3).fill(STORE_VERSION));
    expect(await snapshots.bytes(path)).toBe(statSync(path).size);
    const contents = await snapshots.inspect(path, 'public');
    expect(contents).toMatchObject({ version: STORE_VERSION, devices: 0, readings: 0, lastReceivedAt: null });
    expect(await snapshots.inspectFile(copy, 'public')).toEqual(contents);
  });

  it('is locked by one program at a time', () => {
    const lock = fileLocation(join(folder, 'lock'));
    const release = SQLITE.lock(lock)!;
    expect(SQLITE.lock(lock)).toBeNull();
    release();
  });

  it('is read if it is there', async () => {
    await SQLITE.prepare('private', path);
    const reader = await SQLITE.openReader!({ private: path, public: null });
    expect(await reader.snapshot((stores) => stores.devices())).toEqual([]);
    await reader.close();
    const missing = fileLocation(join(folder, 'missing.db'));
    await expect(SQLITE.openReader!({ private: missing, public: null })).rejects.toThrow(StorageUnavailable);
  });
});

it('a store is written by a thread, by its options, until the thread is closed', async () => {
  await SQLITE.prepare('public', path);
  const { used, verifiers } = playedVerifiers();
  const writers = SQLITE.startWriters({
    log: pino({ level: 'silent' }),
    ingesting: { verifiers, isByAppend: true },
  });
  const states: unknown[] = [];
  const bounds = { maxDevices: 9, maxBytes: 1, minFreeBytes: 0, minFreePart: 0 };
  const onState = (state: unknown) => states.push(state);
  const store = await writers.open('public', path, { durability: 'normal', bounds }, onState);
  const full = { code: 'limit', message: 'the store holds its limit of 1 bytes' };
  const registration = deviceRegistration.parse(new SimulatedDevice().registration());
  await expect(store.register(registration, 1)).rejects.toMatchObject(full);
  expect([store.name, states, await store.devices()]).toEqual(['public', [full], []]);
  expect([await store.ingest([]), used]).toEqual([[], ['append']]);
  await store.close();
  await writers.close();
  expect(await store.refusal()).toEqual({ code: 'unreachable', message: 'the writer thread stopped' });
});

it('the version of SQLite is known', () => {
  expect(engineVersions()).toEqual({ sqlite: expect.stringMatching(/^3\.\d+\.\d+$/) });
});
