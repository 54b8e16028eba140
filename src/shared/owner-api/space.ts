import { z } from 'zod';
import { deviceId, storeName, timeMs } from '../owner-data/values.ts';
import type { Methods } from './method.ts';
import { retention } from './retention.ts';
import { count, nothing } from './values.ts';

/** The disk space of a store. */
const storeSpace = z.strictObject({
  store: storeName,
  /** The size of its files. */
  bytes: count,
  /** The bytes that deleted readings left free. New readings use them; compacting returns them to the disk. */
  unusedBytes: count,
  /** Readings stored per day over the last seven days, or since the first reading. */
  readingsPerDay: z.number().min(0),
  /** The store's growth per day: the bytes of these readings minus those that retention frees. */
  bytesPerDay: z.number().min(0),
  devices: z.array(z.strictObject({ id: deviceId, readings: count })),
});

export const space = z.strictObject({ stores: z.array(storeSpace) });
export type Space = z.infer<typeof space>;

/** The readings that a rule for retention would delete now. */
export const retentionPreview = z.strictObject({
  stores: z.array(
    z.strictObject({
      store: storeName,
      readings: count,
      /** The approximate bytes that this frees inside the store's file. */
      bytes: count,
      devices: z.array(z.strictObject({ id: deviceId, readings: count, before: timeMs })),
    }),
  ),
});
export type RetentionPreview = z.infer<typeof retentionPreview>;

const careState = z.strictObject({
  /** The number of readings deleted so far; null if no deletion runs. */
  deleting: z.strictObject({ readings: count }).nullable(),
  /** The latest completed deletion since the node started. */
  lastDeletion: z.strictObject({ at: timeMs, readings: count }).nullable(),
  compacting: storeName.nullable(),
});
export type CareState = z.infer<typeof careState>;

export const SPACE_METHODS = {
  /** Returns the bytes of the stores and the readings of each device. */
  space: { role: 'owner', input: nothing, output: space },
  /** Returns the retention rules. */
  retention: { role: 'owner', input: nothing, output: retention },
  /** Returns the readings that these rules would delete. Changes nothing. */
  previewRetention: { role: 'owner', input: retention, output: retentionPreview },
  /** Saves the rules and starts to delete by them. */
  setRetention: { role: 'owner', input: retention, output: careState },
  careState: { role: 'owner', input: nothing, output: careState },
  /**
   * Returns the unused bytes of a store to the disk. The store accepts no readings meanwhile: devices wait. Error `conflict`: it
   * is running already, or there is no space for the copy; the details say how many bytes it needs.
   */
  compactStore: {
    role: 'owner',
    input: z.strictObject({ store: storeName }),
    output: z.strictObject({ before: count, after: count }),
  },
} as const satisfies Methods;
