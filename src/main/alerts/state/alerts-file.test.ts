import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import { AlertsFile } from './alerts-file.ts';
import { ALERTS_FILE, NO_ALERTS } from './document.ts';

const RETRY_MS = 30_000;

let folder: string;
/** Called while the contents of a write are made. */
let onSnapshot = () => {};
beforeEach(() => {
  onSnapshot = () => {};
  folder = temporaryFolder();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  removeFolder(folder);
});

const path = () => join(folder, ALERTS_FILE.name);
const savedAt = () => (JSON.parse(readFileSync(path(), 'utf8')) as typeof NO_ALERTS).savedAt;

/** Opens the file; each write has the number of the snapshot in place of its time. */
function open(before: () => Promise<boolean> = async () => true) {
  let snapshots = 0;
  return new AlertsFile({
    ...{ path: folder, log: pino({ level: 'silent' }), now: () => 0, before },
    snapshot: () => {
      snapshots += 1;
      onSnapshot();
      return { ...NO_ALERTS, savedAt: snapshots };
    },
  });
}

describe('half a minute later', () => {
  it('a write that failed is tried again', async () => {
    const file = open();
    mkdirSync(path());
    expect(await file.persist()).toBe(false);
    rmSync(path(), { recursive: true });
    vi.advanceTimersByTime(RETRY_MS);
    vi.useRealTimers();
    await expect.poll(savedAt).toBe(2);
    await file.close();
  });

  it('what could not be written before it is tried again; the file itself is written meanwhile', async () => {
    let tries = 0;
    const file = open(async () => {
      tries += 1;
      return tries > 1;
    });
    expect(await file.persist()).toBe(true);
    expect(tries).toBe(1);
    vi.advanceTimersByTime(RETRY_MS);
    vi.useRealTimers();
    await expect.poll(() => tries).toBe(2);
    await file.close();
    expect(tries).toBe(3);
  });
});

it('nothing is written before what must be on disk first', async () => {
  const held = Promise.withResolvers<boolean>();
  const file = open(() => held.promise);
  let hasBegun = false;
  onSnapshot = () => {
    hasBegun = true;
  };
  const written = file.persist();
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(hasBegun).toBe(false);
  held.resolve(true);
  expect(await written).toBe(true);
  await file.close();
});

it('a change during a write is not settled by it, and another one is', async () => {
  const file = open();
  file.change();
  onSnapshot = () => file.change();
  await file.settled();
  onSnapshot = () => {};
  expect(savedAt()).toBe(1);
  await file.settled();
  await file.settled();
  expect(savedAt()).toBe(2);
  await file.close();
});

it('a file of which something was lost is not whole, though the rest is kept', () => {
  expect(open().read()).toEqual({ kept: null, isWhole: false });
  writeFileSync(path(), JSON.stringify(NO_ALERTS));
  expect(open().read()).toEqual({ kept: NO_ALERTS, isWhole: true });
  writeFileSync(path(), JSON.stringify({ ...NO_ALERTS, channels: [7] }));
  expect(open().read()).toEqual({ kept: NO_ALERTS, isWhole: false });
});

describe('the writes', () => {
  /** Opens the file with a log; `isFull` makes each write fail. */
  function opened(before = async () => true) {
    const logged: Record<string, unknown>[] = [];
    let snapshots = 0;
    const state = { isFull: false, logged, snapshots: () => snapshots };
    const log = pino({ base: null, timestamp: false }, { write: (line: string) => void logged.push(JSON.parse(line)) });
    const file = new AlertsFile({
      ...{ path: folder, log, now: () => 0, before },
      snapshot: () => {
        snapshots += 1;
        if (state.isFull) throw new Error('full');
        return { ...NO_ALERTS, savedAt: snapshots };
      },
    });
    return { file, state };
  }

  it('that are asked for together are one, and one during a write is the next', async () => {
    const { file, state } = opened();
    const [first, same] = [file.persist(), file.persist()];
    expect(same).toBe(first);
    for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
    expect(state.snapshots()).toBe(1);
    const [next, again] = [file.persist(), file.persist()];
    expect(again).toBe(next);
    expect(await Promise.all([first, next])).toEqual([true, true]);
    expect([state.snapshots(), savedAt()]).toEqual([2, 2]);
    await file.close();
  });

  it('that fail have one line in the log, and so has the first one that does not', async () => {
    const { file, state } = opened();
    state.isFull = true;
    expect([await file.persist(), state.logged.length]).toEqual([false, 1]);
    expect(await file.persist()).toBe(false);
    state.isFull = false;
    expect([await file.persist(), await file.persist()]).toEqual([true, true]);
    expect(state.logged).toEqual([
      {
        level: 50,
        file: path(),
        err: expect.objectContaining({ message: 'full' }),
        msg: 'the alerts file can’t be written',
      },
      { level: 30, file: path(), msg: 'the alerts file can be written again' },
    ]);
    await file.close();
  });

  it('that fail are tried again by one timer, again and again, until the file is closed', async () => {
    const { file, state } = opened();
    state.isFull = true;
    await file.persist();
    await file.persist();
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(RETRY_MS - 1);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(vi.getTimerCount()).toBe(0);
    await file.persist();
    expect([vi.getTimerCount(), state.snapshots()]).toEqual([1, 3]);
    await file.close();
    expect([vi.getTimerCount(), state.snapshots()]).toEqual([0, 4]);
  });

  it('leave no timer if they succeed', async () => {
    const { file } = opened();
    await file.persist();
    expect(vi.getTimerCount()).toBe(0);
    await file.close();
  });

  it('are not made if nothing changed, nor again for a change whose write failed', async () => {
    const { file, state } = opened();
    await file.settled();
    expect(state.snapshots()).toBe(0);
    file.change();
    state.isFull = true;
    await file.settled();
    await file.settled();
    expect(state.snapshots()).toBe(1);
    await file.close();
  });
});
