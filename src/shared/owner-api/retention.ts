import { z } from 'zod';
import { deviceId } from '../owner-data/values.ts';
import type { StoreName } from '../protocol/codes.ts';
import { MAX_KEPT } from './limits.ts';

const MAX_DEVICES = 1000;
const DAY_MS = 86_400_000;
const DAYS_PER_WEEK = 7;

/** How long readings are kept: so many days of 24 hours, weeks or calendar months. One day is the least. */
const span = z
  .strictObject({ count: z.int().min(1), unit: z.enum(['days', 'weeks', 'months']) })
  .refine(({ count, unit }) => count <= MAX_KEPT[unit], { error: 'longer than twenty years' });
export type KeptSpan = z.infer<typeof span>;

/** A bare number is months: earlier versions knew no other unit. */
const months = z
  .int()
  .min(1)
  .max(MAX_KEPT.months)
  .transform((count): KeptSpan => ({ count, unit: 'months' }));
/** null for ever. */
const kept = z.union([span, months]).nullable();

const deviceRule = z.union([
  z.strictObject({ id: deviceId, kept }),
  z.strictObject({ id: deviceId, months: kept }).transform(({ id, months: span }) => ({ id, kept: span })),
]);

/** How long readings are kept, by store and by device. */
export const retention = z.strictObject({
  private: kept,
  public: kept,
  /** In the public store, of devices that are not the owner's; null: as long as the store's other readings. */
  strangers: kept,
  /** Devices with a time of their own, in both stores. */
  devices: z
    .array(deviceRule)
    .max(MAX_DEVICES)
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, { error: 'a device twice' }),
});
export type Retention = z.infer<typeof retention>;

/** Everything is kept until the owner says otherwise. */
export const NO_RETENTION: Retention = { private: null, public: null, strangers: null, devices: [] };

/** How long a store keeps a device's readings; null: for ever. */
export function spanKept(rules: Retention, store: StoreName, device: { id: string; isMine: boolean }): KeptSpan | null {
  const own = rules.devices.find(({ id }) => id === device.id);
  if (own !== undefined) return own.kept;
  return store === 'public' && !device.isMine ? (rules.strangers ?? rules.public) : rules[store];
}

/** The time from which on readings are kept, in Unix milliseconds. */
export function keptSince(now: number, { count, unit }: KeptSpan): number {
  if (unit === 'months') return monthsBefore(now, count);
  return now - count * (unit === 'weeks' ? DAYS_PER_WEEK : 1) * DAY_MS;
}

/** The time so many calendar months (UTC) before another, in Unix milliseconds; on the last day of a shorter month. */
function monthsBefore(now: number, count: number): number {
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}
