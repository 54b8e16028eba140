import { z } from 'zod';
import { deviceId, storeName, timeMs } from '../owner-data/values.ts';
import { deviceSummary } from './devices.ts';
import type { Methods } from './method.ts';
import { count } from './values.ts';

/** A device that sends without being registered, merged over the stores that it meant in the last 24 hours. */
export const unregisteredDevice = z.strictObject({
  id: deviceId,
  stores: z.array(storeName).min(1),
  /** It is the owner's as far as the node can tell: `mine`, or meant for the private store. Strangers count for no alert. */
  isOurs: z.boolean(),
  attempts: count,
  firstAt: timeMs,
  lastAt: timeMs,
  lastError: z.string(),
});
export type UnregisteredDevice = z.infer<typeof unregisteredDevice>;

export const overview = z.strictObject({
  now: timeMs,
  /** The owner's, and of the claimed ones and those of others the newest each. */
  devices: z.array(deviceSummary),
  /** The devices that the owner hid, whoever owns them: nothing else here counts them. An earlier version has none. */
  hidden: z.array(deviceSummary).default([]),
  /** How many are left out: strangers register as many as they like. */
  unlisted: z.strictObject({ claimed: count, others: count }),
  unregistered: z.array(unregisteredDevice),
  totals: z.strictObject({
    /** Since `dayStart` of the input, to the hour; a reading that both stores have counts once. */
    readingsToday: count,
    rejectedToday: z.array(z.strictObject({ store: storeName, cause: z.string(), count })),
    stores: z.array(z.strictObject({ store: storeName, bytes: count })),
  }),
  /** Whether demo devices of this node are running. */
  demo: z.boolean(),
  /** The demo devices among them, running or left from an earlier start. */
  demoDevices: z.array(deviceId),
});
export type Overview = z.infer<typeof overview>;

export const OVERVIEW_METHODS = {
  /** `dayStart`: when the owner's day began. */
  overview: { role: 'viewer', input: z.strictObject({ dayStart: timeMs }), output: overview },
} as const satisfies Methods;
