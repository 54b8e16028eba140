import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { TestReading } from '../../../../../test/support/readings.ts';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { MAX_UINT64 } from '../../../../shared/protocol/uint64.ts';
import { SimulatedDevice } from '../../../../simulator/device.ts';
import { into, RETAINED_COLUMNS } from '../file/columns.ts';
import { openForWriting } from '../file/database.ts';
import { ArrivalHours } from './arrival-hours.ts';
import { MergedHours } from './merged-hours.ts';
import { MergedReadings } from './merged-readings.ts';
import { ReadConnection } from './read-connection.ts';
import { RetainedHours } from './retained-hours.ts';
import { SqliteStoresView } from './stores-view.ts';

const HOUR = 3_600_000;
const FIRST = 488_000;
const UNKNOWN = 'ff'.repeat(32);
const WHOLE = { axis: 'timestamp', from: 0n, to: MAX_UINT64 } as const;
const SIGNED = { signature: Buffer.alloc(64, 1), raw: Buffer.from('raw') };
/** The time of an hour, and some milliseconds more. */
const at = (hour: number, ms = 0) => (FIRST + hour) * HOUR + ms;

let stores: OwnerStoresForTest;
let connection: ReadConnection;
/** One device in both stores, and one in each. */
let [both, own, strange] = ['', '', ''];

function reading(seq: number, time: number, over: Partial<TestReading> = {}): TestReading {
  return { seq: BigInt(seq), timestamp: BigInt(time), receivedAt: time + seq, fields: [seq], ...over };
}

function execute(store: StoreName, sql: string): void {
  const db = openForWriting(stores.paths[store]!, 'normal');
  db.exec(sql);
  db.close();
}

const numberIn = (store: StoreName, id: string) => stores.numberIn(store, id);

function view(): SqliteStoresView {
  const readings = new MergedReadings(connection);
  const hours = new MergedHours(connection, readings);
  const arrivals = new ArrivalHours(connection, readings);
  return new SqliteStoresView(connection, { readings, hours, retained: new RetainedHours(connection), arrivals });
}

beforeAll(() => {
  stores = new OwnerStoresForTest();
  strange = stores.register({}, ['public']).id;
  own = stores.register({ ownerPubkey: 'aa'.repeat(32) }, ['private']).id;
  both = stores.register({ ownerPubkey: 'bb'.repeat(32) }, ['private', 'public']).id;
  stores.append('private', both, [reading(1, at(0)), reading(2, at(1), { signed: SIGNED }), reading(3, at(2))]);
  stores.append('public', both, [reading(3, at(2), { fields: [99] }), reading(4, at(3)), reading(5, at(4))]);
  connection = ReadConnection.toBoth(stores.paths);
});
afterAll(async () => {
  connection.close();
  await stores.dispose();
});

const seqsOf = (readings: readonly { readonly seq: bigint }[]) => readings.map(({ seq }) => Number(seq));

it('has the stores, their devices and owners', async () => {
  expect(view().names).toEqual(['private', 'public']);
  expect((await view().devices()).map(({ id }) => id)).toEqual([own, both, strange]);
  expect((await view().device(strange))!.entries.map(({ store }) => store)).toEqual(['public']);
  expect(await view().device(UNKNOWN)).toBe(null);
  expect(await view().privateOwners()).toEqual(new Set(['aa'.repeat(32), 'bb'.repeat(32)]));
});

it('knows a device as it was at first', async () => {
  const early = view();
  const { id, seed } = new SimulatedDevice();
  expect(await early.heldCounts(id)).toEqual([]);
  stores.register({ seed }, ['public']);
  expect(await early.heldCounts(id)).toEqual([]);
  expect(await view().heldCounts(id)).toMatchObject([{ store: 'public', count: 0 }]);
});

describe('counts', () => {
  it('are those of each store that knows the device', async () => {
    const counted = async (id: string) =>
      (await view().heldCounts(id)).map(({ store, count, fields }) => `${store} ${count} ${fields.ph.plain}`);
    expect(await counted(both)).toEqual(['private 3 3', 'public 3 3']);
    expect(await counted(own)).toEqual(['private 0 0']);
  });

  it('are what was withheld, refused and not known', async () => {
    const withheld = { deviceId: both, cause: 'omit', field: 'ph', count: 2, firstAt: 1, lastAt: 2 } as const;
    const outcomes = [{ hour: 5, outcome: 'stored', count: 3 }];
    const unregistered = [{ id: UNKNOWN, attempts: 1, firstAt: 1, lastAt: 2, lastError: 'no' }];
    const write = (store: StoreName, count: number) => {
      const counts = { withheld: [{ ...withheld, count }], outcomes, unregistered };
      stores.write(store, [{ kind: 'count', counts }]);
    };
    write('private', 2);
    write('public', 7);
    const { deviceId: _, ...rest } = withheld;
    expect(await view().withheld(both)).toEqual([
      { ...rest, count: 2, store: 'private' },
      { ...rest, count: 7, store: 'public' },
    ]);
    expect(await view().withheld(own)).toEqual([]);
    expect(await view().outcomesSince('public', 5)).toEqual([{ outcome: 'stored', count: 3 }]);
    expect(await view().outcomesSince('public', 6)).toEqual([]);
    expect(await view().unregistered('public')).toEqual(unregistered);
  });

  it('are moved times, the latest first, of the store that moved more readings', async () => {
    const rows = (store: StoreName, ...values: string[]) =>
      execute(
        store,
        `INSERT INTO moved_arrivals VALUES ${values.map((each) => `(${numberIn(store, both)}, ${each})`)}`,
      );
    expect(await view().movedArrivals(both, 9)).toEqual([]);
    rows('private', '5, 10, 1', '7, 20, 3', '8, 30, 2', '4, 5, 0');
    rows('public', '5, 11, 2', '7, 21, 1', '8, 31, 2', '6, 40, 9');
    const all = [
      { at: 8, by: 30, readings: 2 },
      { at: 7, by: 20, readings: 3 },
      { at: 6, by: 40, readings: 9 },
      { at: 5, by: 11, readings: 2 },
    ];
    expect(await view().movedArrivals(both, 9)).toEqual(all);
    for (const limit of [2, 3]) expect(await view().movedArrivals(both, limit)).toEqual(all.slice(0, limit));
    expect(await view().movedArrivals(own, 9)).toEqual([]);
  });
});

it('has the owner’s choices and journal', async () => {
  const act = { kind: 'observed', photos: [{ id: 'ee'.repeat(32), width: 1, height: 1, bytes: 1 }] } as const;
  const entry = { device: own, at: 5, text: '', updatedAt: 1, act: { ...act, photos: [...act.photos] } };
  const note = { device: null, at: 6, text: 'a', updatedAt: 1 };
  stores.write('private', [
    { kind: 'choose', name: 'units', value: '1', updatedAt: 1 },
    { kind: 'writeEntry', id: null, ...entry },
    { kind: 'writeEntry', id: null, ...note },
  ]);
  expect(await view().choices()).toEqual(new Map([['units', 1]]));
  expect(await view().journal(null, 5, 6, 9)).toEqual([
    { id: 2, ...note },
    { id: 1, ...entry },
  ]);
  expect(await view().journal(both, 5, 6, 9)).toEqual([{ id: 2, ...note }]);
  expect(await view().journal(null, 5, 6, 1)).toEqual([{ id: 2, ...note }]);
  expect(await view().entriesWithPhotos()).toEqual([{ id: 1, ...entry }]);
});

it('has the sizes of a store and of the rows of known devices', async () => {
  execute('public', 'CREATE TABLE filler (x); INSERT INTO filler VALUES (zeroblob(100000)); DROP TABLE filler');
  expect(await view().bytes('public')).toBe(connection.bytes('public'));
  const unused = await view().unusedBytes('public');
  expect(unused).toBe(connection.pages('public').unusedBytes);
  expect(unused).toBeGreaterThan(90_000);
  const held = [both, own, strange].map((id) => ({ id, readings: 3 }));
  const bytes = await view().rowBytes('public', held);
  expect([...bytes.keys()]).toEqual([both, strange]);
  expect(bytes.get(both)!.reading).toBeGreaterThan(bytes.get(strange)!.reading);
  const empty = await view().copyBytes('public', [{ id: own, readings: 100 }]);
  expect(await view().copyBytes('public', [])).toBe(empty);
  expect(await view().copyBytes('public', [{ id: both, readings: 100 }])).toBeGreaterThan(empty);
});

describe('readings', () => {
  it('are the latest ones, up to a time', async () => {
    expect(seqsOf(await view().latest(both, 'timestamp', 2))).toEqual([5, 4]);
    expect(seqsOf(await view().latest(both, 'timestamp', 2, BigInt(at(3))))).toEqual([4, 3]);
    expect(seqsOf(await view().latest(UNKNOWN, 'timestamp', 2))).toEqual([]);
  });

  it('are pages, with the signed raw string if that is wanted', async () => {
    const page = await view().page(both, WHOLE, null, 2);
    expect([seqsOf(page), page.some((each) => 'signed' in each)]).toEqual([[1, 2], false]);
    const signed = await view().page(both, WHOLE, page[1]!, 9, { withSigned: true, order: 'ascending' });
    expect(signed.map(({ seq, signed }) => [Number(seq), signed])).toEqual([
      [3, null],
      [4, null],
      [5, null],
    ]);
    const [only] = await view().page(both, { ...WHOLE, to: BigInt(at(1)) }, null, 1, {
      withSigned: true,
      order: 'descending',
    });
    expect([only!.seq, only!.signed]).toEqual([2n, SIGNED]);
    const filter = { field: 'ph', form: 'any', min: 3, max: 4 } as const;
    const plain = await view().page(both, WHOLE, null, 9, { filter, withSigned: false });
    expect([seqsOf(plain), 'signed' in plain[0]!]).toEqual([[3, 4], false]);
  });

  it('have a log', async () => {
    const one = view();
    expect(await one.log('private')).toBe(await one.log('private'));
    expect(await one.log('public')).not.toBe(await one.log('private'));
    expect(seqsOf(await one.loggedReadings('public', both, WHOLE, null, 2))).toEqual([3, 4]);
    expect(seqsOf(await one.loggedReadings('private', both, WHOLE, { seq: 1n, timestamp: BigInt(at(0)) }, 9))).toEqual([
      2, 3,
    ]);
    expect(await one.loggedReadings('public', own, WHOLE, null, 9)).toEqual([]);
  });

  it('are counted, exactly or quickly', async () => {
    const filter = { field: 'ph', form: 'any', min: 3, max: 4 } as const;
    const found = [await view().count(both, WHOLE), await view().count(both, WHOLE, 2)];
    expect([...found, await view().count(both, WHOLE, undefined, filter)]).toEqual([5, 2, 2]);
    expect([await view().count(both, WHOLE, 1, filter), await view().count(UNKNOWN, WHOLE)]).toEqual([1, 0]);
    expect([await view().estimate(both, WHOLE, 9), await view().estimate(both, WHOLE, 5)]).toEqual([6, 5]);
    expect([await view().countInBoth(both, 0), await view().countInBoth(both, at(2, 4))]).toEqual([1, 0]);
  });

  it('have a first and a last arrival, and sums', async () => {
    const [first, last] = [at(0, 1), at(4, 5)];
    expect(await view().arrivals(both)).toEqual({ first, last });
    expect(await view().arrivals(both, at(1, 2))).toEqual({ first, last: at(1, 2) });
    const span = { ...WHOLE, from: BigInt(at(1)), to: BigInt(at(3) - 1) };
    const sums = await view().sums(both, span, HOUR);
    expect(sums.map(({ time, fields }) => [time, fields.ph.mean])).toEqual([
      [at(1), 2],
      [at(2), 3],
    ]);
    const arrived = await view().sums(both, { ...span, axis: 'received' }, HOUR);
    expect(arrived).toEqual(sums);
    expect(view().prepareArrivals(both, 1)).toBe(false);
  });
});

describe('the newest reading with a value of a field', () => {
  it('is not one that the private store has without the value', async () => {
    const { id } = stores.register({}, ['private', 'public']);
    const ec = (value: number | null) => ({ fields: [1, value] });
    stores.append('private', id, [reading(1, at(0), ec(5)), reading(3, at(1), ec(null)), reading(9, at(3), ec(null))]);
    stores.append('public', id, [
      reading(2, at(0, HOUR - 1), ec(6)),
      reading(3, at(1), ec(7)),
      reading(4, at(0, 9), ec(8)),
    ]);
    const newest = async (from: number, to: number) => {
      const found = await view().newestWith(id, 'ec', FIRST + from, FIRST + to);
      return found && [Number(found.seq), found.fields.ec, found.store];
    };
    expect(await newest(0, 9)).toEqual([2, 6, 'public']);
    expect(await newest(0, 0)).toEqual([2, 6, 'public']);
    expect([await newest(1, 9), await newest(1, 1), await newest(-9, -1)]).toEqual([null, null, null]);
    stores.append('private', id, [reading(10, at(2), ec(0)), reading(11, at(4), ec(4))]);
    expect([await newest(0, 3), await newest(0, 9)]).toEqual([
      [10, 0, 'private'],
      [11, 4, 'private'],
    ]);
  });
});

describe('what retention left', () => {
  let id: string;
  beforeAll(() => {
    id = stores.register({}, ['private', 'public']).id;
    stores.append('private', id, [reading(1, at(9, 5)), reading(2, at(11))]);
  });
  function keep(hour: number): void {
    const device = numberIn('private', id);
    const values = [device, FIRST + hour, ...RETAINED_COLUMNS.slice(2).map(() => 0)];
    execute('private', `INSERT ${into('retained_hours', RETAINED_COLUMNS).replace(/\(\?.*/, `(${values})`)}`);
  }
  const span = async (from: number, to: number) => {
    const found = await view().timestamps(id, BigInt(from), BigInt(to));
    return found && [Number(found.first), Number(found.last)];
  };

  it('begins the timestamps with an hour of sums, from its first millisecond', async () => {
    expect(await span(0, at(99))).toEqual([at(9, 5), at(11)]);
    keep(12);
    expect(await span(0, at(99))).toEqual([at(9, 5), at(11)]);
    keep(7);
    expect(await span(0, at(99))).toEqual([at(7), at(11)]);
    expect(await span(at(7), at(10))).toEqual([at(7), at(9, 5)]);
    expect(await span(at(7, 1), at(10))).toEqual([at(9, 5), at(9, 5)]);
    expect([await span(at(7), at(8)), await span(at(20), at(30))]).toEqual([null, null]);
  });

  it('is kept from an hour on', async () => {
    expect(await view().keptFrom(id)).toBe(null);
    execute('private', `INSERT INTO retention VALUES (${numberIn('private', id)}, ${FIRST + 8})`);
    expect(await view().keptFrom(id)).toBe(at(8));
  });

  it('is counted and held by a store that knows the device', async () => {
    const old = Array.from({ length: 501 }, (_, index) => reading(index + 10, at(index === 0 ? 20 : 30, index)));
    stores.append('private', id, [...old, reading(900, at(40))]);
    stores.sumUp('private');
    expect([await view().countBefore('private', id, at(25)), await view().countBefore('public', own, at(25))]).toEqual([
      3, 0,
    ]);
    expect(await view().hoursHeld('private', id, FIRST + 9, FIRST + 30)).toEqual({
      hours: 3,
      readings: 3,
      firstHour: FIRST + 9,
    });
    expect(await view().hoursHeld('public', own, 0, 1e6)).toEqual({ hours: 0, readings: 0, firstHour: null });
  });
});
