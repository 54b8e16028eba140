import { z } from 'zod';
import { deviceId, storeName, timeMs } from '../owner-data/values.ts';
import type { Methods } from './method.ts';
import { count, nothing } from './values.ts';

const witness = z.strictObject({
  /** The public key of the node that is the witness. */
  node: deviceId,
  /** The key that it cosigns with, as a vkey. */
  key: z.string(),
  /** When it cosigned first. */
  since: timeMs,
  /** The time and the size of the newest tree that it cosigned. */
  at: timeMs,
  size: count,
  /** Since when it refuses: the tree does not continue the one that it cosigned; null: it does. */
  refusedAt: timeMs.nullable(),
});

/** The witnesses of a store's log. */
export const witnessedStore = z.strictObject({
  store: storeName,
  /** The tree that was signed last and that the store does not continue: it was changed or put back; null: it does. */
  broken: z.strictObject({ size: count, at: timeMs, since: timeMs }).nullable(),
  /** How many problems `wellhouse verify --store` found, and when; null: none. */
  found: z.strictObject({ at: timeMs, count }).nullable(),
  witnesses: z.array(witness),
});
export type WitnessedStore = z.infer<typeof witnessedStore>;

/** A file or a webhook that takes each checkpoint. */
export const checkpointOutlet = z.strictObject({
  kind: z.enum(['file', 'webhook']),
  /** A path, or the scheme and the host of an address: the rest may be a secret. */
  place: z.string(),
  /** When it took the newest one; null: it has taken none yet. */
  sentAt: timeMs.nullable(),
  /** Since when it takes none, and why; null: it does. */
  failing: z.strictObject({ since: timeMs, reason: z.string() }).nullable(),
});
export type CheckpointOutlet = z.infer<typeof checkpointOutlet>;

/** The log of another node that does not continue what this node cosigned last. */
export const refusedLog = z.strictObject({
  /** `wellhouse/<public key of the node>/<store>`. */
  name: z.string(),
  size: count,
  at: timeMs,
  refusedAt: timeMs,
});
export type RefusedLog = z.infer<typeof refusedLog>;

/** Bounds of a request: a proof has at most 63 hashes, and a note at most 100 signatures. */
const MAX_REQUEST = 30_000;
const MAX_KEY = 400;

export const WITNESS_METHODS = {
  /** Who has cosigned the logs of this node's stores, which logs of others this node refuses to cosign, and where checkpoints go. */
  witnesses: {
    role: 'owner',
    input: nothing,
    output: z.strictObject({
      stores: z.array(witnessedStore),
      refused: z.array(refusedLog),
      outlets: z.array(checkpointOutlet),
    }),
  },
  /**
   * Cosigns a checkpoint of another node's log, if it continues the one that was cosigned before. `request` is the body of
   * add-checkpoint, and `line` the answer, of c2sp.org/tlog-witness. `conflict`: another size was cosigned last.
   */
  cosignCheckpoint: {
    role: 'owner',
    input: z.strictObject({ log: z.string().max(MAX_KEY), request: z.string().max(MAX_REQUEST) }),
    output: z.discriminatedUnion('outcome', [
      z.strictObject({ outcome: z.literal('cosigned'), line: z.string(), key: z.string() }),
      z.strictObject({ outcome: z.literal('conflict'), size: count }),
      z.strictObject({ outcome: z.literal('refused'), reason: z.enum(['form', 'signature', 'consistency', 'full']) }),
    ]),
  },
} as const satisfies Methods;
