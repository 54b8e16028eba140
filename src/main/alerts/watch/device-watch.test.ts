import { expect, it } from 'vitest';
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
