import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import type { SimulatedDevice } from '../../../../simulator/device.ts';
import { Sums } from '../../sums.ts';
import { openForWriting } from '../file/database.ts';
import { ArrivalHours } from './arrival-hours.ts';
import { numbersOf } from './devices.ts';
import { MergedReadings } from './merged-readings.ts';
import { ReadConnection } from './read-connection.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = 488_000 * HOUR;
/** By so much readings are raised after their sums were made: it shows which are read again. */
const RAISED = 1_000_000;

let stores: OwnerStoresForTest;
let connection: ReadConnection;
let arrivals: ArrivalHours;
let id: string;

beforeAll(() => {
  stores = new OwnerStoresForTest();
  stores.register({}, ['public']);
  connection = ReadConnection.toBoth(stores.paths);
});
afterAll(async () => {
  connection.close();
  await stores.dispose();
});
beforeEach(() => {
  arrivals = new ArrivalHours(connection, new MergedReadings(connection));
});

function begin(names: readonly StoreName[]): SimulatedDevice {
  const device = stores.register({}, names);
  id = device.id;
  return device;
}

/** Adds readings of some seqs: each arrives in its minute, and its pH is 1. */
function append(store: StoreName, seqs: readonly number[], device = id, every = MINUTE): void {
  const sql = `INSERT INTO readings (device, seq, timestamp, received_at, key_version, ph, water_level)
    SELECT ?, value, 1, ? + value * ?, 0, 1, zeroblob(28) FROM json_each(?)`;
  const db = openForWriting(stores.paths[store]!, 'normal');
  db.prepare(sql).run(stores.numberIn(store, device), START, every, JSON.stringify(seqs));
  db.close();
}

const seqs = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

function execute(sql: string): void {
  const db = openForWriting(stores.paths.private, 'normal');
  db.exec(sql);
  db.close();
}
const raise = (by = RAISED) => execute(`UPDATE readings SET ph = ph + ${by}`);

/** Returns each time that is asked for with its number of readings, and how many of them are raised. */
function read(from: number, to: number, device = id): [minute: number, readings: number, raised: number][] {
  const found = new Map<number, Sums>();
  arrivals.addTo(device, numbersOf(connection, device), START + from, START + to, (time) => {
    const hour = Math.floor(time / HOUR) * HOUR;
    found.set(hour, found.get(hour) ?? new Sums());
    return found.get(hour)!;
  });
  const all = [...found].sort(([a], [b]) => a - b);
  return all.map(([time, { readings, sum, sealed }]) => {
    expect(sealed[2]).toBe(readings);
    return [(time - START) / HOUR, readings, Math.floor(sum[0]! / RAISED)];
  });
}

describe('sums of whole hours', () => {
  beforeEach(() => {
    begin(['private']);
    // The newest 500 are left out of the sums: those up to seq 1099 are in them.
    append('private', seqs(0, 1599));
    read(0, 0);
    raise();
  });

  it('are used only for hours that are whole in the range', () => {
    expect(read(0, HOUR - 1)).toEqual([[0, 60, 0]]);
    expect(read(1, HOUR - 1)).toEqual([[0, 59, 59]]);
    expect(read(0, HOUR - 2)).toEqual([[0, 60, 60]]);
    expect(read(30 * MINUTE, 3 * HOUR)).toEqual([
      [0, 30, 30],
      [1, 60, 0],
      [2, 60, 0],
      [3, 1, 1],
    ]);
    expect(read(2 * HOUR - 1, 3 * HOUR - 1)).toEqual([[2, 60, 0]]);
  });

  it('are not used for the newest readings', () => {
    expect(read(17 * HOUR, 20 * HOUR - 1)).toEqual([
      [17, 60, 0],
      [18, 60, 41],
      [19, 60, 60],
    ]);
    expect(read(26 * HOUR, 99 * HOUR)).toEqual([[26, 40, 40]]);
  });

  it('are of readings of several pages, and so is a part of such an hour', () => {
    expect(read(8 * HOUR, 9 * HOUR - 1)).toEqual([[8, 60, 0]]);
    expect(read(8 * HOUR + 10 * MINUTE, 8 * HOUR + 50 * MINUTE)).toEqual([[8, 41, 41]]);
    expect(read(16 * HOUR + 30 * MINUTE, 17 * HOUR - 1)).toEqual([[16, 30, 30]]);
  });

  it('are made again if a reading is missing, or if the device forgot some', () => {
    execute('DELETE FROM readings WHERE seq = 7');
    expect(read(0, HOUR - 1)).toEqual([[0, 59, 59]]);
    raise(-RAISED);
    expect(read(0, HOUR - 1)).toEqual([[0, 59, 59]]);
    arrivals.forgotten(id);
    expect(read(0, HOUR - 1)).toEqual([[0, 59, 0]]);
  });
});

it('a device with few readings has no sums', () => {
  begin(['private']);
  append('private', seqs(0, 500));
  expect(read(0, HOUR - 1)).toEqual([[0, 60, 0]]);
  raise();
  expect(read(0, HOUR - 1)).toEqual([[0, 60, 60]]);
  append('private', [501, 502]);
  raise(-RAISED);
  expect(read(0, HOUR - 1)).toEqual([[0, 60, 0]]);
  raise();
  // Only the first two are in the sums now.
  expect(read(0, HOUR - 1)).toEqual([[0, 60, 58]]);
});

describe('of both stores', () => {
  it('a public reading counts where the private store has a hole', () => {
    begin(['private', 'public']);
    const others = seqs(0, 1599).filter((seq) => seq !== 77);
    append('private', others);
    append('public', [77]);
    const expected = [
      [0, 60, 0],
      [1, 60, 0],
    ];
    expect(read(0, 2 * HOUR - 1)).toEqual(expected);
    append('public', [2, 90]);
    expect(read(0, 2 * HOUR - 1)).toEqual(expected);
    append('public', seqs(2000, 2600));
    expect(read(0, 2 * HOUR - 1)).toEqual([
      [0, 60, 0],
      [1, 60, 0],
    ]);
    expect(read(33 * HOUR, 35 * HOUR - 1)).toEqual([
      [33, 40, 0],
      [34, 60, 0],
    ]);
  });

  it('the readings of one that learns of the device later count', () => {
    const { seed } = begin(['private']);
    append('private', seqs(100, 1599));
    expect(read(0, 2 * HOUR - 1)).toEqual([[1, 20, 0]]);
    stores.register({ seed }, ['public']);
    raise();
    expect(read(0, 2 * HOUR - 1)).toEqual([[1, 20, 20]]);
    append('public', seqs(0, 99));
    expect(read(0, 2 * HOUR - 1)).toEqual([
      [0, 60, 0],
      [1, 60, 20],
    ]);
  });
});

describe('made ahead', () => {
  const ahead = (rows: number, device = id) => arrivals.makeAhead(device, numbersOf(connection, device), rows);

  it('they are made page by page until all are made', () => {
    begin(['private', 'public']);
    append('private', seqs(0, 1999));
    expect([ahead(0), ahead(1), ahead(500), ahead(501)]).toEqual([true, true, true, false]);
    expect(ahead(0)).toBe(false);
    raise();
    expect(read(0, HOUR - 1)).toEqual([[0, 60, 0]]);
    append('private', seqs(2000, 2600));
    expect(ahead(0)).toBe(true);
    expect(ahead(9999)).toBe(false);
  });

  it('they are at most 30,000 hours; those of the device not used for longest make room', () => {
    const add = (hours: number) => {
      begin(['private']);
      append('private', seqs(0, hours + 500), id, HOUR);
      return id;
    };
    const [large, small, other] = [add(29_999), add(1), add(1)];
    /** Returns whether the first reading is read as it is now. */
    const isNew = (device: string) => read(0, HOUR - 1, device)[0]![2] === 1;
    expect(isNew(large)).toBe(false);
    expect(ahead(0, other)).toBe(true);
    expect(isNew(small)).toBe(false);
    expect(ahead(0, other)).toBe(false);
    raise();
    expect([isNew(small), isNew(large)]).toEqual([false, false]);
    expect(isNew(other)).toBe(true);
    expect([isNew(large), isNew(small)]).toEqual([false, true]);
  });
});
