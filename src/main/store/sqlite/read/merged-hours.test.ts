import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { perFieldName } from '../../../../shared/protocol/fields.ts';
import { MAX_UINT64 } from '../../../../shared/protocol/uint64.ts';
import { Sums } from '../../sums.ts';
import { openForWriting } from '../file/database.ts';
import type { DeviceNumbers } from './devices.ts';
import { MergedHours } from './merged-hours.ts';
import { MergedReadings } from './merged-readings.ts';
import { ReadConnection } from './read-connection.ts';

const HOUR = 3_600_000;
const FIRST = 488_000;
const TURN = 2n ** 63n;
/** The hour that contains 2^63, from its first to its last millisecond. */
const TURN_HOUR = (TURN / BigInt(HOUR)) * BigInt(HOUR);
const SEALED = new Uint8Array(28);

let stores: OwnerStoresForTest;
let connection: ReadConnection;
let hours: MergedHours;
let laterSeq = 999;

beforeAll(() => {
  stores = new OwnerStoresForTest();
  // The numbers of a device differ between the stores.
  stores.register({}, ['public']);
  connection = ReadConnection.toBoth(stores.paths);
  hours = new MergedHours(connection, new MergedReadings(connection));
});
afterAll(async () => {
  connection.close();
  await stores.dispose();
});

type Known = { readonly id: string; readonly numbers: DeviceNumbers };

function known(names: readonly StoreName[] = ['private', 'public']): Known {
  const { id } = stores.register({}, names);
  const numberIn = (name: StoreName) => (names.includes(name) ? stores.numberIn(name, id) : null);
  return { id, numbers: { private: numberIn('private'), public: numberIn('public') } };
}

/** Appends readings: each has its hour, its seq and its pH (1 if missing; -: absent, #: sealed). */
function append(store: StoreName, { id }: Known, readings: string): void {
  const all = readings.split(', ').map((text) => {
    const [hour, seq, ph = '1'] = text.split(' ') as [string, string, string?];
    const time = (FIRST + Number(hour)) * HOUR;
    const value = ph === '-' ? null : ph === '#' ? SEALED : Number(ph);
    const receivedAt = time + Number(BigInt(seq) % 1000n);
    return { seq: BigInt(seq), timestamp: BigInt(time), receivedAt, fields: [value] };
  });
  stores.append(store, id, all);
}

/** Adds readings of hours, and makes the sums of all these hours: a reading of a later hour ends them. */
function sumUp(store: StoreName, device: Known, readings: string): void {
  laterSeq += 1000;
  append(store, device, `${readings}, 99 ${laterSeq}`);
  stores.sumUp(store);
}

function execute(store: StoreName, sql: string): void {
  const db = openForWriting(stores.paths[store], 'normal');
  db.exec(sql);
  db.close();
}

/** Makes the sums of a device's hours wrong: what is read from them differs from what is read from readings. */
function mark(store: StoreName, { numbers }: Known): void {
  execute(store, `UPDATE hourly_rollups SET ph_sum = ph_sum + 1000 WHERE device = ${numbers[store]}`);
}

/** Returns each hour with its number of readings, of plain values of pH, and their sum. */
function read({ numbers }: Known, from = 0, to = 98): string {
  const found = new Map<number, Sums>();
  hours.addTo(numbers, FIRST + from, FIRST + to, (hour) => {
    found.set(hour, found.get(hour) ?? new Sums());
    return found.get(hour)!;
  });
  const all = [...found].sort(([a], [b]) => a - b);
  return all.map(([hour, sums]) => `${hour - FIRST} ${sums.readings} ${sums.count[0]} ${sums.sum[0]}`).join(', ');
}

describe('the sums of an hour', () => {
  it('are the stored ones if one store has it, between two hours', () => {
    const device = known(['private']);
    sumUp('private', device, '0 1 5, 1 2 6, 1 3 -, 2 4 7, 3 5 8');
    mark('private', device);
    expect(read(device)).toBe('0 1 1 1005, 1 2 1 1006, 2 1 1 1007, 3 1 1 1008');
    expect(read(device, 2, 2)).toBe('2 1 1 1007');
    expect(read(device, 3, 2)).toBe('');
    const strange = known(['public']);
    sumUp('public', strange, '0 1 5, 0 2 #');
    mark('public', strange);
    sumUp('public', strange, `1 ${TURN - 1n} 5, 1 ${TURN} 6`);
    mark('public', strange);
    expect(read(strange)).toBe('0 2 1 2005, 1 2 2 1011');
  });

  it('are the private ones if both stores have the same readings', () => {
    const device = known();
    for (const store of ['private', 'public'] as const) sumUp(store, device, '0 1 5, 0 2 6');
    mark('private', device);
    expect(read(device)).toBe('0 2 2 1011');
  });

  it('are the sums of both if no seq of one is among those of the other', () => {
    const device = known();
    sumUp('private', device, '0 1 5, 0 2 6');
    sumUp('public', device, '0 3 7, 0 4 #, 1 5 8');
    mark('public', device);
    expect(read(device)).toBe('0 4 3 1018, 1 1 1 1008');
  });

  it('have the public readings that the private store does not have', () => {
    const device = known();
    sumUp('private', device, '0 1 5, 0 3 6, 2 7 1, 3 8 2');
    sumUp('public', device, '0 1 50, 0 2 60, 0 3 70, 1 7 80, 2 9 3, 3 10 4');
    mark('private', device);
    // Seq 7 is in another hour of the private store, which counts.
    expect(read(device)).toBe('0 3 3 1071, 2 2 2 1004, 3 2 2 1006');
  });

  it('differ if the numbers or the seqs of the readings differ', () => {
    const device = known();
    sumUp('private', device, '0 1 5, 0 4 6, 1 11 1, 1 12 2');
    sumUp('public', device, '0 1 50, 0 3 60, 1 11 10, 1 12 20, 1 13 30');
    expect(read(device)).toBe('0 3 3 71, 1 3 3 33');
    for (const store of ['private', 'public'] as const) execute(store, 'UPDATE hourly_rollups SET seq_hash = 7');
    expect(read(device)).toBe('0 2 2 11, 1 3 3 33');
  });

  it('are made from readings if they are outdated in a store', () => {
    const device = known();
    sumUp('private', device, '0 1 5, 1 2 6');
    sumUp('public', device, '0 1 50, 1 2 60, 2 3 70');
    append('private', device, '0 4 9');
    append('public', device, '1 5 80, 2 6 90');
    for (const store of ['private', 'public'] as const) mark(store, device);
    expect(read(device)).toBe('0 2 2 14, 1 2 2 86, 2 2 2 160');
    expect(read(device, 1, 1)).toBe('1 2 2 86');
  });

  it('are not there if all its readings are deleted or hidden', () => {
    const device = known();
    append('private', device, '0 1, 1 2');
    sumUp('public', device, '5 2');
    execute('private', `DELETE FROM readings WHERE device = ${device.numbers.private} AND seq = 1`);
    expect(read(device)).toBe('1 1 1 1');
  });
});

describe('merged sums of an hour in which the stores differ', () => {
  const raise = ({ numbers }: Known) =>
    execute('public', `UPDATE readings SET ph = ph + 100 WHERE device = ${numbers.public}`);

  it('are kept until a count of a store changes', () => {
    const [device, other] = [known(), known()];
    for (const each of [device, other]) {
      sumUp('private', each, '0 1 5, 0 4 6, 1 11 7, 1 14 8');
      sumUp('public', each, `0 1 1, 0 3 ${each === device ? 9 : 19}, 1 11 1, 1 13 10`);
    }
    const before = '0 3 3 20, 1 3 3 25';
    expect(read(device)).toBe(before);
    expect(read(other)).toBe('0 3 3 30, 1 3 3 25');
    raise(device);
    expect(read(device)).toBe(before);
    sumUp('public', device, '0 2 1');
    sumUp('private', device, '1 15 2');
    expect(read(device)).toBe('0 4 4 121, 1 4 4 127');
    // A reading of another hour hides one of this hour.
    sumUp('private', device, '5 3 0');
    expect(read(device, 0, 0)).toBe('0 3 3 12');
  });

  it('are not kept if the seqs lie on both sides of 2^63', () => {
    const device = known();
    sumUp('private', device, `0 ${TURN - 1n} 5, 0 ${TURN} 6`);
    sumUp('public', device, `0 ${TURN - 2n} 8, 0 ${TURN} 9`);
    expect(read(device)).toBe('0 3 3 19');
    raise(device);
    expect(read(device)).toBe('0 3 3 119');
  });
});

describe('the latest hour with a value of a field', () => {
  const latest = ({ numbers }: Known, from = 0, to = 98) => {
    const hour = hours.latestWith('ph', numbers, FIRST + from, FIRST + to);
    return hour === null ? null : hour - FIRST;
  };

  it('is that of a plain or sealed value in either store, summed up or not', () => {
    const device = known();
    expect(latest(device)).toBe(null);
    append('private', device, '2 20 1');
    sumUp('private', device, '0 1 5, 1 2 #, 3 3 -, 4 4 -');
    expect([latest(device), latest(device, 0, 1), latest(device, 0, 0)]).toEqual([2, 1, 0]);
    expect([latest(device, 1, 1), latest(device, 2, 2), latest(device, 3, 98)]).toEqual([1, 2, null]);
    append('private', device, '10 30 -, 12 31 #, 14 32 1, 16 33 -');
    expect([latest(device), latest(device, 0, 13), latest(device, 11, 12)]).toEqual([14, 12, 12]);
    expect([latest(device, 13, 13), latest(device, 15, 98)]).toEqual([null, null]);
    sumUp('public', device, '18 40 5, 1 2 5');
    expect([latest(device), latest(device, 0, 17)]).toEqual([18, 14]);
    expect(hours.latestWith('ec', device.numbers, FIRST, FIRST + 99)).toBe(null);
  });

  it('ends with its last millisecond', () => {
    const device = known(['private']);
    const turn = BigInt((FIRST + 1) * HOUR);
    stores.append('private', device.id, [
      { seq: 1n, timestamp: turn - 1n, receivedAt: 1, fields: [null, 5] },
      { seq: 2n, timestamp: turn, receivedAt: 1, fields: [5] },
    ]);
    const ofEc = (hour: number) => hours.latestWith('ec', device.numbers, FIRST + hour, FIRST + hour);
    expect([ofEc(0), ofEc(1)]).toEqual([FIRST, null]);
    expect([latest(device, 0, 0), latest(device, 1, 1)]).toEqual([null, 1]);
  });
});

describe('the first and the latest arrival', () => {
  const arrivals = ({ numbers }: Known, until = Number.MAX_SAFE_INTEGER) => hours.arrivals(numbers, until);
  const at = (hour: number, seq: number) => (FIRST + hour) * HOUR + seq;

  it('are those of either store, summed up or not', () => {
    const device = known();
    expect(arrivals(device)).toBe(null);
    append('private', device, '5 7');
    append('public', device, '4 8, 3 9');
    expect(arrivals(device)).toEqual({ first: at(3, 9), last: at(5, 7) });
    append('public', device, '6 10');
    stores.sumUp('private');
    stores.sumUp('public');
    expect(arrivals(device)).toEqual({ first: at(3, 9), last: at(6, 10) });
  });

  it.each([false, true])('are up to a time, which is that of the first one of an hour with sums: %s', (isSummed) => {
    const device = known(['private']);
    append('private', device, '0 1, 0 3, 0 5, 1 7');
    if (isSummed) stores.sumUp('private');
    const found = [0, 1, 2, 3, 5].map((seq) => arrivals(device, at(0, seq))?.last ?? null);
    expect(found).toEqual([null, 1, 1, isSummed ? 1 : 3, 5].map((seq) => seq && at(0, seq)));
    expect(arrivals(device, at(1, 7))).toEqual({ first: at(0, 1), last: at(1, 7) });
    expect(arrivals(device, at(1, 6))).toEqual({ first: at(0, 1), last: at(0, 5) });
  });

  it('are not those of outdated sums', () => {
    const device = known(['private']);
    sumUp('private', device, '0 1, 0 5');
    execute(
      'private',
      `UPDATE hourly_rollups SET received_min = 1, received_max = ${at(500, 0)}
      WHERE device = ${device.numbers.private}`,
    );
    append('private', device, '0 3');
    expect(arrivals(device)).toEqual({ first: at(0, 1), last: at(99, 999) });
  });
});

describe('readings with any timestamp', () => {
  const H = BigInt(HOUR);
  const AFTER = [H - 1n, H, 2n * H - 1n, 2n * H].map((offset) => TURN_HOUR + offset);
  const EDGES = [0n, H - 1n, H, TURN_HOUR - 1n, TURN_HOUR, TURN - 1n, TURN, ...AFTER, MAX_UINT64];

  it.each(['private', 'public'] as const)('are counted once in their hours, summed up or not: %s', (store) => {
    const device = known([store]);
    const fields = perFieldName(() => ({ plain: 0, sealed: 0 }));
    const held = () => hours.heldIn(store, device.numbers[store]!);
    expect(held()).toEqual({ count: 0, fields });
    for (const [index, timestamp] of EDGES.entries()) {
      const values = [index, index % 2 === 0 ? SEALED : null, index % 3 === 0 ? SEALED : 5];
      stores.append(store, device.id, [{ seq: BigInt(index), timestamp, receivedAt: index, fields: values }]);
      const count = index + 1;
      const third = Math.ceil(count / 3);
      const ec = { plain: 0, sealed: Math.ceil(count / 2) };
      const waterLevel = { plain: count - third, sealed: third };
      const expected = { count, fields: { ...fields, ph: { plain: count, sealed: 0 }, ec, waterLevel } };
      expect(held(), `${timestamp}`).toEqual(expected);
      expect(hours.arrivals(device.numbers, 99), `${timestamp}`).toEqual({ first: 0, last: index });
    }
    const before = held();
    stores.sumUp(store);
    expect(held()).toEqual(before);
    stores.append(store, device.id, [{ seq: 90n, timestamp: 1n, receivedAt: 90, fields: [1] }]);
    expect(held()).toMatchObject({ count: EDGES.length + 1, fields: { ph: { plain: EDGES.length + 1 } } });
  });
});

it('of the private store alone are those that it has', () => {
  const device = known();
  sumUp('private', device, '0 1 5');
  sumUp('public', device, '0 2 7');
  const alone = ReadConnection.toBoth({ ...stores.paths, public: null });
  const sums = new Sums();
  new MergedHours(alone, new MergedReadings(alone)).addTo(device.numbers, FIRST, FIRST, () => sums);
  expect([sums.readings, sums.sum[0]]).toEqual([1, 5]);
  alone.close();
});
