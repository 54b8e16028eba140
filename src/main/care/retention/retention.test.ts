import { statSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { reportRoom } from '../../../../test/support/disk-calls.ts';
import { OwnerStoresForTest } from '../../../../test/support/owner-stores.ts';
import { NO_RETENTION, type Retention as Rules } from '../../../shared/owner-api/retention.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { EventBus } from '../../common/event-bus.ts';
import type { NodeEventMap } from '../../common/node-events.ts';
import { StoreWriters } from '../../store/engines.ts';
import type { Store } from '../../store/port.ts';
import { Retention } from './retention.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A full hour. */
const NOW = 1_789_999_200_000;
const COUNT = 1500;
/** Whole hours of 60 readings are deleted, about 300 readings at a time, and the newest 500 stay. */
const STEPS = [300, 300, 300, 60];
const DELETED = 960;
const ONE_DAY: Rules = { ...NO_RETENTION, private: { count: 1, unit: 'days' } };

const STORES = ['private', 'public'] as const;

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const each of undo.splice(0).reverse()) await each();
});

/** Returns a started retention over a private store with a device whose readings are all 30 days old. */
async function retentionUnderTest({ isSteady = true, rules = ONE_DAY }: { isSteady?: boolean; rules?: Rules } = {}) {
  const lines: { level: number; msg: string; readings?: number; err?: { message: string } }[] = [];
  const log: Logger = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
  const stores = new OwnerStoresForTest();
  undo.push(() => stores.dispose());
  const { id } = stores.register({}, STORES);
  const append = (firstSeq: number) => {
    const readings = Array.from({ length: COUNT }, (_, index) => {
      const at = NOW - 30 * DAY_MS + (firstSeq + index) * 60_000;
      return { seq: BigInt(firstSeq + index), timestamp: BigInt(at), receivedAt: at, fields: [6] };
    });
    for (const name of STORES) {
      stores.append(name, id, readings);
      stores.sumUp(name);
    }
  };
  append(0);
  const writers = new StoreWriters({ log, ingesting: null });
  undo.push(() => writers.close());
  const bounds = { maxDevices: 10, maxBytes: 1e12, minFreeBytes: 0, minFreePart: 1 };
  const opened = new Map<StoreName, Store>();
  for (const name of STORES) {
    const each = await writers.open(name, stores.paths[name], { durability: 'full', bounds });
    opened.set(name, each);
    undo.push(() => each.close());
  }
  const store = opened.get('private')!;
  await store.setChoice('retention', rules, NOW);
  const events = new EventBus<NodeEventMap>(log);
  const clock = { now: () => NOW, isSteady };
  const locations = () => stores.paths;
  const retention = new Retention({ store: (name) => opened.get(name) ?? null, locations, clock, events, log });
  undo.push(() => retention.stop());
  retention.start();
  return {
    ...{ retention, store, opened, events, clock, lines, id },
    append,
    bytesOf: (name: StoreName) => statSync(stores.paths[name]).size,
    /** Lets it look whether a run is due, as it does once an hour. */
    look: () => events.emit('clockChanged', () => ({})),
    kept: async (of: StoreName = 'private') =>
      (await stores.ask('device', { id })).readings.find((each) => each.store === of)?.count,
  };
}

it('deletes nothing until the clock is known to be right', async () => {
  const { retention, clock, look, kept } = await retentionUnderTest({ isSteady: false });
  look();
  expect(retention.state.deleting).toBeNull();
  expect(await kept()).toBe(COUNT);
  clock.isSteady = true;
  look();
  expect(retention.state.deleting).toEqual({ readings: 0 });
  await expect.poll(() => retention.state.lastDeletion).toEqual({ at: NOW, readings: DELETED });
  expect(retention.state.deleting).toBeNull();
  expect(await kept()).toBe(COUNT - DELETED);
});

it('deletes by the node’s clock, not by the machine’s', async () => {
  const { retention, clock, look, kept } = await retentionUnderTest();
  clock.now = () => NOW - 29.5 * DAY_MS;
  look();
  await expect.poll(() => retention.state.lastDeletion).toEqual({ at: NOW - 29.5 * DAY_MS, readings: 0 });
  expect(await kept()).toBe(COUNT);
});

it('deletes from the store that a rule is for', async () => {
  for (const name of STORES) {
    const rules = { ...NO_RETENTION, [name]: { count: 1, unit: 'days' } as const };
    const { retention, events, look, kept, id } = await retentionUnderTest({ rules });
    const told = new Set<string>();
    events.on('readingsDeleted', ({ store, deviceId }) => told.add(`${store} ${deviceId}`));
    look();
    await expect.poll(() => retention.state.lastDeletion?.readings).toBe(DELETED);
    const left = STORES.map((each) => (each === name ? COUNT - DELETED : COUNT));
    expect(await Promise.all(STORES.map((each) => kept(each)))).toEqual(left);
    expect([...told]).toEqual([`${name} ${id}`]);
  }
});

it('compacts a store only where its bytes are free 2.2 times', async () => {
  const { retention, bytesOf } = await retentionUnderTest();
  const needed = Math.ceil(bytesOf('private') * 2.2);
  const compact = (freeBytes: number) => {
    const end = reportRoom(freeBytes, 1e12);
    return retention.compact('private').finally(end);
  };
  await expect(compact(needed - 1)).rejects.toMatchObject({
    code: 'conflict',
    message: `compacting needs ${needed} bytes of free room, and ${needed - 1} are free`,
  });
  expect(retention.state.compacting).toBeNull();
  expect(await compact(needed)).toMatchObject({ before: expect.any(Number) });
  const end = reportRoom(0, 0);
  const unknown = retention.compact('private').finally(end);
  expect(await unknown, 'a disk that reports no sizes').toMatchObject({ before: expect.any(Number) });
});

it('compacts only a store that is there and can be compacted', async () => {
  const { retention, opened } = await retentionUnderTest();
  Object.assign(opened.get('private')!, { compact: undefined });
  const needless = { code: 'conflict', message: 'this store needs no compacting' };
  await expect(retention.compact('private')).rejects.toMatchObject(needless);
  opened.delete('public');
  const missing = { code: 'not_found', message: 'there is no such store' };
  await expect(retention.compact('public')).rejects.toMatchObject(missing);
});

it('reports each step and logs the sum', async () => {
  const { retention, events, look, lines, id } = await retentionUnderTest();
  const told: unknown[] = [];
  const deleting: unknown[] = [];
  events.on('readingsDeleted', (event) => {
    told.push(event);
    deleting.push(retention.state.deleting);
  });
  look();
  // A second look begins no second run.
  look();
  await expect.poll(() => retention.state.lastDeletion?.readings).toBe(DELETED);
  expect(told).toEqual(STEPS.map(() => ({ store: 'private', deviceId: id })));
  expect(deleting).toEqual([300, 600, 900, 960].map((readings) => ({ readings })));
  expect(lines).toEqual([expect.objectContaining({ readings: DELETED, msg: 'retention deleted old readings' })]);
});

it('logs nothing of a run without a deletion', async () => {
  const { retention, look, lines, kept } = await retentionUnderTest({ rules: NO_RETENTION });
  look();
  await expect.poll(() => retention.state.lastDeletion).toEqual({ at: NOW, readings: 0 });
  expect(await kept()).toBe(COUNT);
  expect(lines).toEqual([]);
});

it('runs once in 20 hours, whatever the time of day is set to', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const { retention, clock, append, kept } = await retentionUnderTest();
  vi.advanceTimersByTime(HOUR_MS);
  await expect.poll(() => retention.state.lastDeletion?.readings).toBe(DELETED);
  append(COUNT);
  clock.now = () => NOW + 10 * DAY_MS;
  vi.advanceTimersByTime(19 * HOUR_MS);
  expect(retention.state.deleting).toBeNull();
  expect(await kept()).toBe(2 * COUNT - DELETED);
  vi.advanceTimersByTime(2 * HOUR_MS);
  await expect.poll(() => retention.state.lastDeletion?.readings).toBe(COUNT);
  expect(await kept()).toBe(COUNT - DELETED);
  await retention.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(20 * HOUR_MS);
  expect(retention.state.deleting).toBeNull();
});

/** Has a store save the next choice only when the result is resolved; if that is rejected, saving fails. */
function holdNextChoice(store: Store): PromiseWithResolvers<void> {
  const saving = Promise.withResolvers<void>();
  const save = store.setChoice.bind(store);
  vi.spyOn(store, 'setChoice').mockImplementationOnce(async (...choice) => {
    await saving.promise;
    await save(...choice);
  });
  return saving;
}

/** Has the first deletion followed by a change of the rules, which is not saved before the current run has ended. */
async function changedAfterFirstStep() {
  const { retention, store, events, look, kept } = await retentionUnderTest();
  const saving = holdNextChoice(store);
  const changed = new Promise<PromiseSettledResult<void>[]>((resolve) => {
    const end = events.on('readingsDeleted', () => {
      end();
      resolve(Promise.allSettled([retention.set(NO_RETENTION)]));
    });
  });
  look();
  await expect.poll(() => retention.state.deleting).toBeNull();
  expect(retention.state.lastDeletion).toBeNull();
  expect(await kept()).toBe(COUNT - 300);
  return { retention, look, kept, saving, changed };
}

it('deletes no more once the rules have changed', async () => {
  const { retention, saving, changed, kept } = await changedAfterFirstStep();
  saving.resolve();
  expect(await changed).toEqual([{ status: 'fulfilled', value: undefined }]);
  await expect.poll(() => retention.state.lastDeletion).toEqual({ at: NOW, readings: 0 });
  expect(await kept()).toBe(COUNT - 300);
});

it('goes on at the next look where a change of the rules that could not be saved ended a run', async () => {
  const { retention, saving, changed, look, kept } = await changedAfterFirstStep();
  saving.reject(new Error('the disk is full'));
  expect((await changed).map(({ status }) => status)).toEqual(['rejected']);
  expect(retention.state.deleting).toBeNull();
  look();
  await expect.poll(() => retention.state.lastDeletion).toEqual({ at: NOW, readings: DELETED - 300 });
  expect(await kept()).toBe(COUNT - DELETED);
});

it('begins no run by rules that are being replaced', async () => {
  const { retention, store, kept } = await retentionUnderTest({ rules: NO_RETENTION });
  const first = retention.set(ONE_DAY);
  const saving = holdNextChoice(store);
  const second = retention.set(NO_RETENTION);
  await first;
  expect(retention.state.deleting).toBeNull();
  saving.resolve();
  await second;
  await expect.poll(() => retention.state.lastDeletion).toEqual({ at: NOW, readings: 0 });
  expect(await kept()).toBe(COUNT);
});

it('ends with the step that it is at when it stops, and begins no other', async () => {
  const { retention, events, look, kept } = await retentionUnderTest();
  const stopped = new Promise<void>((resolve) => {
    events.on('readingsDeleted', () => void retention.stop().then(resolve));
  });
  look();
  await stopped;
  expect(retention.state).toEqual({ deleting: null, lastDeletion: null, compacting: null });
  expect(await kept()).toBe(COUNT - 300);
  look();
  expect(retention.state.deleting).toBeNull();
});

it('ends with the step of readings without a time that it is at when it stops', async () => {
  const { retention, store, events, look } = await retentionUnderTest();
  vi.spyOn(store, 'prune').mockResolvedValue({ readings: 0, isDone: true, isWaiting: false });
  let seq = 0n;
  const strays = vi.spyOn(store, 'pruneStrays').mockImplementation(async () => {
    seq += 1n;
    // Without an end, this test would last for ever.
    return { readings: 1, next: seq < 100n ? seq : null };
  });
  const stopped = new Promise<void>((resolve) => {
    events.on('readingsDeleted', () => void retention.stop().then(resolve));
  });
  look();
  await stopped;
  expect(strays.mock.calls.map(([, , after]) => after)).toEqual([null]);
});

it('tries again at the next look if the store could not delete', async () => {
  const { retention, store, look, lines, kept } = await retentionUnderTest();
  const prune = vi.spyOn(store, 'prune').mockRejectedValueOnce(new Error('the disk is full'));
  look();
  await expect.poll(() => retention.state.deleting).toBeNull();
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([[40, 'retention could not delete old readings']]);
  expect(lines[0]!.err!.message).toBe('the disk is full');
  expect(retention.state.lastDeletion).toBeNull();
  look();
  await expect.poll(() => retention.state.lastDeletion?.readings).toBe(DELETED);
  expect(prune).toHaveBeenCalledTimes(5);
  expect(await kept()).toBe(COUNT - DELETED);
});

it('deletes nothing by rules that could not be saved', async () => {
  const { retention, store, events, kept } = await retentionUnderTest({ rules: NO_RETENTION });
  const chosen: unknown[] = [];
  events.on('chosen', (event) => chosen.push(event));
  vi.spyOn(store, 'setChoice').mockRejectedValueOnce(new Error('the disk is full'));
  await expect(retention.set(ONE_DAY)).rejects.toThrow('the disk is full');
  expect([retention.state.deleting, chosen]).toEqual([null, []]);
  expect(await kept()).toBe(COUNT);
  await retention.set(ONE_DAY);
  expect(chosen).toEqual([{ names: ['retention'] }]);
  await expect.poll(() => retention.state.lastDeletion?.readings).toBe(DELETED);
});

it('compacts one store at a time, and the next one also after a failure', async () => {
  const { retention, store } = await retentionUnderTest();
  const failing = Promise.withResolvers<void>();
  vi.spyOn(store as Store & Required<Pick<Store, 'compact'>>, 'compact').mockReturnValueOnce(failing.promise);
  const first = retention.compact('private');
  await expect.poll(() => retention.state.compacting).toBe('private');
  const busy = { code: 'conflict', message: 'a store is being compacted already' };
  await expect(retention.compact('public')).rejects.toMatchObject(busy);
  failing.reject(new Error('the disk is full'));
  await expect(first).rejects.toThrow('the disk is full');
  expect(retention.state.compacting).toBeNull();
  await retention.compact('public');
});

it('goes through the readings without a time page by page', async () => {
  const { retention, store, look, id } = await retentionUnderTest();
  const pages = [3n, 8n, null];
  const strays = vi.spyOn(store, 'pruneStrays').mockImplementation(async () => ({ readings: 0, next: pages.shift()! }));
  look();
  await expect.poll(() => retention.state.lastDeletion?.readings).toBe(DELETED);
  expect(strays.mock.calls).toEqual([null, 3n, 8n].map((after) => [id, expect.any(Number), after, 300]));
});

it('comes back each ten seconds to readings whose sums are not computed, for a minute without a deletion', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { retention, store, look } = await retentionUnderTest();
  const steps = [0, 0, 20, 0, 0, 0, 0, 0, 0, 0];
  const prune = vi.spyOn(store, 'prune').mockImplementation(async () => {
    return { readings: steps.shift() ?? 0, isDone: true, isWaiting: true };
  });
  // Its answer is the last thing that a round waits for, so the pause has begun when the test sees the call.
  const strays = vi.spyOn(store, 'pruneStrays').mockResolvedValue({ readings: 0, next: null });
  look();
  // The deletion of the third time begins another minute: nine times instead of seven.
  for (let time = 1; time <= 9; time += 1) {
    await expect.poll(() => strays.mock.calls).toHaveLength(time);
    vi.advanceTimersByTime(11_000);
  }
  await expect.poll(() => retention.state.deleting).toBeNull();
  expect(retention.state.lastDeletion).toEqual({ at: NOW, readings: 20 });
  expect(prune).toHaveBeenCalledTimes(9);
});
