import { afterEach, beforeEach, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { TestReading } from '../../../../../test/support/readings.ts';
import type { StoreName } from '../../../../shared/protocol/codes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = 488_000 * HOUR;
/** Several times the number of readings that are left out at the end or read together. */
const MANY = 3000;
const SEALED = Buffer.from('0102030405060708090a0b0cffeeddccbbaa99887766554433221100ffeeddcc', 'hex');

let stores: OwnerStoresForTest;
let id: string;
let stored: Record<StoreName, Map<bigint, TestReading>>;

beforeEach(() => {
  stores = new OwnerStoresForTest();
  id = stores.register({}, ['private', 'public']).id;
  stored = { private: new Map(), public: new Map() };
});
afterEach(() => stores.dispose());

/** Returns a reading of a device that restarts every six hours and then counts from 0. */
function reading(seq: number, over: Partial<TestReading> = {}): TestReading {
  const fields = [seq % 97, seq % 5 === 0 ? null : 900 + seq, null, seq > 1200 ? SEALED : 20, null, 60];
  return {
    seq: BigInt(seq),
    timestamp: BigInt((seq % 360) * MINUTE),
    receivedAt: START + seq * MINUTE + 41_000,
    fields,
    ...over,
  };
}

function append(store: StoreName, readings: readonly TestReading[]): void {
  stores.append(store, id, readings);
  for (const each of readings) if (!stored[store].has(each.seq)) stored[store].set(each.seq, each);
  stores.memory.summaries.arrived(id, 0);
}

const seqs = (first: number, count: number, step = 1) =>
  Array.from({ length: count }, (_, index) => first + index * step);

/**
 * Returns the expected number of readings, and of plain and sealed values of each field, by step: added up from the
 * merged readings.
 */
function expected(from: number, to: number, stepMs: number) {
  const merged = [...new Map([...stored.public, ...stored.private]).values()];
  const steps = new Map<number, TestReading[]>();
  for (const each of merged.filter(({ receivedAt }) => receivedAt >= from && receivedAt <= to)) {
    const step = Math.floor(each.receivedAt / stepMs) * stepMs;
    steps.set(step, [...(steps.get(step) ?? []), each]);
  }
  const times = [...steps.keys()].sort((a, b) => a - b);
  const values = (time: number, field: number) => steps.get(time)!.map(({ fields }) => fields[field]);
  const plain = (time: number, field: number) => values(time, field).filter((value) => typeof value === 'number');
  return {
    times,
    min: times.map((time) => Math.min(...plain(time, 0))),
    max: times.map((time) => Math.max(...plain(time, 0))),
    count: times.map((time) => plain(time, 1).length),
    sealed: times.map((time) => values(time, 3).length - plain(time, 3).length),
  };
}

/** Returns the node's answer for the same range. */
async function charted(from: number | null, to: number | null, maxPoints = 20) {
  const { axis, stepMs, times, fields } = await stores.ask('history', { id, from, to, maxPoints });
  expect(axis).toBe('received');
  expect(stepMs! % HOUR).toBe(0);
  const { ph, ec, tempWater } = fields;
  return { stepMs: stepMs!, data: { times, min: ph.min, max: ph.max, count: ec.count, sealed: tempWater.sealed } };
}

async function check(from: number | null = null, to: number | null = null, maxPoints?: number): Promise<void> {
  const { stepMs, data } = await charted(from, to, maxPoints);
  expect(data).toEqual(expected(from ?? 0, to ?? Number.MAX_SAFE_INTEGER, stepMs));
}

it('sums up the private store’s readings by arrival, in any range', async () => {
  append(
    'private',
    seqs(1, MANY).map((seq) => reading(seq)),
  );
  await check();
  await check(START + 1000 * MINUTE, START + 2777 * MINUTE);
  await check(START + 1000 * MINUTE + 41_001, null, 50);
  await check(null, START + 40 * HOUR);
});

it('continues from its end, and starts over if earlier readings arrive', async () => {
  append(
    'private',
    seqs(1, MANY, 3).map((seq) => reading(seq)),
  );
  await check();
  append(
    'private',
    seqs(9001, 1500).map((seq) => reading(seq)),
  );
  await check();
  // Sent again much later: low seqs that arrive now.
  append(
    'private',
    seqs(2, 40, 3).map((seq) => reading(seq, { receivedAt: START + 12_000 * MINUTE })),
  );
  await check();
  append(
    'private',
    seqs(20_000, 900).map((seq) => reading(seq)),
  );
  await check();
});

it('counts a reading of both stores once, as in the private one, also if that arrives later', async () => {
  append(
    'private',
    [...seqs(1, 1500), ...seqs(2000, 700, 2)].map((seq) => reading(seq)),
  );
  append(
    'public',
    seqs(700, 2600).map((seq) => reading(seq, { fields: [1000, null, null, 1, null, null] })),
  );
  await check();
  append(
    'private',
    seqs(2001, 300, 2).map((seq) => reading(seq)),
  );
  await check();
});

it('orders seqs beyond a signed integer', async () => {
  const turn = 2n ** 63n;
  append(
    'private',
    seqs(1, MANY).map((seq) => reading(seq, { seq: turn - 1500n + BigInt(seq) })),
  );
  await check();
});

it('is prepared before the question in small steps', async () => {
  append(
    'private',
    seqs(1, MANY).map((seq) => reading(seq)),
  );
  const reader = await stores.reader;
  let turns = 1;
  while (await reader.prepareArrivals(id, 600)) turns += 1;
  expect(turns).toBeGreaterThan(2);
  await check();
});

it('has nothing of a deleted device', async () => {
  append(
    'private',
    seqs(1, MANY).map((seq) => reading(seq)),
  );
  await check();
  stores.write('private', [{ kind: 'forget', id, limit: 1000 }]);
  const gone = [...stored.private.values()].sort((a, b) => Number(a.timestamp - b.timestamp || a.seq - b.seq));
  for (const { seq } of gone.slice(0, 1000)) stored.private.delete(seq);
  stores.memory.summaries.forgotten(id);
  await check();
});
