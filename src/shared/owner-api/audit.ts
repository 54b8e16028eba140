import { z } from 'zod';
import { timeMs } from '../owner-data/values.ts';
import type { Methods } from './method.ts';
import { count, nothing } from './values.ts';

/** The kinds of actors in the audit log. */
export const AUDIT_ACTORS = [
  /** The node by itself. */
  'node',
  /** The desktop app. */
  'machine',
  /** A page that was opened with the machine's secret link. */
  'page',
  /** The command line, or another program with that link. */
  'command',
  /** A phone, person or app that was paired. */
  'pairing',
  /** A client that was admitted by the signature of an owner's key. */
  'key',
] as const;
export type AuditActorKind = (typeof AUDIT_ACTORS)[number];

/** The entries of the audit log, by subject. */
export const AUDIT_GROUPS = {
  access: [
    ...['pairing_opened', 'pairing_closed', 'paired', 'key_entered', 'pairing_revoked', 'pairing_left'],
    ...['door_keys_set', 'wrong_codes'],
  ],
  listeners: [
    ...['door_opened', 'door_closed', 'gate_opened', 'gate_closed', 'public_opened', 'public_closed'],
    ...['joining_opened', 'joining_closed', 'door_authority_replaced'],
  ],
  devices: [
    ...[
      'device_adopted',
      'registration_dismissed',
      'device_forgotten',
      'device_hidden',
      'device_shown',
      'device_pointed',
    ],
    ...['demo_started', 'demo_stopped'],
  ],
  settings: [
    ...['settings_changed', 'choices_changed', 'retention_set', 'alert_rule_written', 'alert_rule_deleted'],
    ...['alert_channel_written', 'alert_channel_deleted', 'alert_options_set', 'notice_dismissed'],
    ...['node_added', 'node_renamed', 'node_removed'],
  ],
  keys: ['keys_read', 'keys_written', 'keys_exported'],
  data: [
    ...['backup_started', 'backup_made', 'restore_started', 'restored', 'restore_undone', 'backup_folder_confirmed'],
    ...['export_started', 'imported', 'store_compacted', 'data_moved', 'data_folder_chosen', 'old_data_deleted'],
  ],
  node: ['node_started', 'node_restarted', 'node_stopped', 'log_torn', 'log_broken', 'log_gap'],
} as const;
export type AuditGroup = keyof typeof AUDIT_GROUPS;
export type AuditKind = (typeof AUDIT_GROUPS)[AuditGroup][number];
export const AUDIT_KINDS = Object.values(AUDIT_GROUPS).flat() as [AuditKind, ...AuditKind[]];

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
