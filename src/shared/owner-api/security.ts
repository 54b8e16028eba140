import { z } from 'zod';
import { timeMs } from '../owner-data/values.ts';
import { auditEntry } from './audit.ts';
import { type Methods, ROLES } from './method.ts';
import { count, nothing } from './values.ts';

/** Why a request was refused. */
export const REFUSAL_CAUSES = [
  'wrong_code',
  /** A wrong signature, or one of a key that may not open the door. */
  'wrong_key',
  /** A call or a read without the required token. */
  'unauthorized',
  'host_not_allowed',
  'origin_not_allowed',
  'forwarded_request',
  'rate_limited',
  'joining_closed',
  'unknown_device',
  'invalid_signature',
] as const;
export type RefusalCause = (typeof REFUSAL_CAUSES)[number];

/** The listeners. */
export const LISTENERS = ['local', 'public', 'gate', 'door', 'metrics'] as const;
const listenerName = z.enum(LISTENERS);

export const securityView = z.strictObject({
  now: timeMs,
  listeners: z.array(
    z.strictObject({
      name: listenerName,
      /** `waiting`: it should listen but can't at the moment. */
      state: z.enum(['off', 'listening', 'waiting']),
      /** With its port; null if it is off. */
      address: z.string().nullable(),
      /** Since when it has this state, at the earliest the node's start. */
      since: timeMs,
    }),
  ),
  /** The clients that were paired at the door or admitted by a key. */
  pairings: z.array(
    z.strictObject({
      id: z.uuid(),
      name: z.string(),
      role: z.enum(ROLES),
      kind: z.enum(['browser', 'app', 'key']),
      lastUsedAt: timeMs.nullable(),
      lastAddress: z.string().nullable(),
    }),
  ),
  /** The number of owners' keys that open the door. */
  doorKeys: count,
  /** Whether a pairing code is open. */
  isCodeOpen: z.boolean(),
  /** Whether joining is open at the gate. */
  isJoiningOpen: z.boolean(),
  /** When the secret of the machine's link was created; null if there is no link. */
  linkMadeAt: timeMs.nullable(),
  /** Whether programs need a token to read at the local endpoint. */
  hasReadToken: z.boolean(),
  /** When the keystore was last written; null if there is none. */
  keysChangedAt: timeMs.nullable(),
  /**
   * Requests refused within a day, since the node started. `listener` is null if several listeners serve the same
   * store.
   */
  refused: z.array(
    z.strictObject({ cause: z.enum(REFUSAL_CAUSES), listener: listenerName.nullable(), count, lastAt: timeMs }),
  ),
  /** The number of devices that exceeded their budget at the gate within a day. */
  overBudget: count,
  /** Hosts other than this machine in requests to the local endpoint, since the node started. */
  hosts: z.array(
    z.strictObject({
      host: z.string(),
      /** false for a public address that is not in LOCAL_ALLOWED_HOSTS. */
      isLetIn: z.boolean(),
      count,
      firstAt: timeMs,
      lastAt: timeMs,
    }),
  ),
  /** Addresses of this machine at which the local endpoint answers although it must not. */
  exposedAt: z.array(z.string()),
  /** Whether the audit log's chain of hashes is unbroken. */
  isLogWhole: z.boolean(),
  /** The latest entries of the audit log, the newest first. */
  newest: z.array(auditEntry),
});
export type SecurityView = z.infer<typeof securityView>;

export const SECURITY_METHODS = {
  /** Returns the listeners, the admitted clients and the refusals. */
  security: { role: 'owner', input: nothing, output: securityView },
} as const satisfies Methods;
