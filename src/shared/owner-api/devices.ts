import { z } from 'zod';
import { deviceNotes } from '../owner-data/notes.ts';
import { deviceId, fieldName, storeName, timeMs } from '../owner-data/values.ts';
import { DeviceType, PublishTo } from '../protocol/codes.ts';
import { POLICY_FIELD_NAMES } from '../protocol/fields.ts';
import type { Methods } from './method.ts';
import { count, disposition, fieldValue, perField, uint64Text } from './values.ts';

/** See Correction: from `from` on, a value is `slope` times the sent value plus `offset`. */
const correction = z.strictObject({ field: fieldName, from: timeMs, slope: z.number(), offset: z.number() });

const fieldPolicy = z.strictObject({
  default_disposition: disposition,
  per_destination: z.record(z.string(), disposition).optional(),
});
const privacyPolicy = z.partialRecord(z.enum(POLICY_FIELD_NAMES), fieldPolicy);

/** A device as one store has it. */
export const storeDevice = z.strictObject({
  store: storeName,
  publishTo: z.enum(PublishTo),
  privacyPolicy,
  /** The forms in which this store keeps each field: OMIT 0, PLAIN 1, ENCRYPTED 2. */
  dispositions: perField(disposition),
  createdAt: timeMs,
});
export type StoreDevice = z.infer<typeof storeDevice>;

/** The newest value of a field, and the reading in which it was measured or entered. Later readings may repeat it. */
export const newestValue = z.strictObject({
  value: fieldValue,
  seq: uint64Text,
  keyVersion: count,
  receivedAt: timeMs,
  /** By the device's clock; null if the timestamp is unusable. */
  measuredAt: timeMs.nullable(),
  /** Whether it was entered by hand at the device, as the device has no sensor for it. */
  isEntered: z.boolean(),
  /**
   * Since when all plain values equal this one, by `measuredAt`, else `receivedAt`, within the examined readings. null if it is
   * sealed.
   */
  unchangedSince: timeMs.nullable(),
  /** Whether the value may have been unchanged for longer, because older readings were not examined. */
  isUnchangedLonger: z.boolean(),
});
export type NewestValue = z.infer<typeof newestValue>;

export const deviceSummary = z.strictObject({
  id: deviceId,
  mac: z.string(),
  ownerPubkey: z.string(),
  ownerName: z.string().nullable(),
  /** As the device sent it. It may be hostile: clean it before display. */
  name: z.string(),
  type: z.enum(DeviceType),
  /** H3 cell index; any 64-bit value. */
  location: uint64Text.nullable(),
  hardware: z.strictObject({ model: z.string().optional(), firmware_version: z.string().optional() }),
  /** One entry for each store that has the device, the private one first. The other members are from the first. */
  stores: z.array(storeDevice).min(1),
  notes: deviceNotes,
  /** From the owner's calibrations, in the order of time. An earlier version sends none. */
  corrections: z.array(correction).default([]),
  /** Whether another device has the same name. Then `deviceName` adds digits of the id. */
  hasNamesake: z.boolean().default(false),
  /** false for somebody else's device that posts to the public endpoint. It causes no alerts. */
  mine: z.boolean(),
  /**
   * Whether it is not `mine`, but names an owner key of the private store's devices. Anybody can do that at the public
   * endpoint, so the owner has to say whether it is theirs.
   */
  claimed: z.boolean(),
  lastReceivedAt: timeMs.nullable(),
  /** The median time between arrivals of its latest readings; null if there are too few. */
  usualIntervalMs: count.nullable(),
  /** The effective threshold of silence. */
  silentAfterMs: count,
  /** Whether timestamps look like uptime or are far from their arrival. Then readings are ordered by seq and dated by receivedAt. */
  clockNotSet: z.boolean(),
  /** As the device sent them. The view applies `corrections`. */
  newest: perField(newestValue.nullable()),
  /** The last hours of each field that has plain values, corrected means of equal steps, oldest first; null is a gap. */
  sparkline: z.strictObject({
    startAt: timeMs,
    stepMs: count,
    values: z.partialRecord(fieldName, z.array(z.number().nullable())),
  }),
});
export type DeviceSummary = z.infer<typeof deviceSummary>;

export const withheldCount = z.strictObject({
  store: storeName,
  /** `publish_to` counts blocks that this store does not keep; the others count values of a field. */
  cause: z.enum(['publish_to', 'omit', 'encrypted_only']),
  field: fieldName.nullable(),
  count,
  firstAt: timeMs,
  lastAt: timeMs,
});

export const deviceDetail = deviceSummary.extend({
  withheld: z.array(withheldCount),
  /** The number of its readings in each store. */
  readings: z.array(z.strictObject({ store: storeName, count })),
  /** For each store and field, the number of readings with a plain and with a sealed value. */
  held: z.array(
    z.strictObject({ store: storeName, fields: perField(z.strictObject({ plain: count, sealed: count })) }),
  ),
  /** The time span of its readings, by timestamp, or by receivedAt if its clock is not set. */
  span: z.strictObject({ from: timeMs, to: timeMs }).nullable(),
  /** The corrections of times of arrival after a wrong clock of the node, the latest first: by how many ms, of how many readings. */
  timesMoved: z.array(z.strictObject({ at: timeMs, by: z.int(), readings: count })),
});
export type DeviceDetail = z.infer<typeof deviceDetail>;

export const DEVICE_METHODS = {
  device: { role: 'viewer', input: z.strictObject({ id: deviceId }), output: deviceDetail },
  setNotes: { role: 'owner', input: z.strictObject({ id: deviceId, notes: deviceNotes }), output: deviceNotes },
  /**
   * Deletes a device and its readings from one store, so that it may register again. `confirm` repeats the id. With its last
   * store it loses the notes on it and, unless `keepsLog`, its log entries, tasks and crop cycles.
   */
  forgetDevice: {
    role: 'owner',
    input: z.strictObject({ id: deviceId, store: storeName, confirm: deviceId, keepsLog: z.boolean().default(false) }),
    output: z.strictObject({ readings: count }),
  },
} as const satisfies Methods;
