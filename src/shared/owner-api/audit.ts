import { z } from 'zod';
import { timeMs } from '../owner-data/values.ts';
import { AUDIT_ACTORS, AUDIT_KINDS } from './audit-kinds.ts';
import type { Methods } from './method.ts';
import { count, nothing } from './values.ts';

/** Names and numbers that belong to an entry; never a secret. */
const details = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));
export type AuditDetails = z.infer<typeof details>;

export const auditActor = z.strictObject({
  by: z.enum(AUDIT_ACTORS),
  /** The name of the pairing, or the first digits of the key; null for the other kinds. */
  name: z.string().nullable(),
  /** The id of the pairing. */
  id: z.string().nullable(),
});
export type AuditActor = z.infer<typeof auditActor>;

export const auditEntry = z.strictObject({
  /** Counts from 1, without gaps. */
  n: count,
  at: timeMs,
  who: auditActor,
  /** The address of the caller; null if the action did not come over a network. */
  from: z.string().nullable(),
  /** One of AUDIT_KINDS, or a kind of a later version. */
  kind: z.string(),
  details,
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const AUDIT_METHODS = {
  /** Returns entries of the audit log, the latest first. */
  auditLog: {
    role: 'owner',
    input: z.strictObject({
      kinds: z.array(z.enum(AUDIT_KINDS)).nullable(),
      by: z.enum(AUDIT_ACTORS).nullable(),
      /** The `n` of the last entry of the previous page. */
      before: count.nullable(),
      limit: z.int().min(1).max(500),
    }),
    output: z.strictObject({
      entries: z.array(auditEntry),
      hasMore: z.boolean(),
      /** The number of entries in the log, and whether the chain of hashes is unbroken. */
      kept: count,
      isWhole: z.boolean(),
    }),
  },
  /** Reports that the page exported a keystore file, a phrase or device keys. The node can't see this by itself. */
  tellKeysExported: {
    role: 'owner',
    input: z.strictObject({ what: z.enum(['keystore', 'phrase', 'device_keys']) }),
    output: nothing,
  },
} as const satisfies Methods;
