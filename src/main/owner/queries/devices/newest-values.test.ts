import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { TestReading } from '../../../../../test/support/readings.ts';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { FIELD_NAMES } from '../../../../shared/protocol/fields.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = 488_888 * HOUR + 10 * MINUTE;
const BOTH: StoreName[] = ['private', 'public'];
const SEALED = Buffer.alloc(32, 1);

let stores: OwnerStoresForTest;
beforeEach(() => {
  stores = new OwnerStoresForTest();
});
afterEach(() => stores.dispose());

/** Stores readings a minute apart, the last of them now; `over` returns the properties of each. */
function fill(store: StoreName, id: string, count: number, over: (index: number) => Partial<TestReading>) {
  const readings = Array.from({ length: count }, (_, index) => {
    const time = NOW - (count - 1 - index) * MINUTE;
    return { seq: BigInt(index + 1), timestamp: BigInt(time), receivedAt: time + 50, fields: [], ...over(index) };
  });
  stores.append(store, id, readings);
  stores.memory.summaries.arrived(id, 0);
}

const summaryOf = async (id: string) =>
  (await stores.ask('overview', { dayStart: 0 }, { now: NOW })).devices.find((device) => device.id === id)!;

describe('the newest value of a field', () => {
  const newestOf = async (id: string) => (await summaryOf(id)).newest;
  /** EC and water temperature with different courses. */
  const measured = (index: number) => [null, 600 + index, null, 20 + index / 10, null, null];

  it('has the age of its measurement, not of a later reading that repeats it', async () => {
    const { id } = stores.register({}, ['private']);
    fill('private', id, 60, (index) => ({ fields: measured(index) }));
    const at = NOW + 30_000;
    const entered = [5.9, ...measured(59).slice(1)];
    stores.append('private', id, [{ seq: 61n, timestamp: BigInt(at), receivedAt: at, fields: entered }]);
    stores.memory.summaries.arrived(id, at);
    const { ph, ec, humidity } = await newestOf(id);
    expect(ph).toMatchObject({ value: 5.9, seq: '61', measuredAt: at, isEntered: true });
    expect(ec).toMatchObject({ value: 659, seq: '60', measuredAt: NOW, receivedAt: NOW + 50, isEntered: false });
    expect(humidity).toBeNull();
  });

  it('that was entered manually before all latest readings is still a manual entry', async () => {
    const { id } = stores.register({}, ['private']);
    fill('private', id, 300, (index) => ({ fields: index === 10 ? [5.9, ...measured(10).slice(1)] : measured(index) }));
    stores.sumUp('private');
    expect((await newestOf(id)).ph).toMatchObject({ value: 5.9, seq: '11', isEntered: true });
  });

  it('that arrives late has its true age', async () => {
    const { id } = stores.register({}, ['private']);
    const timestamp = BigInt(NOW - 10 * DAY);
    stores.append('private', id, [{ seq: 1n, timestamp, receivedAt: NOW, fields: measured(0) }]);
    expect((await newestOf(id)).ec).toMatchObject({ measuredAt: NOW - 10 * DAY, receivedAt: NOW });
  });

  it('has no time of measurement if the clock is not set', async () => {
    const { id } = stores.register({}, ['private']);
    fill('private', id, 30, (index) => ({ timestamp: BigInt(index * MINUTE), fields: measured(index) }));
    expect((await newestOf(id)).ec).toMatchObject({ measuredAt: null, receivedAt: NOW + 50, unchangedSince: NOW + 50 });
  });

  it('has the time since which it is unchanged, also from hours before the latest readings', async () => {
    const { id } = stores.register({}, ['private']);
    // EC is the same from the 121st of 600 minutes on; the temperature changes all the time.
    const fields = (index: number) => [null, index < 120 ? 500 : 600, null, 20 + (index % 7), null, SEALED];
    fill('private', id, 600, (index) => ({ fields: fields(index) }));
    const exact = NOW - (600 - 1 - 120) * MINUTE;
    for (const step of [() => {}, () => stores.sumUp('private')]) {
      step();
      await stores.reopen();
      const { ec, tempWater, humidity } = await newestOf(id);
      // The time is exact to the hour, and never earlier than the real one.
      expect(ec!.unchangedSince).toBeGreaterThanOrEqual(exact);
      expect(ec!.unchangedSince).toBeLessThan(exact + 2 * HOUR);
      expect(tempWater!.unchangedSince).toBe(NOW);
      expect(humidity!.unchangedSince).toBeNull();
    }
  });

  it('says that it may be unchanged for longer if older readings were not examined', async () => {
    const of = async (hours: number, change: number) => {
      const { id } = stores.register({}, ['private']);
      const step = 20 * MINUTE;
      fill('private', id, hours * 3, (index) => ({
        timestamp: BigInt(NOW - (hours * 3 - 1 - index) * step),
        fields: [null, index < change * 3 ? 500 : 600, null, null, null, null],
      }));
      return (await newestOf(id)).ec!;
    };
    const long = await of(12 * 24, 0);
    expect(long.isUnchangedLonger).toBe(true);
    expect(NOW - long.unchangedSince!).toBeGreaterThanOrEqual(7 * DAY);
    expect(NOW - long.unchangedSince!).toBeLessThan(8 * DAY);
    expect((await of(12 * 24, 9 * 24)).isUnchangedLonger).toBe(false);
    expect((await of(5 * 24, 0)).isUnchangedLonger).toBe(false);
  });

  it('is the same in either store', async () => {
    const { id } = stores.register({}, BOTH);
    for (const store of BOTH) fill(store, id, 60, (index) => ({ fields: measured(index) }));
    const newest = await newestOf(id);
    for (const name of FIELD_NAMES)
      expect(newest[name]?.seq ?? null).toBe(name === 'ec' || name === 'tempWater' ? '60' : null);
  });
});
