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
  /** The part of these that deleted readings left: new ones use it, compacting gives it back. */
  unusedBytes: count,
  /** Readings stored a day, by the last seven days, or since the first reading. */
  readingsPerDay: z.number().min(0),
  /** The store's growth a day: the bytes of these readings, less those that retention gives back. */
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
      /** About what that leaves unused in the store's file. */
      bytes: count,
      devices: z.array(z.strictObject({ id: deviceId, readings: count, before: timeMs })),
    }),
  ),
});
export type RetentionPreview = z.infer<typeof retentionPreview>;

const careState = z.strictObject({
  /** The readings that were deleted so far; null: nothing is being deleted. */
  deleting: z.strictObject({ readings: count }).nullable(),
  /** The latest time that retention came to its end since the node started. */
  lastDeletion: z.strictObject({ at: timeMs, readings: count }).nullable(),
  compacting: storeName.nullable(),
});
export type CareState = z.infer<typeof careState>;

export const SPACE_METHODS = {
  /** The bytes that the stores take, by device. */
  space: { role: 'owner', input: nothing, output: space },
  /** How long readings are kept. */
  retention: { role: 'owner', input: nothing, output: retention },
  /** The readings that these rules would delete; nothing is changed. */
  previewRetention: { role: 'owner', input: retention, output: retentionPreview },
  /** Keeps the rules, and begins to delete what they say. */
  setRetention: { role: 'owner', input: retention, output: careState },
  careState: { role: 'owner', input: nothing, output: careState },
  /**
   * Gives the unused bytes of a store back to the disk; what devices bring meanwhile waits. `conflict`: it is at it
   * already, or there is no room for the copy that it takes; the details say how many bytes it needs.
   */
  compactStore: {
    role: 'owner',
    input: z.strictObject({ store: storeName }),
    output: z.strictObject({ before: count, after: count }),
  },
} as const satisfies Methods;
