import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { StoreName } from '../../../../shared/protocol/codes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The start of the day. */
const DAY_START = 488_880 * HOUR;
const BOTH: StoreName[] = ['private', 'public'];

let stores: OwnerStoresForTest;
let id: string;
beforeEach(() => {
  // Counting costs no time, so each call counts, whatever else the machine does.
  vi.useFakeTimers({ toFake: ['performance'] });
  stores = new OwnerStoresForTest();
  id = stores.register({}, BOTH).id;
});
afterEach(async () => {
  await stores.dispose();
  vi.useRealTimers();
});

/** Stores readings a minute apart from a time on, and counts them as the node does. */
function arrive(store: StoreName, seqs: readonly number[], at = DAY_START, timestampAt = at): void {
  const readings = seqs.map((seq, index) => {
    const times = { timestamp: BigInt(timestampAt + index * MINUTE), receivedAt: at + index * MINUTE };
    return { seq: BigInt(seq), ...times, fields: [seq] };
  });
  stores.append(store, id, readings);
  const outcomes = readings.map(({ receivedAt }) => {
    return { hour: Math.floor(receivedAt / HOUR), outcome: 'stored', count: 1 };
  });
  stores.write(store, [{ kind: 'count', counts: { withheld: [], outcomes, unregistered: null } }]);
  stores.memory.today.arrived(id);
}

const today = async (dayStart = DAY_START) => (await stores.ask('overview', { dayStart })).totals.readingsToday;
const seqs = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

it('counts a reading of both stores once, whether its hour is summed up or not', async () => {
  arrive('private', seqs(0, 200));
  arrive('public', seqs(0, 200));
  expect(await today()).toBe(200);
  for (const store of BOTH) stores.sumUp(store);
  await stores.reopen();
  expect(await today()).toBe(200);
  // One store has sums of these hours, the other has not.
  arrive('private', seqs(200, 100), DAY_START + 200 * MINUTE);
  stores.sumUp('private');
  arrive('public', seqs(200, 100), DAY_START + 200 * MINUTE);
  expect(await today()).toBe(300);
});

it('counts readings of only one store, in hours that both have', async () => {
  arrive('private', seqs(0, 90));
  arrive('public', seqs(45, 90), DAY_START + 45 * MINUTE);
  expect(await today()).toBe(135);
  arrive('private', seqs(500, 1), DAY_START + 20 * HOUR);
  arrive('public', seqs(600, 1), DAY_START + 20 * HOUR);
  for (const store of BOTH) stores.sumUp(store);
  await stores.reopen();
  expect(await today()).toBe(137);
});

it('counts by arrival, also in an hour that began before the day and for old readings that arrive late', async () => {
  arrive('private', seqs(0, 60), DAY_START - 30 * MINUTE);
  arrive('public', seqs(0, 60), DAY_START - 30 * MINUTE);
  const longAgo = DAY_START - 1000 * HOUR;
  arrive('private', seqs(100, 10), DAY_START + HOUR, longAgo);
  arrive('public', seqs(100, 10), DAY_START + HOUR, longAgo);
  for (const [count, dayStart] of [
    [40, DAY_START],
    [70, DAY_START - HOUR],
    [40, DAY_START],
  ]) {
    expect(await today(dayStart)).toBe(count);
  }
  arrive('private', seqs(200, 1), DAY_START + 2 * HOUR, longAgo + 3 * HOUR);
  arrive('public', seqs(200, 1), DAY_START + 2 * HOUR, longAgo + 3 * HOUR);
  for (const store of BOTH) stores.sumUp(store);
  await stores.reopen();
  expect(await today()).toBe(41);
});

it('does not increase when one of the two rows of a device is deleted', async () => {
  arrive('private', seqs(0, 30));
  arrive('public', seqs(0, 30));
  expect(await today()).toBe(30);
  stores.write('public', [{ kind: 'forget', id, limit: 100 }]);
  stores.memory.summaries.forgotten(id);
  stores.memory.today.arrived(id);
  expect(await today()).toBe(30);
});

it('counts again only after fifty times as long as it took, if that was more than 10 ms', async () => {
  arrive('private', seqs(0, 10));
  arrive('public', seqs(0, 10));
  const { today: counter } = stores.memory;
  await (await stores.reader).snapshot(async (view) => {
    let takesMs = 10;
    const countInBoth = view.countInBoth.bind(view);
    vi.spyOn(view, 'countInBoth').mockImplementation((...asked) => {
      vi.advanceTimersByTime(takesMs);
      return countInBoth(...asked);
    });
    const counted = async (stored: number) => {
      counter.arrived(id);
      return counter.count(view, await view.devices(), stored, DAY_START);
    };
    expect(await counted(20)).toBe(10);
    expect(await counted(25)).toBe(15);
    takesMs = 20;
    expect(await counted(30)).toBe(20);
    vi.advanceTimersByTime(979);
    expect(await counted(35)).toBe(20);
    vi.advanceTimersByTime(1);
    expect(await counted(35)).toBe(25);
  });
});
