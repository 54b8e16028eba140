import { z } from 'zod';
import { deviceId } from '../owner-data/values.ts';
import type { StoreName } from '../protocol/codes.ts';
import { MAX_KEPT } from './limits.ts';

const MAX_DEVICES = 1000;
const DAY_MS = 86_400_000;
const DAYS_PER_WEEK = 7;

/** A retention period in days of 24 hours, weeks or calendar months. The minimum is one day. */
const span = z
  .strictObject({ count: z.int().min(1), unit: z.enum(['days', 'weeks', 'months']) })
  .refine(({ count, unit }) => count <= MAX_KEPT[unit], { error: 'longer than twenty years' });
export type KeptSpan = z.infer<typeof span>;

/** A plain number means months, the only unit of earlier versions. */
const months = z
  .int()
  .min(1)
  .max(MAX_KEPT.months)
  .transform((count): KeptSpan => ({ count, unit: 'months' }));
/** null keeps readings forever. */
const kept = z.union([span, months]).nullable();

const deviceRule = z.union([
  z.strictObject({ id: deviceId, kept }),
  z.strictObject({ id: deviceId, months: kept }).transform(({ id, months: span }) => ({ id, kept: span })),
]);

/** The retention rules, by store and by device. */
export const retention = z.strictObject({
  private: kept,
  public: kept,
  /** In the public store, for devices that are not the owner's; null for the same period as the store. */
  strangers: kept,
  /** Devices with their own period, in both stores. */
  devices: z
    .array(deviceRule)
    .max(MAX_DEVICES)
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, { error: 'a device twice' }),
});
export type Retention = z.infer<typeof retention>;

/** The default: everything is kept. */
export const NO_RETENTION: Retention = { private: null, public: null, strangers: null, devices: [] };

/** Returns how long a store keeps a device's readings; null if forever. */
export function spanKept(rules: Retention, store: StoreName, device: { id: string; isMine: boolean }): KeptSpan | null {
  const own = rules.devices.find(({ id }) => id === device.id);
  if (own !== undefined) return own.kept;
  return store === 'public' && !device.isMine ? (rules.strangers ?? rules.public) : rules[store];
}

/** Returns the time of the oldest reading to keep, in Unix milliseconds. */
export function keptSince(now: number, { count, unit }: KeptSpan): number {
  if (unit === 'months') return monthsBefore(now, count);
  return now - count * (unit === 'weeks' ? DAYS_PER_WEEK : 1) * DAY_MS;
}

/** Returns the time `count` calendar months (UTC) earlier, in Unix milliseconds. A day beyond a shorter month becomes its last day. */
function monthsBefore(now: number, count: number): number {
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}
