import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import { into, RETAINED_COLUMNS, ROLLUP_COLUMNS } from '../file/columns.ts';
import { openForWriting } from '../file/database.ts';
import { ReadConnection } from './read-connection.ts';
import { copyBytesOf, type HeldDevice, hoursHeldOf, rowBytesOf } from './row-bytes.ts';

const HOUR = 3_600_000;
const FIRST = 488_000;
/** Four bytes of its cell, one for each of 16 columns, and its values: here and in both indexes. */
const READING = 4 + 16 + (1 + 2 + 6 + 6 + 0 + 8 + 1) + (4 + 5 + 1 + 6 + 2) + (4 + 3 + 1 + 1 + 2);
/** The hour has three bytes, seqs two, times six, each number of a field eight. */
const ROLLUP = 4 + 38 + (1 + 3 + 1 + 0 + 2 + 2 + 6 + 6) + (1 + 0 + 24) + 5 * 8;
const RETAINED = 4 + 33 + (1 + 3 + 1) + (1 + 0 + 24) + 5 * 8;
const PH = [2, 0, 7, 8, 15];
const OTHERS = Array.from({ length: 5 }, () => [0, 0, null, null, 0]).flat();

let stores: OwnerStoresForTest;
let connection: ReadConnection;
let held: HeldDevice;
let facts: { readonly pageBytes: number; readonly usedBytes: number; readonly tables: number };
/** The number of hashed leaves. */
let leaves: number;

function execute(run: (db: ReturnType<typeof openForWriting>) => void): void {
  const db = openForWriting(stores.paths.public!, 'normal');
  db.pragma('foreign_keys = OFF');
  run(db);
  db.close();
}

beforeAll(() => {
  stores = new OwnerStoresForTest();
  const other = stores.register({}, ['public']).id;
  const { id } = stores.register({}, ['public']);
  const device = stores.numberIn('public', id);
  expect(device).toBe(2);
  stores.append('public', id, [
    { seq: 300n, timestamp: BigInt(FIRST * HOUR), receivedAt: FIRST * HOUR, fields: [7] },
    { seq: 301n, timestamp: BigInt(FIRST * HOUR), receivedAt: FIRST * HOUR, fields: [8] },
  ]);
  const many = Array.from({ length: 1500 }, (_, index) => {
    return { seq: BigInt(index), timestamp: BigInt(FIRST * HOUR + index), receivedAt: 1, fields: [] };
  });
  stores.append('public', other, many);
  const times = [FIRST * HOUR, FIRST * HOUR];
  execute((db) => {
    db.exec('UPDATE readings SET entry = NULL; UPDATE readings SET entry = seq - 290 WHERE device = 2');
    db.prepare(`INSERT ${into('hourly_rollups', ROLLUP_COLUMNS)}`).run(
      2,
      FIRST,
      2,
      0,
      300,
      301,
      ...times,
      ...PH,
      ...OTHERS,
    );
    db.prepare('UPDATE log_state SET size = 10').run();
  });
  leaves = 10;
  connection = ReadConnection.toBoth(stores.paths);
  held = { id, device, readings: 2 };
  read();
});
afterAll(async () => {
  connection.close();
  await stores.dispose();
});

/** Reads what the store's size is made of. */
function read(): void {
  execute((db) => {
    const { pageBytes, usedBytes } = connection.pages('public');
    const tables = db.prepare('SELECT count(*) FROM sqlite_schema WHERE rootpage > 0').pluck().get() as number;
    facts = { pageBytes, usedBytes, tables };
  });
}

/** Returns the bytes of the store's pages that rows of devices may take. */
const ofRows = () => facts.usedBytes - leaves * 43 - facts.tables * facts.pageBytes;
const bytesOf = (device: HeldDevice) => rowBytesOf(connection, 'public', [device]).get(device.id)!;
/** Returns about as many readings as would make the pages a number of times as large as their rows. */
const readingsFor = (perByte: number) => Math.round((ofRows() / perByte - ROLLUP) / READING);

describe('the bytes of new rows', () => {
  it('are three times their length at most, as for a store that is nearly empty', () => {
    expect(bytesOf(held)).toEqual({
      ...{ reading: READING * 3, hour: ROLLUP * 3, retainedHour: expect.closeTo(ROLLUP * 0.85 * 3, 6) },
      ...{ packed: 1, leaf: 43 },
    });
  });

  it.each([
    [2, 2, 1],
    [1.3, 1.3, 1],
    [1.1, 1.14, 1.1 / 1.14],
    [0.5, 1.14, 1 / 1.14],
  ])('are their length and the room beside them: pages %d times as large', (found, perByte, packed) => {
    const { reading, hour, ...rest } = bytesOf({ ...held, readings: readingsFor(found) });
    expect(reading / READING).toBeCloseTo(perByte, 2);
    expect(hour / ROLLUP).toBeCloseTo(reading / READING, 9);
    expect(rest.packed).toBeCloseTo(packed, 2);
  });

  it('are exact', () => {
    const readings = readingsFor(2);
    const found = ofRows() / (readings * READING + ROLLUP);
    expect(bytesOf({ ...held, readings }).reading).toBeCloseTo(READING * found, 9);
    const [first, second] = [
      { ...held, readings: Math.floor(readings / 2) },
      { ...held, id: 'other', readings: 7 },
    ];
    const both = rowBytesOf(connection, 'public', [first, second]);
    const perByte = Math.min(3, ofRows() / ((first.readings + 7) * READING + 2 * ROLLUP));
    expect([...both].map(([id, { reading }]) => [id, reading])).toEqual([
      [held.id, expect.closeTo(READING * perByte, 9)],
      ['other', expect.closeTo(READING * perByte, 9)],
    ]);
  });

  it('are not there without rows', () => {
    expect(rowBytesOf(connection, 'public', [])).toEqual(new Map());
    expect(bytesOf({ id: 'none', device: 77, readings: 0 })).toEqual({
      ...{ reading: 0, hour: 0, retainedHour: 0, leaf: 43, packed: 1 / 1.14 },
    });
  });

  it('of a store without a log have no room for it', () => {
    execute((db) => db.exec('UPDATE log_state SET size = 0'));
    leaves = 0;
    const found = ofRows() / (readingsFor(2) * READING + ROLLUP);
    expect(bytesOf({ ...held, readings: readingsFor(2) }).reading).toBeCloseTo(READING * found, 9);
    execute((db) => db.exec('DELETE FROM log_state'));
    expect(bytesOf({ ...held, readings: readingsFor(2) }).reading).toBeCloseTo(READING * found, 9);
    execute((db) => db.exec('INSERT INTO log_state VALUES (1, 10)'));
    leaves = 10;
  });
});

describe('a compact copy', () => {
  it('has the rows in full pages, the log and a page for each table', () => {
    const expected = Math.round((1000 * READING + ROLLUP) * 1.04) + leaves * 43 + facts.tables * facts.pageBytes;
    expect(copyBytesOf(connection, 'public', [{ ...held, readings: 1000 }])).toBe(expected);
  });

  it('is never larger than the store', () => {
    expect(copyBytesOf(connection, 'public', [{ ...held, readings: 1e7 }])).toBe(facts.usedBytes);
  });
});

describe('a row', () => {
  const alter = (sql: string) => execute((db) => db.exec(`UPDATE readings SET ${sql} WHERE device = 2`));
  /** Returns how much longer a reading is than before. */
  const more = () => bytesOf({ ...held, readings: 0 }).reading / 3 - READING;

  it.each([
    [0, 0],
    [1, 0],
    [2, 1],
    [-1, 1],
    [127, 1],
    [128, 2],
    [-128, 1],
    [-129, 2],
    [2 ** 15 - 1, 2],
    [2 ** 15, 3],
    [2 ** 23 - 1, 3],
    [2 ** 23, 4],
    [2 ** 31 - 1, 4],
    [2 ** 31, 6],
    [2 ** 47 - 1, 6],
    [2 ** 47, 8],
  ])('has the whole number %d in %d bytes', (value, bytes) => {
    alter(`key_version = ${value}`);
    expect(more()).toBeCloseTo(bytes, 6);
    alter('key_version = 0');
  });

  it('has texts and bytes with their length, and nothing for what is absent', () => {
    alter("first_arrival = '12345', signature = zeroblob(64), ph = NULL");
    expect(more()).toBeCloseTo(5 + 64 - 8, 6);
    alter('first_arrival = NULL, signature = NULL, ph = 1, ec = 0, humidity = 2.5');
    expect(more()).toBeCloseTo(16, 6);
    alter('ph = 7, ec = NULL, humidity = NULL');
  });

  it('is in the index of entries only if it has one', () => {
    alter('entry = NULL');
    expect(more()).toBeCloseTo(-1 - (4 + 3 + 1 + 1 + 2), 6);
    execute((db) => db.exec('UPDATE readings SET entry = seq - 290 WHERE device = 2'));
    expect(more()).toBeCloseTo(0, 6);
  });

  it('is measured by the newest 100 readings and 20 hours', () => {
    execute((db) => {
      const add = db.prepare(
        'INSERT INTO readings (device, seq, timestamp, received_at, key_version) VALUES (4, ?, 0, 0, ?)',
      );
      for (let seq = 200; seq < 301; seq += 1) add.run(seq, seq === 200 ? 2 ** 50 : seq === 201 ? 2 : 0);
      const hour = db.prepare(`INSERT ${into('hourly_rollups', ROLLUP_COLUMNS)}`);
      for (let nth = 0; nth < 21; nth += 1) {
        hour.run(4, FIRST + nth, nth === 0 ? 2 ** 50 : nth === 1 ? 2 : 0, 0, 300, 301, 0, 0, ...PH, ...OTHERS);
      }
    });
    const { reading, hour } = bytesOf({ id: 'four', device: 4, readings: 0 });
    expect(reading / 3).toBeCloseTo(4 + 16 + 1 + 2 + 4 + 5 + 1 + 2 + 0.01, 6);
    expect(hour / 3).toBeCloseTo(ROLLUP - 6 - 6 - 1 + 0.05, 6);
    execute((db) => db.exec('DELETE FROM readings WHERE device = 4; DELETE FROM hourly_rollups WHERE device = 4'));
  });
});

it('hours with only sums are measured, and take their part', () => {
  execute((db) => {
    for (const hour of [1, 2]) {
      db.prepare(`INSERT ${into('retained_hours', RETAINED_COLUMNS)}`).run(2, FIRST - hour, 2, ...PH, ...OTHERS);
    }
  });
  const readings = readingsFor(2);
  const found = ofRows() / (readings * READING + ROLLUP + 2 * RETAINED);
  const { reading, retainedHour } = bytesOf({ ...held, readings });
  expect(reading).toBeCloseTo(READING * found, 9);
  expect(retainedHour).toBeCloseTo(RETAINED * found, 9);
});

it('the hours that a store has are those from one to another', () => {
  execute((db) => {
    const hour = db.prepare(`INSERT ${into('hourly_rollups', ROLLUP_COLUMNS)}`);
    for (const nth of [3, 5]) hour.run(2, FIRST + nth, nth, 0, 1, 1, 0, 0, ...PH, ...OTHERS);
  });
  const between = (from: number, to: number) => hoursHeldOf(connection, 'public', 2, FIRST + from, FIRST + to);
  expect(between(0, 6)).toEqual({ hours: 3, readings: 10, firstHour: FIRST });
  expect(between(1, 6)).toEqual({ hours: 2, readings: 8, firstHour: FIRST + 3 });
  expect(between(3, 5)).toEqual({ hours: 1, readings: 3, firstHour: FIRST + 3 });
  expect(between(6, 9)).toEqual({ hours: 0, readings: 0, firstHour: null });
});
