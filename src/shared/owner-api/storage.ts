import { z } from 'zod';
import { storeName, timeMs } from '../owner-data/values.ts';
import type { Methods } from './method.ts';
import { count, nothing } from './values.ts';

/** Why a store refuses writes, by what an owner can do about it. */
export const REFUSALS = [
  /** The disk is full. */
  'full',
  /** The store has reached the size that the settings allow. */
  'limit',
  /** The rest of the disk is reserved for the node and its owner. */
  'reserved',
  'read_only',
  /** Another program holds the file. */
  'held',
  'damaged',
  'other',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** A store that refuses writes, so the node confirms nothing. Devices keep their readings for as long as they can. */
const refusing = z.strictObject({
  /** When the first write after the last successful one was refused. */
  since: timeMs,
  cause: z.enum(REFUSALS),
  /** The engine's message, for support. */
  message: z.string(),
});

const storeState = z.strictObject({ store: storeName, refusing: refusing.nullable() });
export type StoreState = z.infer<typeof storeState>;

/** The disk with the data. */
const room = z.strictObject({
  freeBytes: count,
  totalBytes: count,
  /** Whether less than a tenth or less than two gigabytes are free, whichever is smaller. */
  isLow: z.boolean(),
});
export type Room = z.infer<typeof room>;

export const storage = z.strictObject({
  /** The open stores. */
  stores: z.array(storeState),
  /** null if the system does not report it. */
  room: room.nullable(),
});
export type Storage = z.infer<typeof storage>;

export const STORAGE_METHODS = {
  /** Returns whether the stores accept writes, and the free space. */
  storage: { role: 'viewer', input: nothing, output: storage },
} as const satisfies Methods;
