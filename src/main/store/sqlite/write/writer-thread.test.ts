import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../../test/support/node-process.ts';
import { prepareStore } from '../file/database.ts';
import { type StoreWriter, WriterThread } from './writer.ts';

const RESTART_MS = 500;
const LOST = { code: 'unreachable', message: 'the writer thread stopped' };
const logged: unknown[] = [];
const log = { error: (...said: unknown[]) => logged.push(said) } satisfies Pick<Logger, 'error'> as unknown as Logger;
const states: unknown[] = [];

// The tests use one thread, one after the other.
let folder: string;
let thread: WriterThread;
let writer: StoreWriter;
let bounded: StoreWriter;
const pathOf = (name: string) => join(folder, `${name}.db`);

beforeAll(async () => {
  folder = temporaryFolder();
  thread = new WriterThread(log);
  for (const name of ['private', 'public'] as const) prepareStore(pathOf(name), name);
  writer = await thread.open({ path: pathOf('private'), durability: 'normal', bounds: null });
  const bounds = { maxDevices: 1, maxBytes: 1, minFreeBytes: 0, minFreePart: 0 };
  bounded = await thread.open({ path: pathOf('public'), durability: 'normal', bounds }, (state) => states.push(state));
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await thread.close();
  removeFolder(folder);
});

const addEntry = (to: StoreWriter) =>
  to.write<'writeEntry'>({ kind: 'writeEntry', id: null, device: null, at: 1, text: 'noted', updatedAt: 2 });
const append = (to: StoreWriter) => to.write<'append'>({ kind: 'append', rows: [] });
const ended = (worker: Worker) => new Promise((resolve) => worker.once('exit', resolve));

it('the thread has a name, and few young objects', () => {
  expect(thread.worker!.threadName).toBe('writer');
  expect(thread.worker!.resourceLimits!.maxYoungGenerationSizeMb).toBe(4);
});

it('each store is written with its own options, and tells its own state', async () => {
  expect(await addEntry(writer)).toBe(1);
  expect(states).toEqual([]);
  await expect(append(bounded)).rejects.toMatchObject({ code: 'limit' });
  expect(states).toEqual([{ code: 'limit', message: 'the store holds its limit of 1 bytes' }]);
  expect(await append(writer)).toEqual({ fates: new Uint8Array(), receivedAt: new Float64Array() });
  expect([await writer.refusal(), (await bounded.refusal())?.code]).toEqual([null, 'limit']);
  expect([states.length, logged.length, thread.worker!.listenerCount('error')]).toEqual([1, 1, 1]);
});

it('a thread that fails rejects the store that it opens, and is replaced half a second later', async () => {
  logged.length = 0;
  const failed = thread.worker!;
  const end = ended(failed);
  const opening = thread.open({ path: pathOf('missing'), durability: 'normal', bounds: null });
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const error = await opening.catch((each: unknown) => each);
  expect(error).toMatchObject({ message: 'unable to open database file' });
  expect(logged).toEqual([[{ err: error }, 'writer thread failed']]);
  await end;
  expect([await writer.refusal(), await bounded.refusal()]).toEqual([LOST, LOST]);
  vi.advanceTimersByTime(RESTART_MS - 1);
  expect(thread.worker).toBe(failed);
  vi.advanceTimersByTime(1);
  expect(thread.worker).not.toBe(failed);
  expect(await addEntry(writer)).toBeGreaterThan(1);
  await expect(append(bounded)).rejects.toMatchObject({ code: 'limit' });
  expect(vi.getTimerCount()).toBe(0);
});

it('a thread is closed after all that was sent to it is written, and is not replaced', async () => {
  const worker = thread.worker!;
  const end = ended(worker);
  const before = (await addEntry(writer))!;
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const written = [addEntry(writer), addEntry(writer)];
  await thread.close();
  expect(await Promise.all(written)).toEqual([before + 1, before + 2]);
  await end;
  expect([thread.worker, vi.getTimerCount()]).toEqual([worker, 0]);
  expect([await writer.refusal(), await bounded.refusal()]).toEqual([LOST, LOST]);
});

it('a thread that failed just before it was to be closed is not replaced', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const other = new WriterThread(log);
  const worker = other.worker!;
  const end = ended(worker);
  await worker.terminate();
  await end;
  expect(vi.getTimerCount()).toBe(1);
  await other.close();
  vi.advanceTimersByTime(RESTART_MS);
  expect(other.worker).toBe(worker);
});

it('a thread that was ended rejects the store that it opens, and those that it should open', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const other = new WriterThread(log);
  const open = () => other.open({ path: pathOf('private'), durability: 'normal', bounds: null });
  const opening = expect(open()).rejects.toMatchObject(LOST);
  await other.worker!.terminate();
  await opening;
  await expect(open()).rejects.toMatchObject(LOST);
  await other.close();
});
