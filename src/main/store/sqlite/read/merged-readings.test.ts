import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { TestReading } from '../../../../../test/support/readings.ts';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { perFieldName } from '../../../../shared/protocol/fields.ts';
import { MAX_UINT64 } from '../../../../shared/protocol/uint64.ts';
import type { Position } from '../../reading.ts';
import type { Axis, MergedReading, Span } from '../../stores-view.ts';
import type { DeviceNumbers } from './devices.ts';
import { type FieldsRow, MergedReadings } from './merged-readings.ts';
import { ReadConnection } from './read-connection.ts';

const MINUTE = 60_000;
const START = 488_000 * 3_600_000;
const TURN = 2n ** 63n;
const SEALED = new Uint8Array(28).fill(7);
const WHOLE = { axis: 'timestamp', from: 0n, to: MAX_UINT64 } as const;
const ALL = 1000;

let stores: OwnerStoresForTest;
let connection: ReadConnection;
let readings: MergedReadings;
/** In both stores: seqs 1 to 6 in the private one, 4 to 9 in the public one. */
let both: DeviceNumbers;
/** Both stores have timestamps and seqs on both sides of 2^63. */
let turned: DeviceNumbers;
let own: DeviceNumbers;
let strange: DeviceNumbers;

const at = (minute: number) => BigInt(START + minute * MINUTE);

/** Returns a reading whose arrival is in the reverse order of its timestamp. */
function reading(seq: number, ph: number, over: Partial<TestReading> = {}): TestReading {
  return { seq: BigInt(seq), timestamp: at(seq), receivedAt: START - seq, keyVersion: seq, fields: [ph], ...over };
}

beforeAll(() => {
  stores = new OwnerStoresForTest();
  strange = known(['public'], { public: [reading(5, 55), reading(12, 62)] });
  both = known(['private', 'public'], {
    private: [1, 2, 3, 4, 5, 6].map((seq) => reading(seq, seq)),
    public: [4, 5, 6, 7, 8, 9].map((seq) => reading(seq, 100 + seq)),
  });
  own = known(['private'], { private: [reading(2, 72), reading(7, 77)] });
  turned = known(['private', 'public'], {
    private: [
      reading(1, 1, { timestamp: TURN }),
      reading(2, 2, { timestamp: 5n, seq: TURN + 1n }),
      reading(3, 3, { timestamp: 5n, seq: 7n }),
    ],
    public: [
      reading(4, 4, { timestamp: 5n, seq: TURN }),
      reading(5, 5, { timestamp: MAX_UINT64 }),
      reading(6, 6, { timestamp: TURN - 1n }),
      reading(8, 8, { timestamp: 6n, seq: TURN + 1n }),
    ],
  });
  connection = ReadConnection.toBoth(stores.paths);
  readings = new MergedReadings(connection);
});
afterAll(async () => {
  connection.close();
  await stores.dispose();
});
afterEach(() => {
  vi.restoreAllMocks();
});

function known(names: readonly StoreName[], has: Partial<Record<StoreName, TestReading[]>>): DeviceNumbers {
  const { id } = stores.register({}, names);
  for (const name of names) stores.append(name, id, has[name]!);
  return { private: null, public: null, ...Object.fromEntries(names.map((name) => [name, stores.numberIn(name, id)])) };
}

const seqsOf = (found: readonly Position[]) => found.map(({ seq }) => seq);
const phOf = (found: readonly MergedReading[]) => found.map(({ fields }) => fields.ph);

it('returns a reading as it was stored, and its store', () => {
  expect(readings.page(both, { ...WHOLE, from: at(6), to: at(7) }, null, ALL)).toEqual([
    {
      ...{ seq: 6n, timestamp: at(6), receivedAt: START - 6, keyVersion: 6, store: 'private' },
      fields: { ...perFieldName(() => null), ph: 6 },
    },
    {
      ...{ seq: 7n, timestamp: at(7), receivedAt: START - 7, keyVersion: 7, store: 'public' },
      fields: { ...perFieldName(() => null), ph: 107 },
    },
  ]);
});

describe('the newest readings', () => {
  it.each<[Axis, number, number[]]>([
    ['timestamp', 2, [109, 108]],
    ['timestamp', 5, [109, 108, 107, 6, 5]],
    ['timestamp', 8, [109, 108, 107, 6, 5, 4, 3, 2]],
    ['received', 2, [109, 108]],
    ['received', 20, [109, 108, 107, 6, 5, 4, 3, 2, 1]],
  ])('by %s, %d of them, are the private ones where both stores have them', (axis, limit, expected) => {
    expect(phOf(readings.latest(both, axis, limit))).toEqual(expected);
  });

  it('end at a time, or at a seq', () => {
    expect(phOf(readings.latest(both, 'timestamp', 3, at(8)))).toEqual([108, 107, 6]);
    expect(phOf(readings.latest(both, 'timestamp', 3, at(8) - 1n))).toEqual([107, 6, 5]);
    expect(phOf(readings.latest(both, 'received', 3, 7n))).toEqual([107, 6, 5]);
  });

  it('are unsigned, and in the order of seq at the same time', () => {
    expect(phOf(readings.latest(turned, 'timestamp', ALL))).toEqual([5, 1, 6, 2, 4, 3]);
    expect(phOf(readings.latest(turned, 'received', ALL))).toEqual([2, 4, 3, 6, 5, 1]);
    expect(phOf(readings.latest(turned, 'timestamp', 4))).toEqual([5, 1, 6, 2]);
  });

  it('are those of one store if the other does not know the device', () => {
    expect(phOf(readings.latest(own, 'timestamp', ALL))).toEqual([77, 72]);
    expect(phOf(readings.latest(strange, 'timestamp', ALL))).toEqual([62, 55]);
    expect(readings.latest({ private: null, public: null }, 'timestamp', ALL)).toEqual([]);
  });

  it.each<[Axis, number, bigint]>([
    ['timestamp', 6, at(1)],
    ['timestamp', 7, 0n],
    ['received', 3, 4n],
  ])('by %s, %d of them, are searched in the public store from %d on', (axis, limit, from) => {
    const values: unknown[][] = [];
    const { statement } = connection;
    vi.spyOn(connection, 'statement').mockImplementation(((store: StoreName, sql: string, exact: boolean) => {
      const real = statement.call(connection, store, sql, exact);
      return {
        all: (...given: unknown[]) => {
          if (store === 'public') values.push(given);
          return real.all(...given);
        },
      };
    }) as never);
    readings.latest(both, axis, limit);
    expect(values.at(-1)!.slice(0, 2)).toEqual([both.public, from]);
  });
});

describe('pages', () => {
  /** Reads a span page by page, from its start or end. */
  function paged(numbers: DeviceNumbers, span: Span, limit: number, order?: 'ascending' | 'descending') {
    const found: MergedReading[] = [];
    for (let after: Position | null = null; ; ) {
      const page: MergedReading[] = readings.page(numbers, span, after, limit, order && { order });
      expect(page.length).toBeLessThanOrEqual(limit);
      found.push(...page);
      after = page.at(-1) ?? null;
      if (after === null) return phOf(found);
    }
  }

  const byTime = [1, 2, 3, 4, 5, 6, 107, 108, 109];
  it.each([1, 2, 3, 5, 9, 20])('of %d have each reading of both stores once, in order and in reverse', (limit) => {
    expect(paged(both, WHOLE, limit)).toEqual(byTime);
    expect(paged(both, WHOLE, limit, 'ascending')).toEqual(byTime);
    expect(paged(both, WHOLE, limit, 'descending')).toEqual(byTime.toReversed());
    expect(paged(turned, WHOLE, limit)).toEqual([3, 4, 2, 6, 1, 5]);
    expect(paged(turned, WHOLE, limit, 'descending')).toEqual([5, 1, 6, 2, 4, 3]);
    const arrived = { axis: 'received', from: BigInt(START - 8), to: BigInt(START - 2) } as const;
    expect(paged(both, arrived, limit)).toEqual(byTime.slice(1, -1));
    expect(paged(both, arrived, limit, 'descending')).toEqual(byTime.slice(1, -1).toReversed());
  });

  it('of one store are of one store', () => {
    expect(paged(own, WHOLE, 1)).toEqual([72, 77]);
    expect(paged(strange, WHOLE, 1, 'descending')).toEqual([62, 55]);
  });
});

describe('counts', () => {
  it.each<[string, Span, number, number, number]>([
    ['all', WHOLE, ALL, 9, 12],
    ['up to a limit in the first store', WHOLE, 5, 5, 5],
    ['up to a limit in the second store', WHOLE, 8, 8, 8],
    ['up to the number of rows', WHOLE, 11, 9, 11],
    ['between two times', { ...WHOLE, from: at(3), to: at(7) }, ALL, 5, 8],
    ['between two arrivals', { axis: 'received', from: BigInt(START - 8), to: BigInt(START - 5) }, ALL, 4, 6],
    ['none', { ...WHOLE, from: at(10) }, ALL, 0, 0],
  ])('%s', (_name, span, limit, expected, rows) => {
    expect(readings.count(both, span, limit)).toBe(expected);
    expect(readings.countRows(both, span, limit)).toBe(rows);
  });

  it('on both sides of 2^63, up to a limit', () => {
    expect([readings.count(turned, WHOLE, ALL), readings.count(turned, WHOLE, 4)]).toEqual([6, 4]);
    expect([readings.countRows(turned, WHOLE, ALL), readings.countRows(turned, WHOLE, 6)]).toEqual([7, 6]);
  });

  it('of one store', () => {
    expect([readings.count(own, WHOLE, ALL), readings.count(strange, WHOLE, ALL)]).toEqual([2, 2]);
    expect(readings.countRows({ private: null, public: null }, WHOLE, ALL)).toBe(0);
  });
});

describe('the first and the last timestamp', () => {
  it.each([
    [0n, TURN - 1n, 1, 9],
    [at(3) + 1n, at(5) - 1n, 4, 4],
    [at(7), at(8), 7, 8],
    [at(2), at(3), 2, 3],
  ])('are of either store, between %d and %d', (from, to, first, last) => {
    expect(readings.timestamps(both, from, to)).toEqual({ first: at(first), last: at(last) });
  });

  it('are below 2^63, whichever store they are in', () => {
    expect(readings.timestamps(turned, 0n, TURN - 1n)).toEqual({ first: 5n, last: TURN - 1n });
    const apart = known(['private', 'public'], {
      private: [reading(5, 1), reading(9, 1)],
      public: [reading(1, 1), reading(7, 1)],
    });
    expect(readings.timestamps(apart, 0n, TURN - 1n)).toEqual({ first: at(1), last: at(9) });
  });

  it('are not there without readings', () => {
    expect(readings.timestamps(both, at(9) + 1n, TURN - 1n)).toBe(null);
    expect(readings.timestamps({ private: null, public: null }, 0n, TURN - 1n)).toBe(null);
  });
});

describe('each reading of a span', () => {
  function visited(span: Parameters<MergedReadings['forEach']>[1], from?: StoreName): FieldsRow[] {
    const rows: FieldsRow[] = [];
    readings.forEach(both, span, (row) => rows.push(row), from);
    return rows;
  }
  const span = { ...WHOLE, from: at(6), to: at(7) };

  it('is visited once with its time and fields', () => {
    expect(visited(span)).toEqual([
      [Number(at(6)), 6, null, null, null, null, null],
      [Number(at(7)), 107, null, null, null, null, null],
    ]);
    const arrived = { axis: 'received', from: BigInt(START - 9), to: BigInt(START) } as const;
    expect(visited({ ...arrived, seqs: { from: 6n, to: 7n } }).map((row) => row.slice(0, 2))).toEqual([
      [START - 6, 6],
      [START - 7, 107],
    ]);
  });

  it('is visited in one store, where a public one that the private store has stays hidden', () => {
    expect(visited(span, 'private').map(([, ph]) => ph)).toEqual([6]);
    expect(visited(span, 'public').map(([, ph]) => ph)).toEqual([107]);
  });

  it('has an empty text for a sealed value', () => {
    const sealed = known(['private'], { private: [reading(1, 1, { fields: [SEALED, 2] })] });
    const rows: FieldsRow[] = [];
    readings.forEach(sealed, WHOLE, (row) => rows.push(row));
    expect(rows).toEqual([[Number(at(1)), '', 2, null, null, null, null]]);
  });
});

it('of the private store alone are those that it has', () => {
  const alone = ReadConnection.toBoth({ ...stores.paths, public: null });
  const merged = new MergedReadings(alone);
  expect(phOf(merged.latest(both, 'timestamp', 2))).toEqual([6, 5]);
  expect(seqsOf(merged.page(both, WHOLE, null, ALL))).toEqual([1n, 2n, 3n, 4n, 5n, 6n]);
  expect(merged.count(both, WHOLE, ALL)).toBe(6);
  alone.close();
});
