import { z } from 'zod';
import { KEYSTORE_BASE64_START, MAX_KEYSTORE_BYTES } from './crypto/keystore-limits.ts';
import { SETTINGS_METHODS } from './owner-settings.ts';
import { FIELD_NAMES, type FieldName } from './protocol/fields.ts';
import { isUint64Text } from './protocol/uint64.ts';

/**
 * The one contract between the owner's view and the node: every method and event, its input and output. Both transports
 * (HTTP on the local listener, IPC on the desktop), the service behind them and the renderer's client derive from it.
 *
 * Conventions: 64-bit values (seq, timestamp, location) are decimal strings, so that no digit is lost; every other time
 * is Unix milliseconds of this node's clock; ids and keys are lowercase hex. Expected failures are coded (`ERROR_CODES`).
 */

/** What a failed call says; the text for a person belongs to the renderer. */
export const ERROR_CODES = [
  'invalid_input',
  'unauthorized',
  'unknown_method',
  'not_found',
  'conflict',
  'storage_unavailable',
  'internal_error',
] as const;
export type OwnerErrorCode = (typeof ERROR_CODES)[number];

const deviceId = z.string().regex(/^[0-9a-f]{64}$/);
const uint64Text = z.string().refine(isUint64Text);
const timeMs = z.int().min(0).max(8_640_000_000_000_000);
const count = z.int().min(0);
const endpoint = z.enum(['public', 'local']);
/** The private store belongs to the local endpoint, the public one to the public endpoint. */
const storeName = z.enum(['private', 'public']);
const publishTo = z.union([z.literal(0), z.literal(1), z.literal(2)]);
const disposition = publishTo;
const fieldName = z.enum(FIELD_NAMES as readonly [FieldName, ...FieldName[]]);

const perField = <T extends z.ZodType>(value: T) =>
  z.strictObject({ ph: value, ec: value, waterLevel: value, tempWater: value, tempAmbient: value, humidity: value });

/** A field as stored: a number in plain, sealed bytes in hex, or null where the reading has none. */
export const fieldValue = z.union([z.number(), z.strictObject({ cipher: z.string(), nonce: z.string() }), z.null()]);
export type FieldValue = z.infer<typeof fieldValue>;

export const ownerReading = z.strictObject({
  seq: uint64Text,
  /** As the device said; uptime where its clock is not set. */
  timestamp: uint64Text,
  receivedAt: timeMs,
  keyVersion: count,
  /** Where this reading, whole, comes from; the private one where both stores have it. */
  store: storeName,
  fields: perField(fieldValue),
});
export type OwnerReading = z.infer<typeof ownerReading>;

/** What the owner notes on a device; it concerns this app alone. */
export const deviceNotes = z.strictObject({
  /** null: the name that the device gave. */
  displayName: z.string().min(1).max(200).nullable(),
  /** Shown in place of the default units; a missing field keeps its default. */
  unitLabels: z.partialRecord(fieldName, z.string().max(20)),
  /** Silent after this long without a reading; null: three times its usual interval. */
  silentAfterMs: z
    .int()
    .min(1000)
    .max(366 * 86_400_000)
    .nullable(),
  /** ACTIVE 0, INACTIVE 1, LOST 2. */
  status: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** Whether the owner counts a device that only the public store knows as theirs; null: they have not said. */
  mine: z.boolean().nullable(),
});
export type DeviceNotes = z.infer<typeof deviceNotes>;

const fieldPolicy = z.strictObject({
  default_disposition: disposition,
  per_destination: z.record(z.string(), disposition).optional(),
});
const privacyPolicy = z.partialRecord(
  z.enum(['ph', 'ec', 'water_level', 'temp_water', 'temp_ambient', 'humidity']),
  fieldPolicy,
);

/** What one store knows of a device. */
export const storeDevice = z.strictObject({
  store: storeName,
  publishTo,
  privacyPolicy,
  /** What of each field this store keeps: OMIT 0, PLAIN 1, ENCRYPTED 2. */
  dispositions: perField(disposition),
  createdAt: timeMs,
});
export type StoreDevice = z.infer<typeof storeDevice>;

/** The newest value of a field and the reading it stands in. */
export const newestValue = z.strictObject({
  value: fieldValue,
  seq: uint64Text,
  keyVersion: count,
  receivedAt: timeMs,
});

export const deviceSummary = z.strictObject({
  id: deviceId,
  mac: z.string(),
  ownerPubkey: z.string(),
  ownerName: z.string().nullable(),
  /** As the device said: hostile input, to be cleaned before it is shown. */
  name: z.string(),
  type: publishTo,
  /** H3 cell index; any 64-bit value. */
  location: uint64Text.nullable(),
  hardware: z.strictObject({ model: z.string().optional(), firmware_version: z.string().optional() }),
  /** One entry for each store that knows it, the private one first. It is described by the first. */
  stores: z.array(storeDevice).min(1),
  notes: deviceNotes,
  /** false: a device of somebody else that posts to the public endpoint; it counts for no alert. */
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
  newest: perField(newestValue.nullable()),
  /** The last hours of each field that has plain values, means of equal steps, oldest first; null is a gap. */
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
  /** The times that its readings span, by timestamp, or by receivedAt where its clock is not set. */
  span: z.strictObject({ from: timeMs, to: timeMs }).nullable(),
});
export type DeviceDetail = z.infer<typeof deviceDetail>;

/** A device that sends without being registered, merged over the endpoints at which it did so in the last 24 hours. */
export const unregisteredDevice = z.strictObject({
  id: deviceId,
  endpoints: z.array(endpoint).min(1),
  /** It is the owner's as far as the node can tell: `mine`, or seen at the local endpoint. Strangers count for no alert. */
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
  /** How many are left out: strangers register as many as they like. */
  unlisted: z.strictObject({ claimed: count, others: count }),
  unregistered: z.array(unregisteredDevice),
  totals: z.strictObject({
    /** Since `dayStart` of the input, to the hour; a reading that both stores have counts once. */
    readingsToday: count,
    rejectedToday: z.array(z.strictObject({ endpoint, cause: z.string(), count })),
    stores: z.array(z.strictObject({ store: storeName, bytes: count })),
  }),
  /** Whether demo devices of this node are running. */
  demo: z.boolean(),
  /** Those of its devices that are demo devices, running or left from an earlier start. */
  demoDevices: z.array(deviceId),
});
export type Overview = z.infer<typeof overview>;

export const nodeInfo = z.strictObject({
  version: z.string(),
  publicKey: z.string(),
  /** Where the endpoints listen; null where the public one is off. */
  publicUrl: z.string().nullable(),
  localUrl: z.string(),
  /** This machine's own addresses on its networks, for the connect page. */
  addresses: z.array(z.string()),
  dataDir: z.string(),
  home: z.enum(['browser', 'desktop']),
});
export type NodeInfo = z.infer<typeof nodeInfo>;

/** Readings between two times, both inclusive, of the axis in force for the device (`clockNotSet`); null is unbounded. */
const range = { id: deviceId, from: timeMs.nullable(), to: timeMs.nullable() };

const series = z.strictObject({
  /** Parallel to `times`; null where a step has no plain value. */
  min: z.array(z.number().nullable()),
  max: z.array(z.number().nullable()),
  mean: z.array(z.number().nullable()),
  count: z.array(count),
  /** How many values of the step are sealed. */
  sealed: z.array(count),
});

export const history = z.strictObject({
  /** What `times` are: the device's timestamps, or arrival times where its clock is not set. */
  axis: z.enum(['timestamp', 'received']),
  /** Width of a step; null: each entry is one reading. */
  stepMs: count.nullable(),
  /** Unix milliseconds, ascending: a reading's time, or the start of a step. Steps without readings are left out. */
  times: z.array(timeMs),
  fields: perField(series),
});
export type History = z.infer<typeof history>;

/** A keystore file in base64: sealed where the owner is, opaque to the node. */
const keystoreBlob = z
  .base64()
  .startsWith(KEYSTORE_BASE64_START)
  .max(Math.ceil(MAX_KEYSTORE_BYTES / 3) * 4);
/** Names what a keystore file holds: the SHA-256 of its bytes; null where there is no file. */
const keystoreRevision = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .nullable();

const nothing = z.strictObject({});

/** Every method: what it takes and what it answers. */
export const METHODS = {
  nodeInfo: { input: nothing, output: nodeInfo },
  /** `dayStart`: when the owner's day began. */
  overview: { input: z.strictObject({ dayStart: timeMs }), output: overview },
  device: { input: z.strictObject({ id: deviceId }), output: deviceDetail },
  /** The newest readings first, merged over both stores. */
  latestReadings: {
    input: z.strictObject({ id: deviceId, limit: z.int().min(1).max(500) }),
    output: z.strictObject({ readings: z.array(ownerReading) }),
  },
  /** Readings of a range, oldest first, in pages: for exports and for opening sealed fields. */
  readingsPage: {
    input: z.strictObject({
      ...range,
      /** `next` of the page before. */
      cursor: z.string().max(200).nullable(),
      limit: z.int().min(1).max(2000),
    }),
    output: z.strictObject({
      readings: z.array(ownerReading),
      next: z.string().nullable(),
      /** Readings in the whole range, at the first page; null later. */
      total: count.nullable(),
    }),
  },
  /** A chart's data: single readings where they are few enough, else steps with min, max, mean and count. */
  history: {
    input: z.strictObject({ ...range, maxPoints: z.int().min(10).max(5000) }),
    output: history,
  },
  setNotes: { input: z.strictObject({ id: deviceId, notes: deviceNotes }), output: deviceNotes },
  /** Deletes a device and its readings from one store, so that it may register anew. `confirm` repeats the id. */
  forgetDevice: {
    input: z.strictObject({ id: deviceId, store: storeName, confirm: deviceId }),
    output: z.strictObject({ readings: count }),
  },
  /** The owner's keystore as it lies on disk, damaged or not, and the one before the last write. */
  readKeystore: {
    input: nothing,
    output: z.strictObject({
      blob: z.base64().nullable(),
      previous: z.base64().nullable(),
      revision: keystoreRevision,
    }),
  },
  /**
   * Puts a keystore in the place of the one read at `expectedRevision`, which is kept as `previous`. `conflict` with the
   * details `changed`: another one is there; `damaged`: what is there is damaged or of a newer version, and is moved
   * aside only where `replaceDamaged` says so. `keepReplaced`: what is there is no earlier state of this one (a new
   * keystore, or one that is restored), and is kept under a name of its own instead, which no later write takes.
   */
  writeKeystore: {
    input: z.strictObject({
      blob: keystoreBlob,
      expectedRevision: keystoreRevision,
      replaceDamaged: z.boolean(),
      keepReplaced: z.boolean().optional(),
    }),
    output: z.strictObject({ revision: keystoreRevision }),
  },
  startDemo: { input: nothing, output: nothing },
  /** Stops the demo devices where they run, and deletes them and their readings. No other device is touched. */
  stopDemo: { input: nothing, output: nothing },
  ...SETTINGS_METHODS,
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

export type MethodName = keyof typeof METHODS;
export type Input<M extends MethodName> = z.input<(typeof METHODS)[M]['input']>;
export type Output<M extends MethodName> = z.output<(typeof METHODS)[M]['output']>;

/** Every event. Events are gathered: at most a few a second, whatever arrives. */
export const EVENTS = {
  /** Readings of these devices were stored. */
  readings: z.strictObject({ devices: z.array(deviceId) }),
  /** Devices were registered, forgotten or noted on. */
  devices: nothing,
  /** The list of unregistered devices, or a count of rejected blocks, changed. */
  attempts: nothing,
  /** A store refuses to write, and so to confirm: its disk is full, read-only or damaged. */
  storageFault: nothing,
  /** Settings, where the endpoints listen, or how far a move of the data folder is, changed. */
  settings: nothing,
} as const satisfies Record<string, z.ZodType>;

export type EventName = keyof typeof EVENTS;
export type EventPayload<E extends EventName> = z.output<(typeof EVENTS)[E]>;

/** An answer as it travels. */
export type Answer<M extends MethodName> =
  | { readonly ok: true; readonly value: Output<M> }
  | { readonly ok: false; readonly error: OwnerErrorCode; readonly details?: string };

/** What a transport gives the renderer. */
export interface OwnerApi {
  /** Rejects with an Error whose `code` is an OwnerErrorCode, or 'disconnected'. */
  call<M extends MethodName>(method: M, input: Input<M>): Promise<Output<M>>;
  /** Listens to events; `connected` tells the loss and return of the connection. Returns what ends it. */
  listen(
    onEvent: <E extends EventName>(event: E, payload: EventPayload<E>) => void,
    onConnection: (connected: boolean) => void,
  ): () => void;
}
