import { z } from 'zod';
import { storeName, timeMs } from '../owner-data/values.ts';
import type { Methods } from './method.ts';
import { count, nothing } from './values.ts';

/** Why a store takes no writes, as far as an owner can do something about it. */
export const REFUSALS = [
  /** The disk has no room. */
  'full',
  /** The store holds all that the settings allow it. */
  'limit',
  /** The last of the disk is kept for the node itself and its owner. */
  'reserved',
  'read_only',
  /** Another program holds the file. */
  'held',
  'damaged',
  'other',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** A store that confirms nothing: devices keep what they measured, as long as they can. */
const refusing = z.strictObject({
  /** When the first write since the last good one was refused. */
  since: timeMs,
  cause: z.enum(REFUSALS),
  /** SQLite's words, for whoever helps. */
  message: z.string(),
});

const storeState = z.strictObject({ store: storeName, refusing: refusing.nullable() });
export type StoreState = z.infer<typeof storeState>;

/** The disk that the data lies on. */
const room = z.strictObject({
  freeBytes: count,
  totalBytes: count,
  /** Less than a tenth, or than two gigabytes, whichever is less. */
  isLow: z.boolean(),
});
export type Room = z.infer<typeof room>;

export const storage = z.strictObject({
  /** The open ones. */
  stores: z.array(storeState),
  /** null where the system does not tell. */
  room: room.nullable(),
});
export type Storage = z.infer<typeof storage>;

export const STORAGE_METHODS = {
  /** Whether what arrives can be kept. */
  storage: { role: 'viewer', input: nothing, output: storage },
} as const satisfies Methods;
