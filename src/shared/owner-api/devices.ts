import { z } from 'zod';
import { deviceNotes } from '../owner-data/notes.ts';
import { deviceId, fieldName, storeName, timeMs } from '../owner-data/values.ts';
import { DeviceType, PublishTo } from '../protocol/codes.ts';
import { POLICY_FIELD_NAMES } from '../protocol/fields.ts';
import type { Methods } from './method.ts';
import { count, disposition, fieldValue, perField, uint64Text } from './values.ts';

/** See Correction: values of a field from a time on are `slope` times the value sent plus `offset`. */
const correction = z.strictObject({ field: fieldName, from: timeMs, slope: z.number(), offset: z.number() });

const fieldPolicy = z.strictObject({
  default_disposition: disposition,
  per_destination: z.record(z.string(), disposition).optional(),
});
const privacyPolicy = z.partialRecord(z.enum(POLICY_FIELD_NAMES), fieldPolicy);

/** The facts of one store about a device. */
export const storeDevice = z.strictObject({
  store: storeName,
  publishTo: z.enum(PublishTo),
  privacyPolicy,
  /** The forms in which this store keeps each field: OMIT 0, PLAIN 1, ENCRYPTED 2. */
  dispositions: perField(disposition),
  createdAt: timeMs,
});
export type StoreDevice = z.infer<typeof storeDevice>;

/** The newest value of a field and the reading it was measured or entered in; later ones may only repeat it. */
export const newestValue = z.strictObject({
  value: fieldValue,
  seq: uint64Text,
  keyVersion: count,
  receivedAt: timeMs,
  /** By the device's clock; null where that says nothing. */
  measuredAt: timeMs.nullable(),
  /** Entered by hand at the device: there is no sensor that would send it again and again. */
  isEntered: z.boolean(),
  /**
   * Since when every plain value has been this one, by `measuredAt`, else `receivedAt`, as far back as was looked. null where
   * it is sealed.
   */
  unchangedSince: timeMs.nullable(),
  /** Nobody looked further back than `unchangedSince`: it may have been so for longer. */
  isUnchangedLonger: z.boolean(),
});
export type NewestValue = z.infer<typeof newestValue>;

export const deviceSummary = z.strictObject({
  id: deviceId,
  mac: z.string(),
  ownerPubkey: z.string(),
  ownerName: z.string().nullable(),
  /** As the device said: hostile input, to be cleaned before it is shown. */
  name: z.string(),
  type: z.enum(DeviceType),
  /** H3 cell index; any 64-bit value. */
  location: uint64Text.nullable(),
  hardware: z.strictObject({ model: z.string().optional(), firmware_version: z.string().optional() }),
  /** One entry for each store that knows it, the private one first. It is described by the first. */
  stores: z.array(storeDevice).min(1),
  notes: deviceNotes,
  /** By the owner's calibrations, in the order of time. An earlier version has none. */
  corrections: z.array(correction).default([]),
  /** Another device has the same name: `deviceName` adds digits of its id. */
  hasNamesake: z.boolean().default(false),
  /** false for a device of somebody else that posts to the public endpoint; it counts for no alert. */
  mine: z.boolean(),
  /**
   * Not `mine`, but it names an owner key of the private store's devices as its own, which anybody can do at the public
   * endpoint; the owner has not said whether it is theirs.
   */
  claimed: z.boolean(),
  lastReceivedAt: timeMs.nullable(),
  /** The median time between its latest readings' arrivals; null with too few. */
  usualIntervalMs: count.nullable(),
  /** The threshold in force. */
  silentAfterMs: count,
  /** Timestamps are like uptime, or far from when they arrive: ordered by seq and placed by receivedAt. */
  clockNotSet: z.boolean(),
  /** As the device sent them: `corrections` are for whoever shows them. */
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
  /** publish_to counts blocks that this store does not keep; the others count values of a field. */
  cause: z.enum(['publish_to', 'omit', 'encrypted_only']),
  field: fieldName.nullable(),
  count,
  firstAt: timeMs,
  lastAt: timeMs,
});

export const deviceDetail = deviceSummary.extend({
  withheld: z.array(withheldCount),
  /** How many readings each store holds of it. */
  readings: z.array(z.strictObject({ store: storeName, count })),
  /** In how many of those each field is plain or sealed. */
  held: z.array(
    z.strictObject({ store: storeName, fields: perField(z.strictObject({ plain: count, sealed: count })) }),
  ),
  /** The times that its readings span, by timestamp, or by receivedAt where its clock is not set. */
  span: z.strictObject({ from: timeMs, to: timeMs }).nullable(),
  /** When times of arrival were moved since the node's clock had been wrong, the latest first: by how much, and of how many. */
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
