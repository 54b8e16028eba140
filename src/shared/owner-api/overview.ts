import { z } from 'zod';
import { deviceId, storeName, timeMs } from '../owner-data/values.ts';
import { deviceSummary } from './devices.ts';
import type { Methods } from './method.ts';
import { count } from './values.ts';

/** An unregistered device that sent blocks in the last 24 hours, merged over the stores. */
export const unregisteredDevice = z.strictObject({
  id: deviceId,
  stores: z.array(storeName).min(1),
  /** Whether it seems to be the owner's: it is `mine`, or sent to the private store. Other devices cause no alerts. */
  isOurs: z.boolean(),
  attempts: count,
  firstAt: timeMs,
  lastAt: timeMs,
  lastError: z.string(),
});
export type UnregisteredDevice = z.infer<typeof unregisteredDevice>;

export const overview = z.strictObject({
  now: timeMs,
  /** All devices of the owner, and the newest of the claimed ones and of the others. */
  devices: z.array(deviceSummary),
  /** Hidden devices of any owner. The other members don't count them. An earlier version sends none. */
  hidden: z.array(deviceSummary).default([]),
  /** The number of devices left out, because strangers can register many. */
  unlisted: z.strictObject({ claimed: count, others: count }),
  unregistered: z.array(unregisteredDevice),
  totals: z.strictObject({
    /** Counted since `dayStart` of the input, to the hour. A reading in both stores counts once. */
    readingsToday: count,
    rejectedToday: z.array(z.strictObject({ store: storeName, cause: z.string(), count })),
    stores: z.array(z.strictObject({ store: storeName, bytes: count })),
  }),
  /** Whether demo devices of this node are running. */
  demo: z.boolean(),
  /** The demo devices among `devices`, running or left from an earlier start. */
  demoDevices: z.array(deviceId),
});
export type Overview = z.infer<typeof overview>;

export const OVERVIEW_METHODS = {
  /** `dayStart` is the start of the owner's day. */
  overview: { role: 'viewer', input: z.strictObject({ dayStart: timeMs }), output: overview },
} as const satisfies Methods;
