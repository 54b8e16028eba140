import { z } from 'zod';
import type { StoreName } from '../protocol/codes.ts';
import { MAX_MONTHS_KEPT } from './limits.ts';
import { deviceId } from './values.ts';

const MAX_DEVICES = 1000;

/** How long readings are kept, in months; null: for ever. */
const months = z.int().min(1).max(MAX_MONTHS_KEPT).nullable();

/** How long readings are kept, by store and by device. */
export const retention = z.strictObject({
  private: months,
  public: months,
  /** In the public store, of devices that are not the owner's; null: as long as the store's other readings. */
  strangers: months,
  /** Devices with a time of their own, in both stores. */
  devices: z
    .array(z.strictObject({ id: deviceId, months }))
    .max(MAX_DEVICES)
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, { error: 'a device twice' }),
});
export type Retention = z.infer<typeof retention>;

/** Everything is kept until the owner says otherwise. */
export const NO_RETENTION: Retention = { private: null, public: null, strangers: null, devices: [] };

/** How many months of a device's readings a store keeps; null: all. */
export function monthsKept(rules: Retention, store: StoreName, device: { id: string; isMine: boolean }): number | null {
  const own = rules.devices.find(({ id }) => id === device.id);
  if (own !== undefined) return own.months;
  return store === 'public' && !device.isMine ? (rules.strangers ?? rules.public) : rules[store];
}

/** The time so many calendar months (UTC) before another, in Unix milliseconds; on the last day of a shorter month. */
export function monthsBefore(now: number, count: number): number {
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}
