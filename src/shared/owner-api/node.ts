import { z } from 'zod';
import { type Methods, ROLES } from './method.ts';
import { nothing } from './values.ts';

/** The state of the clock of the node's machine. */
export const clockInfo = z.strictObject({
  /**
   * `unsure`: the system has not confirmed the clock, and it has not run steadily for long enough.
   * `unset`: the clock is certainly wrong, as on a machine without a real-time clock that has no network yet.
   * `held`: the clock was just set. The node's time continues as before until the new time has proved stable.
   */
  state: z.enum(['known', 'unsure', 'unset', 'held']),
  /** How far the node's time is ahead of the machine's. */
  aheadMs: z.number(),
  /** The latest change of the clock since the machine started: its time, and the step in milliseconds. */
  lastStep: z.strictObject({ at: z.number(), by: z.number() }).nullable(),
});
export type ClockInfo = z.infer<typeof clockInfo>;

export const nodeInfo = z.strictObject({
  version: z.string(),
  publicKey: z.string(),
  /** The addresses of the endpoints; `publicUrl` is null if the public endpoint is off. */
  publicUrl: z.string().nullable(),
  localUrl: z.string(),
  /** This machine's own addresses on its networks, for the connect page. */
  addresses: z.array(z.string()),
  /** Addresses of this machine, with port, at which the local endpoint answers although it must not. */
  exposedAt: z.array(z.string()),
  dataDir: z.string(),
  clock: clockInfo,
  /** Where the owner's view runs. */
  ownerView: z.enum(['browser', 'desktop']),
});
export type NodeInfo = z.infer<typeof nodeInfo>;

/** The caller, as the node knows it. */
export const callerInfo = z.strictObject({
  role: z.enum(ROLES),
  /** The name of its pairing; null if it is at the machine itself. */
  name: z.string().nullable(),
  /** Whether it sees only some of the devices. */
  isBounded: z.boolean(),
  /** Whether it may read the encrypted keystore. */
  mayUnlock: z.boolean(),
  /** Whether it may add entries to the log. */
  mayLog: z.boolean().default(false),
});
export type CallerInfo = z.infer<typeof callerInfo>;

export const NODE_METHODS = {
  caller: { role: 'viewer', input: nothing, output: callerInfo },
  nodeInfo: { role: 'viewer', input: nothing, output: nodeInfo },
} as const satisfies Methods;
