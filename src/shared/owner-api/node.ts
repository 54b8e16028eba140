import { z } from 'zod';
import { type Methods, ROLES } from './method.ts';
import { nothing } from './values.ts';

/** How the clock of the node's machine is. */
export const clockInfo = z.strictObject({
  /**
   * `unsure`: the system has not said that it is right, nor has it gone on for long.
   * `unset`: it is surely wrong, as that of a machine without a clock of its own that has no network yet.
   * `held`: it was set just now, and the node's time goes on as before until the new one has lasted.
   */
  state: z.enum(['known', 'unsure', 'unset', 'held']),
  /** By how much the node's time is ahead of the machine's. */
  aheadMs: z.number(),
  /** When it was set last since the machine's start, and by how much. */
  lastStep: z.strictObject({ at: z.number(), by: z.number() }).nullable(),
});
export type ClockInfo = z.infer<typeof clockInfo>;

export const nodeInfo = z.strictObject({
  version: z.string(),
  publicKey: z.string(),
  /** Where the endpoints listen; null where the public one is off. */
  publicUrl: z.string().nullable(),
  localUrl: z.string(),
  /** This machine's own addresses on its networks, for the connect page. */
  addresses: z.array(z.string()),
  /** This machine's addresses at which the local endpoint answers though it should not, with their port. */
  exposedAt: z.array(z.string()),
  dataDir: z.string(),
  clock: clockInfo,
  /** Where the owner has the view open from. */
  ownerView: z.enum(['browser', 'desktop']),
});
export type NodeInfo = z.infer<typeof nodeInfo>;

/** Who calls, as the node knows it. */
export const callerInfo = z.strictObject({
  role: z.enum(ROLES),
  /** The name that it was paired by; null: it is at the machine itself. */
  name: z.string().nullable(),
  /** Whether it sees some devices alone. */
  isBounded: z.boolean(),
  /** Whether it may have the sealed keystore. */
  mayUnlock: z.boolean(),
  /** Whether it may add entries to the log. */
  mayLog: z.boolean().default(false),
});
export type CallerInfo = z.infer<typeof callerInfo>;

export const NODE_METHODS = {
  caller: { role: 'viewer', input: nothing, output: callerInfo },
  nodeInfo: { role: 'viewer', input: nothing, output: nodeInfo },
} as const satisfies Methods;
