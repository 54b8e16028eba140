import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { MAX_READINGS_RETURNED } from '../../../../shared/protocol/limits.ts';
import { UPTIME_BELOW_MS } from '../../../common/device-clock.ts';
import { into, RETAINED_COLUMNS } from '../file/columns.ts';
import { openForWriting } from '../file/database.ts';
import type { DeviceNumbers } from './devices.ts';
import { ReadConnection } from './read-connection.ts';
import { RetainedHours } from './retained-hours.ts';

const HOUR = 3_600_000;
const FIRST = 488_000;
/** The time of an hour, and some milliseconds more. */
const at = (hour: number, ms = 0) => (FIRST + hour) * HOUR + ms;
/** When the newest readings, which stay, were measured. */
const NEWEST = at(100, 10_000);
const UPTIME = Number(UPTIME_BELOW_MS);

let stores: OwnerStoresForTest;
let connection: ReadConnection;
let retained: RetainedHours;
beforeAll(() => {
  stores = new OwnerStoresForTest();
  stores.register({}, ['public']);
  connection = ReadConnection.toBoth(stores.paths);
  retained = new RetainedHours(connection);
});
afterAll(async () => {
  connection.close();
  await stores.dispose();
});

function known(names: readonly StoreName[] = ['private', 'public']): { id: string; numbers: DeviceNumbers } {
  const { id } = stores.register({}, names);
  const numberIn = (name: StoreName) => (names.includes(name) ? stores.numberIn(name, id) : null);
  return { id, numbers: { private: numberIn('private'), public: numberIn('public') } };
}

function insert(store: StoreName, table: string, columns: readonly string[], ...values: (number | null)[]): void {
  const db = openForWriting(stores.paths[store], 'normal');
  db.prepare(`INSERT ${into(table, columns)}`).run(...values);
  db.close();
}

describe('hours with only sums', () => {
  /** Keeps sums of an hour: its readings, and a value of pH. */
  function keep(store: StoreName, numbers: DeviceNumbers, hour: number, readings: number, ph: number): void {
    const others = RETAINED_COLUMNS.slice(8).map((name) => (/_m(?:in|ax)$/.test(name) ? null : 0));
    const values = [numbers[store], FIRST + hour, readings, 2, 1, ph, ph + 1, 2 * ph + 1, ...others];
    insert(store, 'retained_hours', RETAINED_COLUMNS, ...values);
  }

  it('are between two hours those of the store that had more readings', () => {
    const { numbers } = known();
    keep('private', numbers, 1, 5, 10);
    keep('private', numbers, 2, 5, 20);
    keep('public', numbers, 2, 5, 21);
    keep('private', numbers, 3, 5, 30);
    keep('public', numbers, 3, 6, 31);
    keep('private', numbers, 4, 5, 40);
    keep('public', numbers, 4, 4, 41);
    keep('public', numbers, 5, 1, 51);
    const between = (from: number, to: number) =>
      [...retained.between(numbers, FIRST + from, FIRST + to)].map(([hour, sums]) => [
        hour - FIRST,
        sums.readings,
        sums.min[0],
      ]);
    expect(between(0, 9)).toEqual([
      [1, 5, 10],
      [2, 5, 20],
      [3, 6, 31],
      [4, 5, 40],
      [5, 1, 51],
    ]);
    expect(between(2, 4)).toEqual([
      [2, 5, 20],
      [3, 6, 31],
      [4, 5, 40],
    ]);
    expect(between(6, 9)).toEqual([]);
    const { ph, ec } = retained
      .between(numbers, FIRST + 3, FIRST + 3)
      .get(FIRST + 3)!
      .toStep(0).fields;
    expect(ph).toEqual({ count: 2, sealed: 1, min: 31, max: 32, mean: 31.5 });
    expect(ec).toEqual({ count: 0, sealed: 0, min: null, max: null, mean: null });
    const only = retained.between({ ...numbers, private: null }, FIRST, FIRST + 2);
    expect([...only.values()].map(({ min }) => min[0])).toEqual([21]);
  });

  it('have a first one between two hours in either store', () => {
    const { numbers } = known();
    const first = (from: number, to: number) => retained.first(numbers, FIRST + from, FIRST + to);
    expect(first(0, 99)).toBe(null);
    keep('private', numbers, 7, 1, 1);
    keep('private', numbers, 5, 1, 1);
    keep('public', numbers, 3, 1, 1);
    expect([first(0, 99), first(3, 3), first(4, 99), first(6, 7)]).toEqual([3, 3, 5, 7].map((hour) => FIRST + hour));
    expect([first(0, 2), first(4, 4), first(8, 99)]).toEqual([null, null, null]);
  });

  it('end with the hour since which nothing was deleted in any store', () => {
    const { numbers } = known();
    expect(retained.keptFrom(numbers)).toBe(null);
    insert('private', 'retention', ['device', 'kept_from'], numbers.private, FIRST + 7);
    expect(retained.keptFrom(numbers)).toBe(FIRST + 7);
    expect(retained.keptFrom({ ...numbers, private: null })).toBe(null);
    insert('public', 'retention', ['device', 'kept_from'], numbers.public, FIRST + 5);
    expect([retained.keptFrom(numbers), retained.keptFrom({ ...numbers, private: null })]).toEqual([
      FIRST + 7,
      FIRST + 5,
    ]);
  });
});

/** The timestamp of a reading, and its time of arrival. */
type Times = readonly [timestamp: number, receivedAt: number];

/** Returns a device with old readings, and with the newest ones, which always stay. */
function aged(old: readonly Times[], { newest = NEWEST, most = MAX_READINGS_RETURNED } = {}) {
  const device = known(['public']);
  const late: Times[] = Array.from({ length: most }, (_, index) => [newest + index, at(100, 20_000)]);
  add(device.id, [...old, ...late], 0);
  return device;
}

function add(id: string, times: readonly Times[], seq = 1000): void {
  stores.append(
    'public',
    id,
    times.map(([timestamp, receivedAt], index) => {
      return { seq: BigInt(seq + index), timestamp: BigInt(timestamp), receivedAt, fields: [1] };
    }),
  );
}

describe.each([true, false])('the readings to delete before a time, if their hours have sums: %s', (isSummed) => {
  const count = ({ numbers }: { readonly numbers: DeviceNumbers }, before: number) => {
    if (isSummed) stores.sumUp('public');
    return retained.countBefore('public', numbers.public!, before);
  };
  const live = (hour: number, ms = 0): Times => [at(hour, ms), at(hour, ms + 5)];

  it('are those of whole hours', () => {
    const device = aged([live(0), live(0, 1), live(0, HOUR - 6), live(49), live(49, 9), live(50)]);
    const found = [at(50), at(50) - 1, at(49), at(51), at(1), at(0), at(900)].map((before) => count(device, before));
    expect(found).toEqual([5, 3, 3, 6, 3, 0, 6]);
  });

  it('are not the newest ones, nor others of their hour', () => {
    const old = [live(99, 7), live(100)];
    expect(count(aged(old), at(900))).toBe(1);
    expect(count(aged(old, { most: MAX_READINGS_RETURNED - 1 }), at(900))).toBe(1);
    expect(count(aged(old, { most: MAX_READINGS_RETURNED - 2 }), at(900))).toBe(0);
    expect(count(aged([live(0)], { most: MAX_READINGS_RETURNED - 2 }), at(900))).toBe(0);
  });

  it('are none of an hour in which one arrived later', () => {
    const [before, early] = [at(60), live(5)];
    expect(count(aged([early, [at(5, 1), before]]), before)).toBe(0);
    expect(count(aged([early, [at(5, 1), before - 1]]), before)).toBe(2);
  });

  it('are counted once, also if an hour got more of them', () => {
    const device = aged([live(0), live(1), [at(60), at(49)]]);
    expect(count(device, at(50))).toBe(3);
    add(device.id, [live(0, 9), [at(60, 9), at(49)]], 5000);
    expect(retained.countBefore('public', device.numbers.public!, at(50))).toBe(5);
  });

  it('are ahead also in the hour of the first one that stays', () => {
    const ahead: Times[] = [NEWEST - 1, NEWEST].map((timestamp) => [timestamp, at(1)]);
    const device = aged(ahead, { most: MAX_READINGS_RETURNED - 1 });
    add(device.id, [live(101)], 5000);
    expect(count(device, at(50))).toBe(1);
  });

  it('are those of a device without a clock by their arrival', () => {
    const before = at(50);
    const device = aged([
      [7, before - 1],
      [8, before],
      [UPTIME - 1, 9],
      [UPTIME, 9],
      [HOUR, before - 1],
    ]);
    expect(count(device, before)).toBe(4);
    const clockless = aged(
      [
        [1, 5],
        [2, before],
        [5000, 5],
      ],
      { newest: 5000 },
    );
    expect(count(clockless, before)).toBe(1);
    // This node's clock was not set either.
    expect(count(aged([[10 * HOUR, 1]]), before)).toBe(1);
  });

  it('are those that are dated ahead of their arrival', () => {
    const before = at(50);
    const ahead = (timestamp: number, by: number): Times => [timestamp, timestamp - by];
    expect(count(aged([ahead(at(60), 11 * HOUR), ahead(at(49, 5), 20 * HOUR)]), before)).toBe(2);
    expect(count(aged([ahead(at(50, 10), HOUR), ahead(at(50, 20), HOUR + 1), live(50)]), before)).toBe(1);
    expect(
      count(
        aged([
          [at(60), before],
          [at(60, 1), before - 1],
        ]),
        before,
      ),
    ).toBe(1);
    expect(
      count(
        aged([
          [NEWEST - 1, at(1)],
          [NEWEST, at(1)],
        ]),
        before,
      ),
    ).toBe(1);
    expect(count(aged([[at(101), at(1)]]), before)).toBe(0);
  });

  it('are ahead only in a store that has any reading without a time, or dated later', () => {
    const before = at(900);
    const hour: Times[] = [
      [at(60), at(50)],
      [at(60, 1), before],
    ];
    expect(count(aged(hour), before)).toBe(0);
    expect(count(aged([...hour, [0, before]]), before)).toBe(1);
    expect(count(aged([...hour, [UPTIME - 1, before]]), before)).toBe(1);
    expect(count(aged([...hour, [UPTIME, before]]), before)).toBe(0);
    expect(count(aged([...hour, [before - 1, before]]), before)).toBe(0);
    expect(count(aged([...hour, [before, before]]), before)).toBe(1);
  });
});
