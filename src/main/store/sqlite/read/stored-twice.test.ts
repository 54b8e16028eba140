import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { openForWriting } from '../file/database.ts';
import type { DeviceNumbers } from './devices.ts';
import { ReadConnection } from './read-connection.ts';
import { countInBoth } from './stored-twice.ts';

const HOUR = 3_600_000;
const FIRST = 488_000;
const TURN = 2n ** 63n;

let stores: OwnerStoresForTest;
let connection: ReadConnection;
let id: string;
let numbers: DeviceNumbers;

beforeAll(() => {
  stores = new OwnerStoresForTest();
  stores.register({}, ['public']);
  connection = ReadConnection.toBoth(stores.paths);
});
afterAll(async () => {
  connection.close();
  await stores.dispose();
});

/** A reading: its hour, its seq, and when it arrived. */
type Short = readonly [hour: number, seq: number, receivedAt: number];

function register(): void {
  id = stores.register({}, ['private', 'public']).id;
  numbers = { private: stores.numberIn('private', id), public: stores.numberIn('public', id) };
}

function append(store: StoreName, ...readings: Short[]): void {
  const all = readings.map(([hour, seq, receivedAt]) => {
    return { seq: BigInt(seq), timestamp: BigInt((FIRST + hour) * HOUR), receivedAt, fields: [1] };
  });
  stores.append(store, id, all);
}

/** Makes the sums of all hours so far. */
function sumUp(): void {
  for (const store of ['private', 'public'] as const) {
    append(store, [99, store === 'private' ? 998 : 999, 0]);
    stores.sumUp(store);
  }
}

function execute(store: StoreName, sql: string): void {
  const db = openForWriting(stores.paths[store], 'normal');
  db.exec(sql);
  db.close();
}

const count = (since = 0) => countInBoth(connection, numbers, since);

it('is nothing of a device that one store does not know', () => {
  register();
  append('public', [0, 1, 5]);
  append('private', [0, 1, 5]);
  expect(count()).toBe(1);
  expect(countInBoth(connection, { ...numbers, private: null }, 0)).toBe(0);
  expect(countInBoth(connection, { ...numbers, public: null }, 0)).toBe(0);
});

describe.each([true, false])('with sums: %s', (isSummed) => {
  it('are the readings with the same seq, in any hour, that the public store received since a time', () => {
    register();
    append('private', [0, 1, 900], [0, 2, 900], [1, 3, 900], [4, 5, 900]);
    append('public', [0, 1, 10], [0, 2, 20], [1, 3, 30], [1, 4, 40], [2, 5, 50], [3, 6, 60]);
    if (isSummed) sumUp();
    expect([0, 10, 11, 20, 21, 30, 31, 50, 51, 900].map(count)).toEqual([4, 4, 3, 3, 2, 2, 1, 1, 0, 0]);
  });

  it('are readings with any timestamp', () => {
    register();
    for (const store of ['private', 'public'] as const) {
      const timestamps = [0n, TURN - 1n, TURN, 2n ** 64n - 1n];
      const readings = timestamps.map((timestamp, index) => ({
        seq: BigInt(index),
        timestamp,
        receivedAt: 5,
        fields: [1],
      }));
      stores.append(store, id, readings);
    }
    execute('private', `DELETE FROM readings WHERE device = ${numbers.private} AND seq = 0`);
    if (isSummed) sumUp();
    expect(count()).toBe(3);
  });
});

describe('the readings of an hour', () => {
  /** Makes an hour of which both stores have the same three readings, and lets its sums in the public store say 7. */
  function begin(): void {
    register();
    for (const store of ['private', 'public'] as const) append(store, [0, 1, 10], [0, 2, 20], [0, 3, 30]);
    sumUp();
    execute('public', `UPDATE hourly_rollups SET readings = 7 WHERE device = ${numbers.public} AND hour = ${FIRST}`);
    execute('private', `UPDATE hourly_rollups SET readings = 7 WHERE device = ${numbers.private} AND hour = ${FIRST}`);
  }

  it('are not read if both stores have equal sums, of which all arrived since then', () => {
    begin();
    expect([count(), count(10), count(11)]).toEqual([7, 7, 2]);
  });

  it.each<[string, StoreName, string]>([
    ['a number of readings', 'private', 'readings = 8'],
    ['a hash of seqs', 'private', 'seq_hash = seq_hash + 1'],
  ])('are read if %s differs', (_name, store, change) => {
    begin();
    execute(store, `UPDATE hourly_rollups SET ${change} WHERE device = ${numbers[store]} AND hour = ${FIRST}`);
    expect(count()).toBe(3);
  });

  it.each(['private', 'public'] as const)('are read once if the sums of a store are outdated: %s', (store) => {
    begin();
    execute(store, `INSERT INTO dirty_hours VALUES (${numbers[store]}, ${FIRST})`);
    expect(count()).toBe(3);
  });

  it('are read if the private store has the hour without sums', () => {
    begin();
    execute('private', `DELETE FROM hourly_rollups WHERE device = ${numbers.private} AND hour = ${FIRST}`);
    expect(count()).toBe(3);
  });
});
