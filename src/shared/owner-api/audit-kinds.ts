// Without the schemas and their library, so that the page loads only these.

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
