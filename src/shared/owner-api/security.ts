import { z } from 'zod';
import { timeMs } from '../owner-data/values.ts';
import { auditEntry } from './audit.ts';
import { type Methods, ROLES } from './method.ts';
import { count, nothing } from './values.ts';

/** Why somebody or something was refused. */
export const REFUSAL_CAUSES = [
  'wrong_code',
  /** A signature that is wrong, or of a key that may not open the door. */
  'wrong_key',
  /** A call or a read without the token that it needs. */
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

/** The ways in. */
export const LISTENERS = ['local', 'public', 'gate', 'door', 'metrics'] as const;
const listenerName = z.enum(LISTENERS);

export const securityView = z.strictObject({
  now: timeMs,
  listeners: z.array(
    z.strictObject({
      name: listenerName,
      /** `waiting`: it should listen and can't just now. */
      state: z.enum(['off', 'listening', 'waiting']),
      /** With its port; null: it is off. */
      address: z.string().nullable(),
      /** Since when it is so, at the earliest since the node's start. */
      since: timeMs,
    }),
  ),
  /** Who was paired at the door or let in by a key. */
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
  /** How many owners' keys open the door. */
  doorKeys: count,
  /** Whether a pairing code is open. */
  isCodeOpen: z.boolean(),
  /** Whether joining is open at the gate. */
  isJoiningOpen: z.boolean(),
  /** When the secret of the machine's link was made; null: there is no such link. */
  linkMadeAt: timeMs.nullable(),
  /** Whether programs need a token to read at the local endpoint. */
  hasReadToken: z.boolean(),
  /** When the keystore was written last; null: there is none. */
  keysChangedAt: timeMs.nullable(),
  /**
   * Requests that were refused within a day, since the node's start. `listener` is null if several bring to the same
   * store.
   */
  refused: z.array(
    z.strictObject({ cause: z.enum(REFUSAL_CAUSES), listener: listenerName.nullable(), count, lastAt: timeMs }),
  ),
  /** Devices that sent more than they may at the gate within a day. */
  overBudget: count,
  /** Hosts other than this machine that requests to the local endpoint named, since the node's start. */
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
  /** This machine's addresses at which the local endpoint answers though it should not. */
  exposedAt: z.array(z.string()),
  /** Whether each entry of the audit log follows on the one before. */
  isLogWhole: z.boolean(),
  /** The newest entries of the audit log, the latest first. */
  newest: z.array(auditEntry),
});
export type SecurityView = z.infer<typeof securityView>;

export const SECURITY_METHODS = {
  /** The listeners, the people who are let in, and the refusals. */
  security: { role: 'owner', input: nothing, output: securityView },
} as const satisfies Methods;
