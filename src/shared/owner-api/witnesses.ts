import { z } from 'zod';
import { deviceId, storeName, timeMs } from '../owner-data/values.ts';
import type { Methods } from './method.ts';
import { count, nothing } from './values.ts';

const witness = z.strictObject({
  /** The public key of the witnessing node. */
  node: deviceId,
  /** Its cosigning key, as a vkey. */
  key: z.string(),
  /** When it first cosigned. */
  since: timeMs,
  /** The time and size of the newest tree that it cosigned. */
  at: timeMs,
  size: count,
  /** Since when it refuses, because the tree does not continue the cosigned one; null if it does not refuse. */
  refusedAt: timeMs.nullable(),
});

/** The witnesses of a store's log. */
export const witnessedStore = z.strictObject({
  store: storeName,
  /** The last signed tree, if the store does not continue it because it was changed or rolled back; else null. */
  broken: z.strictObject({ size: count, at: timeMs, since: timeMs }).nullable(),
  /** The number of problems that `wellhouse verify --store` found, and when; null if there were none. */
  found: z.strictObject({ at: timeMs, count }).nullable(),
  witnesses: z.array(witness),
});
export type WitnessedStore = z.infer<typeof witnessedStore>;

/** A file or webhook that receives each checkpoint. */
export const checkpointOutlet = z.strictObject({
  kind: z.enum(['file', 'webhook']),
  /** A path, or the scheme and host of an address, because the rest may be secret. */
  place: z.string(),
  /** When it received the newest checkpoint; null if it has not received any yet. */
  sentAt: timeMs.nullable(),
  /** Since when it fails, and why; null if it works. */
  failing: z.strictObject({ since: timeMs, reason: z.string() }).nullable(),
});
export type CheckpointOutlet = z.infer<typeof checkpointOutlet>;

/** The log of another node that does not continue the tree that this node cosigned last. */
export const refusedLog = z.strictObject({
  /** `wellhouse/<public key of the node>/<store>`. */
  name: z.string(),
  size: count,
  at: timeMs,
  refusedAt: timeMs,
});
export type RefusedLog = z.infer<typeof refusedLog>;

/** The longest request in characters: a proof has at most 63 hashes, and a note at most 100 signatures. */
const MAX_REQUEST = 30_000;
const MAX_KEY = 400;

export const WITNESS_METHODS = {
  /** Returns the witnesses of this node's logs, the logs that it refuses to cosign, and the outlets of checkpoints. */
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
   * Cosigns a checkpoint of another node's log, if it continues the last cosigned one. `request` is the body of
   * add-checkpoint in c2sp.org/tlog-witness, and `line` its answer. `conflict`: the last cosigned size is another one.
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
