import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('appends a lone block at once, and those that come just after it together', async () => {
  const { appends, ingest } = recorded(4);
  expect(await ingest([block(1)])).toEqual([{ kind: 'stored', receivedAt: 1 }]);
  expect(appends).toEqual([1]);
  const later: Promise<unknown>[] = [];
  for (const device of [2, 3, 4]) {
    later.push(ingest([block(device)]));
    await vi.advanceTimersByTimeAsync(12);
  }
  expect(appends).toEqual([1]);
  await vi.advanceTimersByTimeAsync(4);
  await Promise.all(later);
  expect(appends).toEqual([1, 3]);
  await vi.advanceTimersByTimeAsync(40);
  await ingest([block(5)]);
  expect(appends).toEqual([1, 3, 1]);
});

it('lets many blocks wait for no others', async () => {
  const { appends, ingest } = recorded(4);
  await ingest([block(1)]);
  await Promise.all(Array.from({ length: 8 }, (_, at) => ingest([block(2 + at)])));
  expect(appends).toEqual([1, 8]);
});
