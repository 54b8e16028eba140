import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newReading } from '../../../test/support/readings.ts';
import { ingestByAppend } from './ingest-by-append.ts';
import type { NewBlock, NewReading } from './reading.ts';

/** A block of a device of its own. */
function block(device: number): NewBlock {
  const id = device.toString(16).padStart(64, '0');
  const { deviceId, ...reading } = newReading(id, { seq: 1n, timestamp: 1n, receivedAt: 1, fields: [] });
  return {
    check: { publicKey: Buffer.from(deviceId, 'hex'), signature: '', message: '' },
    reading: { ...reading, seq: '1', timestamp: '1', clock: 0, keepsSigned: false },
  };
}

/** Returns an ingest whose signatures are all good, and the number of readings of each append so far. */
function recorded(mostGroups: number) {
  const appends: number[] = [];
  const append = async (readings: readonly NewReading[]) => {
    appends.push(readings.length);
    return readings.map(() => ({ kind: 'stored', receivedAt: 1 }) as const);
  };
  return { appends, ingest: ingestByAppend({ check: async (checks) => checks.map(() => true) }, append, mostGroups) };
}

/** Lets everything happen that needs no more time. */
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('appends a lone block at once, and a steady stream of others together', async () => {
  const { appends, ingest } = recorded(4);
  expect(await ingest([block(1)])).toEqual([{ kind: 'stored', receivedAt: 1 }]);
  expect(appends).toEqual([1]);
  const later: Promise<unknown>[] = [];
  for (const device of [2, 3, 4, 5, 6, 7]) {
    await vi.advanceTimersByTimeAsync(13);
    later.push(ingest([block(device)]));
  }
  expect(appends).toEqual([1]);
  await vi.advanceTimersByTimeAsync(2);
  await Promise.all(later);
  expect(appends).toEqual([1, 6]);
  await vi.advanceTimersByTimeAsync(80);
  await ingest([block(8)]);
  expect(appends).toEqual([1, 6, 1]);
});

it('lets blocks wait for others only as long as others come', async () => {
  const { appends, ingest } = recorded(4);
  await ingest([block(1)]);
  const two = [ingest([block(2)]), ingest([block(3)])];
  await vi.advanceTimersByTimeAsync(14);
  expect(appends).toEqual([1]);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(two);
  expect(appends).toEqual([1, 2]);
});

it('lets a device that posts one block after the other not wait', async () => {
  const { appends, ingest } = recorded(4);
  await ingest([block(1)]);
  await ingest([block(1)]);
  const other = ingest([block(2)]);
  await ingest([block(1)]);
  await other;
  expect(appends).toEqual([1, 1, 2]);
  await vi.advanceTimersByTimeAsync(990);
  await ingest([block(3)]);
  await vi.advanceTimersByTimeAsync(10);
  const late = ingest([block(1)]);
  await vi.advanceTimersByTimeAsync(14);
  expect(appends).toEqual([1, 1, 2, 1]);
  await vi.advanceTimersByTimeAsync(1);
  await late;
  expect(appends).toEqual([1, 1, 2, 1, 1]);
});

it('lets many blocks wait for no others', async () => {
  const { appends, ingest } = recorded(4);
  await ingest([block(1)]);
  await Promise.all(Array.from({ length: 16 }, (_, at) => ingest([block(2 + at)])));
  expect(appends).toEqual([1, 16]);
});

it('refuses blocks whose signatures could not be checked, stores nothing of them, and goes on', async () => {
  const appended: string[] = [];
  let isFailing = true;
  const check = async (checks: readonly unknown[]) => {
    if (isFailing) throw new Error('the threads failed');
    return checks.map(() => true);
  };
  const append = async (readings: readonly NewReading[]) => {
    appended.push(...readings.map(({ deviceId }) => deviceId));
    return readings.map(() => ({ kind: 'stored', receivedAt: 1 }) as const);
  };
  const ingest = ingestByAppend({ check }, append, 4);
  const refused = { kind: 'refused', error: new Error('the threads failed') };
  expect(await ingest([block(1), { ...block(2), reading: null }])).toEqual([refused, refused]);
  isFailing = false;
  await vi.advanceTimersByTimeAsync(80);
  expect(await ingest([block(1)])).toEqual([{ kind: 'stored', receivedAt: 1 }]);
  expect(appended).toEqual([Buffer.from(block(1).check.publicKey).toString('hex')]);
});

describe('a few blocks wait', () => {
  /** Ingests a lone block, and returns what was appended after it. */
  async function begun() {
    const { appends, ingest } = recorded(4);
    await ingest([block(1)]);
    return { ingest, later: () => appends.slice(1) };
  }

  it.each([
    [15, []],
    [16, [16]],
  ])('if there are %d of them', async (count, appended) => {
    const { ingest, later } = await begun();
    void ingest(Array.from({ length: count }, (_, at) => block(2 + at)));
    await settle();
    expect(later()).toEqual(appended);
    await vi.advanceTimersByTimeAsync(15);
    expect(later()).toEqual([count]);
  });

  it('at most until 80 ms after the group before', async () => {
    const { ingest, later } = await begun();
    for (let ms = 0; ms < 79; ms += 1) {
      if (ms % 10 === 0) void ingest([block(2 + ms)]);
      await vi.advanceTimersByTimeAsync(1);
      expect(vi.getTimerCount()).toBe(1);
    }
    expect(later()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(later()).toEqual([8]);
  });

  it('also if another device sent others meanwhile', async () => {
    const { ingest, later } = await begun();
    await vi.advanceTimersByTimeAsync(100);
    await ingest([block(2)]);
    await vi.advanceTimersByTimeAsync(800);
    await ingest([block(1)]);
    await vi.advanceTimersByTimeAsync(300);
    await ingest([block(3)]);
    expect(later()).toEqual([1, 1, 1]);
    // Device 2 sent its blocks more than a second ago.
    void ingest([block(2)]);
    await settle();
    expect(later()).toEqual([1, 1, 1]);
  });

  it.each([
    [999, [1]],
    [1000, []],
  ])('unless their device sent others %d ms before', async (ms, appended) => {
    const { ingest, later } = await begun();
    await vi.advanceTimersByTimeAsync(ms - 10);
    await ingest([block(2)]);
    await vi.advanceTimersByTimeAsync(10);
    void ingest([block(1)]);
    await settle();
    expect(later().slice(1)).toEqual(appended);
    await vi.advanceTimersByTimeAsync(15);
    expect(later().slice(1)).toEqual([1]);
  });
});
