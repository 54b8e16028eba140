import { describe, expect, it } from 'vitest';
import type { StoredReading } from '../../common/node-events.ts';
import { DeviceWatch } from './device-watch.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const AT = 1_790_000_000_000;

const reading = (seq: number, receivedAt: number, timestamp = receivedAt): StoredReading => ({
  ...{ deviceId: 'ab'.repeat(32), seq: String(seq), timestamp: String(timestamp), receivedAt },
  ...{ values: { ph: 6 }, sealed: [] },
});

it('orders readings by the number of seq: the tenth is after the ninth', () => {
  const watch = new DeviceWatch();
  // The first nine have a right clock and the others have none: half of the latest twenty are enough.
  for (let seq = 1; seq <= 30; seq += 1) {
    watch.take(reading(seq, AT + seq * MINUTE, seq < 10 ? undefined : seq * MINUTE), 0);
  }
  expect(watch.isClockUnset).toBe(true);
});

it('forgets the newest time if it was an arrival by a clock that was corrected, and keeps it if it was not', () => {
  const [without, outside, fields] = [new DeviceWatch(), new DeviceWatch(), new DeviceWatch()];
  without.take(reading(1, AT, 5000), 0);
  without.move({ by: -HOUR, from: AT - MINUTE, to: AT });
  expect([without.newestAt, without.lastReceivedAt]).toEqual([Number.NEGATIVE_INFINITY, AT - HOUR]);
  outside.take(reading(1, AT, 5000), 0);
  outside.move({ by: -HOUR, from: AT - MINUTE, to: AT - 1 });
  expect([outside.newestAt, outside.lastReceivedAt]).toEqual([AT, AT]);
  fields.take(reading(1, AT), 0);
  fields.move({ by: HOUR, from: AT, to: AT });
  expect(fields.fields.get('ph')).toEqual({ receivedAt: AT + HOUR, heardAt: 0 });
});

it('takes the arrival of a value in an earlier run only if no arrival is known', () => {
  const watch = new DeviceWatch();
  watch.take(reading(1, AT), 100);
  watch.restoreField('ph', AT - HOUR, 50);
  watch.restoreField('ec', AT - HOUR, 50);
  expect(Object.fromEntries(watch.fields)).toEqual({
    ph: { receivedAt: AT, heardAt: 100 },
    ec: { receivedAt: AT - HOUR, heardAt: 50 },
  });
});

const never = Number.NEGATIVE_INFINITY;

describe('the place of a reading in time', () => {
  it('is its own time, but never after its arrival', () => {
    const watch = new DeviceWatch();
    expect(watch.take(reading(1, AT, AT - 5), 0)).toEqual({ measuredAt: AT - 5, lateMs: 0, isReset: false });
    expect(watch.take(reading(2, AT + 10, AT + 20), 0)).toEqual({ measuredAt: AT + 10, lateMs: 0, isReset: false });
    expect(watch.newestAt).toBe(AT + 10);
  });

  it('is its arrival if its time is before 2001 or the clock is not set', () => {
    const first2001 = Date.UTC(2001, 0, 1);
    expect(new DeviceWatch().take(reading(1, AT, first2001 - 1), 0)).toMatchObject({ measuredAt: AT, lateMs: 0 });
    expect(new DeviceWatch().take(reading(1, AT, first2001), 0)).toMatchObject({ measuredAt: first2001 });
  });

  it('is late by what the newest reading is ahead', () => {
    const watch = new DeviceWatch();
    watch.take(reading(1, AT), 0);
    expect(watch.take(reading(2, AT + 1, AT - 7), 0)).toEqual({ measuredAt: AT - 7, lateMs: 7, isReset: false });
    expect(watch.newestAt).toBe(AT);
  });

  it.each([
    ['not late if it arrives five minutes after it was measured', 5 * MINUTE, 0],
    ['late by its whole age if it arrives later', 5 * MINUTE + 1, 5 * MINUTE + 1],
  ])('is %s', (_name, age, lateMs) => {
    expect(new DeviceWatch().take(reading(1, AT, AT - age), 0).lateMs).toBe(lateMs);
  });

  it('is not late if the device’s clock is behind by as much as before', () => {
    const watch = new DeviceWatch();
    watch.take(reading(1, AT, AT - HOUR), 0);
    expect(watch.take(reading(2, AT + MINUTE, AT + MINUTE - HOUR), 0).lateMs).toBe(0);
    expect(watch.take(reading(3, AT + 2 * MINUTE, AT + MINUTE - HOUR + 1), 0).lateMs).toBeGreaterThan(HOUR);
  });
});

describe('earlier times no longer count', () => {
  it.each([
    [30_000, false],
    [30_001, true],
  ])('if a reading arrives %d ms before the last one: %s', (back, isReset) => {
    const watch = new DeviceWatch();
    watch.take(reading(1, AT), 0);
    expect(watch.take(reading(2, AT - back), 0)).toEqual({
      ...{ measuredAt: AT - back, isReset },
      lateMs: isReset ? 0 : back,
    });
    expect(watch.newestAt).toBe(isReset ? AT - back : AT);
  });

  it('if the clock turns out not to be set, unless that moves the reading by little', () => {
    const ahead = new DeviceWatch();
    ahead.take(reading(1, AT), 0);
    // A date in the year 1970 is the arrival in either case.
    expect(ahead.take(reading(2, AT + MINUTE, 5000), 0).isReset).toBe(false);
    expect([ahead.take(reading(3, AT + 2 * MINUTE, 6000), 0).isReset, ahead.isClockUnset]).toEqual([false, true]);
    const back = AT + 3 * MINUTE;
    expect([ahead.take(reading(4, back), 0).isReset, ahead.isClockUnset]).toEqual([false, false]);
    const behind = new DeviceWatch();
    const day = 25 * HOUR;
    behind.take(reading(1, AT, AT - day), 0);
    expect(behind.newestAt).toBe(AT - day);
    expect(behind.take(reading(2, AT + MINUTE, AT + MINUTE - day), 0).isReset).toBe(false);
    const third = behind.take(reading(3, AT + 2 * MINUTE, AT + 2 * MINUTE - day), 0);
    expect([third, behind.isClockUnset]).toEqual([{ measuredAt: AT + 2 * MINUTE, lateMs: 0, isReset: true }, true]);
  });
});

it('judges the clock by its latest twenty readings', () => {
  const watch = new DeviceWatch();
  const wrongAfter = (rights: number, wrongs: number) => {
    const judged = new DeviceWatch();
    for (let seq = 1; seq <= rights + wrongs; seq += 1) {
      judged.take(reading(seq, AT + seq * MINUTE, seq > rights ? 5000 + seq : undefined), 0);
    }
    return judged.isClockUnset;
  };
  expect(watch.isClockUnset).toBe(false);
  expect([wrongAfter(1, 1), wrongAfter(1, 2)]).toEqual([false, true]);
  expect([wrongAfter(40, 10), wrongAfter(40, 11)]).toEqual([false, true]);
  // Wrong ones that are more than twenty readings ago are forgotten.
  const set = new DeviceWatch();
  for (let seq = 1; seq <= 40; seq += 1) set.take(reading(seq, AT + seq * MINUTE, seq > 30 ? undefined : seq), 0);
  expect(set.isClockUnset).toBe(false);
});

it('knows the usual interval of the latest fifty readings once there are enough', () => {
  const watch = new DeviceWatch();
  expect(watch.usualInterval).toBeNull();
  let at = AT;
  let seq = 0;
  const add = (count: number, every: number) => {
    for (let each = 0; each < count; each += 1) {
      seq += 1;
      at += every;
      watch.take(reading(seq, at), 0);
    }
    return watch.usualInterval;
  };
  expect([add(3, MINUTE), add(1, MINUTE)]).toEqual([null, MINUTE]);
  expect([add(50, MINUTE), add(24, HOUR), add(1, HOUR), add(1, HOUR)]).toEqual([MINUTE, MINUTE, HOUR, HOUR]);
  // A repeated or older reading says nothing about the interval.
  watch.take(reading(seq, at + 9 * HOUR), 0);
  watch.take(reading(1, at + 10 * HOUR), 0);
  expect(watch.usualInterval).toBe(HOUR);
});

it('ignores for the clock what is not newer than the newest', () => {
  const last = (seq: string) => {
    const watch = new DeviceWatch();
    watch.take({ ...reading(19, AT), seq: '19' }, 0);
    for (const each of [1, 2]) watch.take({ ...reading(0, AT + each * MINUTE, 5000 + each), seq }, 0);
    return watch.isClockUnset;
  };
  // Two readings without a clock outweigh one with a right one.
  expect(['18', '19', '9', '09'].map(last)).toEqual([false, false, false, false]);
  const newer = new DeviceWatch();
  newer.take(reading(19, AT), 0);
  newer.take(reading(20, AT + MINUTE, 5000), 0);
  newer.take(reading(100, AT + 2 * MINUTE, 5001), 0);
  expect(newer.isClockUnset).toBe(true);
});

describe('the arrival', () => {
  it('is that of the latest reading, and for each field that of its latest value', () => {
    const watch = new DeviceWatch();
    expect([watch.lastReceivedAt, watch.heardAt]).toEqual([null, never]);
    watch.take({ ...reading(1, AT), values: { ph: 6, ec: 1 } }, 5);
    watch.take({ ...reading(2, AT + 1), values: { ec: 1 }, sealed: ['tempWater'] }, 6);
    expect([watch.lastReceivedAt, watch.heardAt]).toEqual([AT + 1, 6]);
    expect(Object.fromEntries(watch.fields)).toEqual({
      ph: { receivedAt: AT, heardAt: 5 },
      ec: { receivedAt: AT + 1, heardAt: 6 },
      tempWater: { receivedAt: AT + 1, heardAt: 6 },
    });
  });

  it('of a reading with a value that was entered by hand counts for that field only', () => {
    const watch = new DeviceWatch();
    watch.take({ ...reading(1, AT), values: { ec: 1 } }, 5);
    // Both repeat what was measured before, and add a pH.
    watch.take({ ...reading(2, AT + 1), values: { ec: 1, ph: 6 } }, 6);
    watch.take({ ...reading(3, AT + 2), values: { ec: 1, ph: 7 } }, 7);
    expect(Object.fromEntries(watch.fields)).toEqual({
      ec: { receivedAt: AT, heardAt: 5 },
      ph: { receivedAt: AT + 2, heardAt: 7 },
    });
    watch.take({ ...reading(4, AT + 3), values: { ec: 2, ph: 7 } }, 8);
    expect(watch.fields.get('ec')).toEqual({ receivedAt: AT + 3, heardAt: 8 });
  });

  it('shows which fields were sealed last', () => {
    const watch = new DeviceWatch();
    watch.take({ ...reading(1, AT), values: { ec: 1 }, sealed: ['ph', 'tempWater'] }, 0);
    expect([...watch.sealed]).toEqual(['ph', 'tempWater']);
    watch.take({ ...reading(2, AT), values: { ph: 6 }, sealed: [] }, 0);
    expect([...watch.sealed]).toEqual(['tempWater']);
  });

  it.each([
    [AT, AT, true],
    [AT - 1, AT, true],
    [AT, AT + 1, true],
    [AT + 1, AT + 2, false],
    [AT - 2, AT - 1, false],
  ])('moves if it is within the corrected span from %d to %d: %s', (from, to, isMoved) => {
    const watch = new DeviceWatch();
    watch.take(reading(1, AT, AT - HOUR), 9);
    watch.move({ by: -MINUTE, from, to });
    const receivedAt = isMoved ? AT - MINUTE : AT;
    expect([watch.lastReceivedAt, watch.fields.get('ph')]).toEqual([receivedAt, { receivedAt, heardAt: 9 }]);
    expect(watch.newestAt).toBe(AT - HOUR);
  });
});

it('judges the clock again after the times of arrival moved', () => {
  const watch = new DeviceWatch();
  watch.move({ by: 1, from: 0, to: AT });
  expect(watch.lastReceivedAt).toBeNull();
  // The node's clock was two hours behind, so the device seemed to be ahead.
  for (let seq = 1; seq <= 4; seq += 1) watch.take(reading(seq, AT + seq * MINUTE, AT + 2 * HOUR + seq * MINUTE), 0);
  expect(watch.isClockUnset).toBe(true);
  watch.move({ by: 2 * HOUR, from: AT, to: AT + HOUR });
  expect([watch.isClockUnset, watch.usualInterval]).toEqual([false, MINUTE]);
  watch.move({ by: -2 * HOUR, from: AT, to: AT + 9 * HOUR });
  expect(watch.isClockUnset).toBe(true);
});
