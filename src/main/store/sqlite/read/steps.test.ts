import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { perFieldName } from '../../../../shared/protocol/fields.ts';
import { MAX_UINT64 } from '../../../../shared/protocol/uint64.ts';
import type { Axis } from '../../stores-view.ts';
import { into, RETAINED_COLUMNS } from '../file/columns.ts';
import { openForWriting } from '../file/database.ts';
import { ArrivalHours } from './arrival-hours.ts';
import { numbersOf } from './devices.ts';
import { MergedHours } from './merged-hours.ts';
import { MergedReadings } from './merged-readings.ts';
import { ReadConnection } from './read-connection.ts';
import { RetainedHours } from './retained-hours.ts';
import { countSpan, type StepSources, sumsByStep } from './steps.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** A multiple of each number of hours in a step. */
const FIRST = 488_004;
const TURN = 2n ** 63n;
const NONE = { count: 0, sealed: 0, min: null, max: null, mean: null };
/** The time of an hour, and some milliseconds more. */
const at = (hour: number, ms = 0) => (FIRST + hour) * HOUR + ms;

let stores: OwnerStoresForTest;
let connection: ReadConnection;
let sources: StepSources;
let id: string;
let kept: string;

beforeAll(() => {
  stores = new OwnerStoresForTest();
  stores.register({}, ['public']);
  id = stores.register({}, ['private', 'public']).id;
  kept = stores.register({}, ['private', 'public']).id;
  connection = ReadConnection.toBoth(stores.paths);
  const readings = new MergedReadings(connection);
  sources = {
    readings,
    hours: new MergedHours(connection, readings),
    retained: new RetainedHours(connection),
    arrivals: new ArrivalHours(connection, readings),
  };
  // One reading at each edge of an hour, and each arrives ten hours later.
  append('private', id, [at(0), at(0, HOUR - 1), at(1), at(1, 30 * MINUTE), at(2, HOUR - 1), at(3)]);
  append('public', id, [at(5), at(9)], 10);
  stores.sumUp('private');
  stores.sumUp('public');
});
afterAll(async () => {
  connection.close();
  await stores.dispose();
});

/** Appends a reading at each time, whose pH is its number. */
function append(store: StoreName, device: string, times: readonly number[], first = 1): void {
  const readings = times.map((time, index) => {
    const number = first + index;
    return { seq: BigInt(number), timestamp: BigInt(time), receivedAt: time + 10 * HOUR, fields: [number] };
  });
  stores.append(store, device, readings);
}

/** Makes the sums of hours say more than there is. */
function falsify(hours: string): void {
  for (const store of ['private', 'public'] as const) {
    const db = openForWriting(stores.paths[store]!, 'normal');
    db.exec(`UPDATE hourly_rollups SET readings = readings + 100 WHERE hour - ${FIRST} IN (${hours})`);
    db.close();
  }
}

/** Returns each step with its number of readings and its sum of pH. */
function steps(axis: Axis, from: number, to: number, stepMs: number, device = id) {
  const span = { axis, from: BigInt(from), to: BigInt(to) };
  const found = sumsByStep(sources, { id: device, numbers: numbersOf(connection, device) }, span, stepMs);
  return found.map(({ time, readings, fields: { ph } }) => [time - at(0), readings, ph.count * ph.mean!]);
}

describe('steps', () => {
  it('have their start and all sums, and at least one reading each', () => {
    const span = { axis: 'timestamp', from: BigInt(at(1)), to: BigInt(at(2)) } as const;
    expect(sumsByStep(sources, { id, numbers: numbersOf(connection, id) }, span, 2 * HOUR)).toEqual([
      {
        time: at(0),
        readings: 2,
        fields: { ...perFieldName(() => NONE), ph: { count: 2, sealed: 0, min: 3, max: 4, mean: 3.5 } },
      },
    ]);
    expect(steps('timestamp', at(6), at(8), HOUR)).toEqual([]);
  });

  it('of hours have the readings of each hour', () => {
    expect(steps('timestamp', at(0), at(10) - 1, HOUR)).toEqual([
      [0, 2, 3],
      [HOUR, 2, 7],
      [2 * HOUR, 1, 5],
      [3 * HOUR, 1, 6],
      [5 * HOUR, 1, 10],
      [9 * HOUR, 1, 11],
    ]);
  });

  it.each<[string, number, number, number[][]]>([
    [
      'whole hours',
      at(0),
      at(2) - 1,
      [
        [0, 2, 3],
        [HOUR, 2, 7],
      ],
    ],
    [
      'an edge before',
      at(0, 1),
      at(2) - 1,
      [
        [0, 1, 2],
        [HOUR, 2, 7],
      ],
    ],
    ['an edge after', at(1), at(2, HOUR - 2), [[HOUR, 2, 7]]],
    [
      'an edge of one millisecond',
      at(1),
      at(3),
      [
        [HOUR, 2, 7],
        [2 * HOUR, 1, 5],
        [3 * HOUR, 1, 6],
      ],
    ],
    [
      'both edges',
      at(0, HOUR - 1),
      at(3),
      [
        [0, 1, 2],
        [HOUR, 2, 7],
        [2 * HOUR, 1, 5],
        [3 * HOUR, 1, 6],
      ],
    ],
    [
      'no whole hour',
      at(1, 1),
      at(2, HOUR - 1),
      [
        [HOUR, 1, 4],
        [2 * HOUR, 1, 5],
      ],
    ],
    ['a part of an hour', at(1), at(1, HOUR - 2), [[HOUR, 2, 7]]],
  ])('of hours have the readings of %s', (_name, from, to, expected) => {
    expect(steps('timestamp', from, to, HOUR)).toEqual(expected);
  });

  it('of less than an hour, or of no whole hours, read each reading', () => {
    expect(steps('timestamp', at(0), at(2), 30 * MINUTE)).toEqual([
      [0, 1, 1],
      [30 * MINUTE, 1, 2],
      [HOUR, 1, 3],
      [90 * MINUTE, 1, 4],
    ]);
    expect(steps('timestamp', at(0), at(3) - 1, 90 * MINUTE)).toEqual([
      [0, 3, 6],
      [90 * MINUTE, 2, 9],
    ]);
  });

  it('by arrival are in the hours of arrival', () => {
    expect(steps('received', at(10), at(13), HOUR)).toEqual([
      [10 * HOUR, 2, 3],
      [11 * HOUR, 2, 7],
      [12 * HOUR, 1, 5],
      [13 * HOUR, 1, 6],
    ]);
    expect(steps('received', at(11, 1), at(13) - 1, HOUR)).toEqual([
      [11 * HOUR, 1, 4],
      [12 * HOUR, 1, 5],
    ]);
    expect(steps('received', at(10), at(11), 30 * MINUTE)).toEqual([
      [10 * HOUR, 1, 1],
      [10 * HOUR + 30 * MINUTE, 1, 2],
      [11 * HOUR, 1, 3],
    ]);
  });
});

it('hours with only sums count, and of an hour with both, the one with more readings', () => {
  const keep = (hour: number, readings: number) => {
    const { private: device } = numbersOf(connection, kept);
    const others = RETAINED_COLUMNS.slice(8).map((name) => (/_m(?:in|ax)$/.test(name) ? null : 0));
    const db = openForWriting(stores.paths.private, 'normal');
    const values = [device, FIRST + hour, readings, readings, 0, 1, 1, readings, ...others];
    db.prepare(`INSERT ${into('retained_hours', RETAINED_COLUMNS)}`).run(...values);
    db.close();
  };
  for (const hour of [1, 2, 3, 4]) keep(hour, 2);
  append('public', kept, [at(2), at(3), at(3, 1), at(4), at(4, 1), at(4, 2), at(5)]);
  expect(steps('timestamp', at(1), at(6) - 1, HOUR, kept)).toEqual([
    [HOUR, 2, 2],
    [2 * HOUR, 2, 2],
    [3 * HOUR, 2, 2],
    [4 * HOUR, 3, 15],
    [5 * HOUR, 1, 7],
  ]);
  expect(steps('timestamp', at(2), at(4) - 1, 2 * HOUR, kept)).toEqual([[2 * HOUR, 4, 4]]);
  expect(steps('timestamp', at(1), at(2) - 2, HOUR, kept)).toEqual([]);
});

describe('the number of readings of a span', () => {
  const count = (axis: Axis, from: bigint | number, to: bigint | number) =>
    countSpan(sources, numbersOf(connection, id), { axis, from: BigInt(from), to: BigInt(to) });

  it.each([
    ['all', 0n, MAX_UINT64, 8],
    ['whole hours', at(0), at(3) - 1, 5],
    ['an edge before', at(0, HOUR - 1), at(3) - 1, 4],
    ['edges of a millisecond', at(0, HOUR - 1), at(3), 5],
    ['no whole hour', at(0, 1), at(1, HOUR - 2), 3],
    ['one millisecond', at(1), at(1), 1],
    ['nothing', at(3, 1), at(5) - 1, 0],
  ])('counts %s', (_name, from, to, expected) => {
    expect(count('timestamp', from, to)).toBe(expected);
  });

  it('counts by arrival', () => {
    expect([count('received', at(11), at(13)), count('received', at(11, 1), at(13) - 1)]).toEqual([4, 2]);
  });

  it('counts timestamps on both sides of 2^63', () => {
    const early = numbersOf(connection, id);
    const timestamps = [TURN - 1n, TURN, MAX_UINT64];
    const readings = timestamps.map((timestamp, index) => ({
      seq: BigInt(90 + index),
      timestamp,
      receivedAt: 1,
      fields: [],
    }));
    stores.append('private', id, readings);
    const whole = { axis: 'timestamp', from: TURN - 2n, to: MAX_UINT64 } as const;
    expect(countSpan(sources, early, whole)).toBe(3);
    expect(countSpan(sources, early, { ...whole, to: TURN })).toBe(2);
  });

  it('takes whole hours from their sums, and no others', () => {
    falsify('0, 1, 2');
    expect(count('timestamp', at(0), at(3) - 1)).toBe(305);
    expect(count('timestamp', at(0, 1), at(2, HOUR - 2))).toBe(103);
    expect(count('received', at(10), at(13) - 1)).toBe(5);
    expect(steps('timestamp', at(0), at(3) - 1, 3 * HOUR)).toEqual([[0, 305, 15]]);
    expect(steps('timestamp', at(0, 1), at(2, HOUR - 2), 3 * HOUR)).toEqual([[0, 103, 9]]);
    expect(steps('timestamp', at(0), at(3) - 1, 90 * MINUTE).map(([, readings]) => readings)).toEqual([3, 2]);
  });
});
