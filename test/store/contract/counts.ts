import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Counts, WithheldCount } from '../../../src/main/store/counts.ts';
import type { Store } from '../../../src/main/store/port.ts';
import { ask, type OpenStores, register, type StoresUnderTest } from './stores-under-test.ts';

const NOTHING: Counts = { withheld: [], outcomes: [], unregistered: null };

/** The contract of counts. */
export function countsContract(open: OpenStores): void {
  let stores: StoresUnderTest;
  let own: Store;
  beforeEach(async () => {
    stores = await open();
    own = stores.store('private');
  });
  afterEach(() => stores.dispose());

  it('sums up withheld values of a device by cause and field, with the first and last time', async () => {
    const { id } = await register(own);
    const add = (count: Omit<WithheldCount, 'deviceId'>, deviceId = id) =>
      own.addCounts({ ...NOTHING, withheld: [{ deviceId, ...count }] });
    await add({ cause: 'omit', field: 'waterLevel', count: 2, firstAt: 10, lastAt: 20 });
    await add({ cause: 'omit', field: 'waterLevel', count: 3, firstAt: 30, lastAt: 40 });
    await add({ cause: 'encrypted_only', field: 'ph', count: 1, firstAt: 5, lastAt: 5 });
    await add({ cause: 'publish_to', field: null, count: 4, firstAt: 6, lastAt: 7 });
    await add({ cause: 'omit', field: 'ph', count: 1, firstAt: 1, lastAt: 1 }, 'ff'.repeat(32));
    const withheld = await ask(stores, (both) => both.withheld(id));
    expect(withheld).toHaveLength(3);
    expect(withheld).toEqual(
      expect.arrayContaining([
        { store: 'private', cause: 'omit', field: 'waterLevel', count: 5, firstAt: 10, lastAt: 40 },
        { store: 'private', cause: 'encrypted_only', field: 'ph', count: 1, firstAt: 5, lastAt: 5 },
        { store: 'private', cause: 'publish_to', field: null, count: 4, firstAt: 6, lastAt: 7 },
      ]),
    );
    expect(await ask(stores, (both) => both.withheld('ff'.repeat(32)))).toEqual([]);
  });

  it('sums up blocks by outcome since an hour, for each store', async () => {
    const outcomes = (...rows: [hour: number, outcome: string, count: number][]): Counts => {
      return { ...NOTHING, outcomes: rows.map(([hour, outcome, count]) => ({ hour, outcome, count })) };
    };
    await own.addCounts(outcomes([10, 'stored', 5], [11, 'stored', 1], [11, 'invalid_signature', 2]));
    await own.addCounts(outcomes([11, 'stored', 1], [12, 'stored', 1]));
    await stores.store('public').addCounts(outcomes([11, 'stored', 100]));
    const since = async (hour: number) => {
      const found = await ask(stores, (both) => both.outcomesSince('private', hour));
      return Object.fromEntries(found.map(({ outcome, count }) => [outcome, count]));
    };
    expect(await since(10)).toEqual({ stored: 8, invalid_signature: 2 });
    expect(await since(11)).toEqual({ stored: 3, invalid_signature: 2 });
    expect(await since(12)).toEqual({ stored: 1 });
    expect(await since(13)).toEqual({});
  });

  it('writes counts with the next write, or alone after a while', async () => {
    const { id } = await register(own);
    const outcomes = [{ hour: 20, outcome: 'stored', count: 1 }];
    const since = () => ask(stores, (both) => both.outcomesSince('private', 20));
    let isWritten = false;
    const riding = own.addCounts({ ...NOTHING, outcomes }, 3_600_000).then(() => {
      isWritten = true;
    });
    await ask(stores, (both) => both.devices());
    expect([isWritten, await since()]).toEqual([false, []]);
    await own.setNotes(id, null, 1);
    await riding;
    expect(await since()).toEqual([{ outcome: 'stored', count: 1 }]);
    await own.addCounts({ ...NOTHING, outcomes }, 1);
    expect(await since()).toEqual([{ outcome: 'stored', count: 2 }]);
  });

  it('keeps the unregistered devices of the last list, the latest last, until they register', async () => {
    const { id } = await register(stores.store('public'), { seed: Buffer.alloc(32, 8) });
    const knock = (deviceId: string, lastAt: number) => {
      return { id: deviceId, attempts: 3, firstAt: 1, lastAt, lastError: 'device_not_found' };
    };
    const list = [knock('11'.repeat(32), 20), knock(id, 30), knock('22'.repeat(32), 25)];
    await own.addCounts({ ...NOTHING, unregistered: list });
    await own.addCounts(NOTHING);
    const sorted = [list[0]!, list[2]!, list[1]!];
    expect(await own.unregistered()).toEqual(sorted);
    expect(await ask(stores, (both) => both.unregistered('private'))).toEqual(sorted);
    expect(await ask(stores, (both) => both.unregistered('public'))).toEqual([]);
    await register(own, { seed: Buffer.alloc(32, 8) });
    expect(await own.unregistered()).toEqual([list[0], list[2]]);
    // A list from before may be written after the registration.
    await own.addCounts({ ...NOTHING, unregistered: list });
    expect(await own.unregistered()).toEqual([list[0], list[2]]);
    await own.addCounts({ ...NOTHING, unregistered: [] });
    expect(await own.unregistered()).toEqual([]);
  });

  it('returns the bytes of a store', async () => {
    for (const name of ['private', 'public'] as const) {
      expect(await ask(stores, (both) => both.bytes(name))).toBeGreaterThan(0);
    }
  });
}
