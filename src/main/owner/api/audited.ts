import type { AuditActor, AuditDetails } from '../../../shared/owner-api/audit.ts';
import type { AuditKind } from '../../../shared/owner-api/audit-kinds.ts';
import type { MethodName, Output } from '../../../shared/owner-api/contract.ts';
import type { Caller } from '../caller.ts';
import type { Checked } from '../handlers.ts';

/** The effects of an owner call, for the audit log. */
export interface Done {
  readonly kind: AuditKind;
  readonly details?: AuditDetails;
}

/** Calls another method for the same caller. Resolves with null if the method has no handler; rejects if it fails. */
export type Ask = <M extends MethodName>(method: M, input: Checked<M>) => Promise<Output<M> | null>;

/** The audit entries of the calls of one method. */
export interface Audited<M extends MethodName> {
  /** Looks up data that is gone after the call, such as the name of the deleted object. */
  readonly before?: (input: Checked<M>, ask: Ask) => Promise<AuditDetails>;
  /** Returns the effects of the call; empty if it changed nothing. */
  readonly done: (input: Checked<M>, answer: Output<M>, before: AuditDetails, caller: Caller) => readonly Done[];
}

/** Why calls of a method leave no entry. */
const READS = 'it only reads';
const OWN_RECORD = 'what it writes is a record of its own, with its time';
const OWN_TASKS = 'tasks are the owner’s own notebook';
const OWN_CYCLES = 'crop cycles are the owner’s own notebook';
const NEXT_STEP = 'it only ends or answers what another call began';

function one(kind: AuditKind, details: AuditDetails = {}): readonly Done[] {
  return [{ kind, details }];
}

/** Returns the effect unless the answer has a problem. */
function unless(problem: unknown, kind: AuditKind, details: AuditDetails = {}): readonly Done[] {
  return problem === null ? one(kind, details) : [];
}

function changedSettings({ change }: Checked<'setSettings'>): readonly Done[] {
  const { doorAddress, gateAddress, publicEnabled, ...others } = change;
  const done: Done[] = [];
  if (doorAddress === null) done.push({ kind: 'door_closed' });
  else if (doorAddress !== undefined) done.push({ kind: 'door_opened', details: { address: doorAddress } });
  if (gateAddress === null) done.push({ kind: 'gate_closed' });
  else if (gateAddress !== undefined) done.push({ kind: 'gate_opened', details: { address: gateAddress } });
  if (publicEnabled !== undefined) done.push({ kind: publicEnabled ? 'public_opened' : 'public_closed' });
  const names = Object.keys(others);
  if (names.length > 0) done.push({ kind: 'settings_changed', details: { names } });
  return done;
}

const nameOfPairing = async (id: string, ask: Ask): Promise<AuditDetails> => {
  const found = (await ask('door', {}))?.pairings.find((each) => each.id === id);
  return found === undefined ? {} : { name: found.name };
};
const nameOfNode = async (id: string, ask: Ask): Promise<AuditDetails> => {
  const found = (await ask('nodes', {}))?.nodes.find((each) => each.id === id);
  return found === undefined ? {} : { name: found.name };
};

/**
 * Each method of the contract with its audit entries, or the reason why it has none. Entries have only names and
 * numbers: no key, code, link, passphrase or value of a setting.
 */
export const AUDITED: { readonly [M in MethodName]: Audited<M> | string } = {
  caller: READS,
  nodeInfo: READS,
  storage: READS,
  overview: READS,
  device: READS,
  latestReadings: READS,
  readingsPage: READS,
  proofPage: READS,
  history: READS,
  space: READS,
  retention: READS,
  previewRetention: READS,
  careState: READS,
  exportSize: READS,
  exports: READS,
  ownerChoices: READS,
  journal: READS,
  photo: READS,
  photos: READS,
  photoSpace: READS,
  tasks: READS,
  cycles: READS,
  damagedFiles: READS,
  alerts: READS,
  alertHistory: READS,
  alertRules: READS,
  alertOptions: READS,
  alertChannels: READS,
  alertDigest: READS,
  getSettings: READS,
  gate: READS,
  door: READS,
  shownPairing: READS,
  nodes: READS,
  connections: READS,
  lookAtNode: READS,
  findDevices: READS,
  askDevice: READS,
  getMoves: READS,
  backups: READS,
  listBackups: READS,
  keystoreBackup: READS,
  backupFile: READS,
  checkBackup: READS,
  diagnostics: READS,
  auditLog: READS,
  security: READS,
  witnesses: READS,
  cosignCheckpoint: OWN_RECORD,
  writeJournalEntry: OWN_RECORD,
  addPhoto: 'its entry is written next',
  deleteJournalEntry: 'the journal is the owner’s own notebook',
  writeTask: OWN_TASKS,
  completeTask: OWN_RECORD,
  reopenTask: OWN_TASKS,
  postponeTask: OWN_TASKS,
  deleteTask: OWN_TASKS,
  writeCycle: OWN_CYCLES,
  deleteCycle: OWN_CYCLES,
  acknowledgeAlert: OWN_RECORD,
  snoozeAlert: OWN_RECORD,
  noticeShown: NEXT_STEP,
  cancelCare: NEXT_STEP,
  cancelMove: NEXT_STEP,
  cancelExport: NEXT_STEP,
  testAlertChannel: 'it sends a message and changes nothing',
  sendAlertDigest: 'it sends a message and changes nothing',
  testMqtt: 'it sends a message and changes nothing',
  callNode: 'the other node has it in its own log',

  openPairing: {
    done: ({ name, role, mayUnlock, mayLog }) =>
      one('pairing_opened', { name, role, mayUnlock, ...(mayLog ? { mayLog } : {}) }),
  },
  closePairing: { done: () => one('pairing_closed') },
  revokePairing: {
    before: ({ id }, ask) => nameOfPairing(id, ask),
    done: ({ id }, _view, before) => one('pairing_revoked', { id, ...before }),
  },
  leave: { done: () => one('pairing_left') },
  setDoorKeys: { done: ({ keys }) => one('door_keys_set', { count: keys.length, keys }) },

  replaceAuthority: { done: () => one('door_authority_replaced') },

  openJoining: { done: ({ closesAfterOne }) => one('joining_opened', { closesAfterOne }) },
  closeJoining: { done: () => one('joining_closed') },
  adoptDevice: { done: ({ id, name }) => one('device_adopted', { device: id, name }) },
  dismissRegistration: { done: ({ id }) => one('registration_dismissed', { device: id }) },
  setNotes: {
    before: async ({ id }, ask) => ({ isHidden: (await ask('device', { id }))?.notes.isHidden ?? false }),
    done: ({ id }, { isHidden }, before) =>
      before.isHidden === isHidden ? [] : one(isHidden ? 'device_hidden' : 'device_shown', { device: id }),
  },
  forgetDevice: { done: ({ id, store }, { readings }) => one('device_forgotten', { device: id, store, readings }) },
  pointDevice: {
    done: ({ id, address }, { state }) =>
      state === 'told' || state === 'unconfirmed' ? one('device_pointed', { device: id, address }) : [],
  },
  startDemo: { done: () => one('demo_started') },
  stopDemo: { done: () => one('demo_stopped') },

  setConnectionSecrets: {
    done: (input) => {
      const names = Object.keys(input);
      return names.length === 0 ? [] : one('settings_changed', { names });
    },
  },
  setSettings: { done: (input, { saved }) => (saved ? changedSettings(input) : []) },
  planBackups: { done: (_plan, { problem }) => unless(problem, 'settings_changed', { names: ['backups'] }) },
  setOwnerChoices: {
    done: (input) => {
      const names = Object.keys(input);
      return names.length === 0 ? [] : one('choices_changed', { names });
    },
  },
  setRetention: { done: () => one('retention_set') },
  writeAlertRule: {
    done: ({ rule }) => one('alert_rule_written', { name: 'name' in rule ? rule.name : rule.kind }),
  },
  deleteAlertRule: {
    before: async ({ id }, ask) => {
      const found = (await ask('alertRules', {}))?.rules.find(({ rule }) => rule.id === id)?.rule;
      return found !== undefined && 'name' in found ? { name: found.name } : {};
    },
    done: ({ id }, _answer, before) => one('alert_rule_deleted', { id, ...before }),
  },
  writeAlertChannel: {
    done: ({ channel }) => one('alert_channel_written', { name: channel.name, to: channel.target.kind }),
  },
  deleteAlertChannel: {
    before: async ({ id }, ask) => {
      const found = (await ask('alertChannels', {}))?.channels.find(({ channel }) => channel.id === id);
      return found === undefined ? {} : { name: found.channel.name };
    },
    done: ({ id }, _answer, before) => one('alert_channel_deleted', { id, ...before }),
  },
  setAlertOptions: { done: () => one('alert_options_set') },
  dismissDamagedFile: {
    before: async ({ id }, ask) => {
      const found = (await ask('damagedFiles', {}))?.files.find((each) => each.id === id);
      return found === undefined ? {} : { file: found.file };
    },
    done: (_input, _answer, { file }) => (file === undefined ? [] : one('notice_dismissed', { file })),
  },
  dismissRestored: { done: () => one('notice_dismissed', { file: 'restored.json' }) },
  addNode: {
    done: (_input, answer) =>
      answer.problem === null ? one('node_added', { name: answer.node.name, node: answer.node.id }) : [],
  },
  renameNode: { done: ({ id, name }) => one('node_renamed', { node: id, name }) },
  removeNode: {
    before: ({ id }, ask) => nameOfNode(id, ask),
    done: ({ id }, _answer, before) => one('node_removed', { node: id, ...before }),
  },

  // The page at the machine itself reads the keystore each time it is opened.
  readKeystore: {
    done: (_input, { blob }, _before, { pairing }) => (blob === null || pairing === null ? [] : one('keys_read')),
  },
  writeKeystore: { done: () => one('keys_written') },
  tellKeysExported: { done: ({ what }) => one('keys_exported', { what }) },

  makeBackup: { done: (_input, { problem }) => unless(problem, 'backup_started') },
  confirmBackupFolder: {
    done: ({ confirm }, { problem }) => unless(problem, 'backup_folder_confirmed', { path: confirm }),
  },
  restoreBackup: { done: ({ path }, { problem }) => unless(problem, 'restore_started', { path }) },
  confirmHeldBack: { done: ({ ids }, { problem }) => unless(problem, 'settings_changed', { names: ids }) },
  dropHeldBack: { done: ({ ids }, { problem }) => unless(problem, 'settings_changed', { names: ids }) },
  undoRestore: { done: ({ confirm }, { problem }) => unless(problem, 'restore_started', { path: confirm }) },
  beginExport: {
    done: ({ folder, format }, { problem }) => unless(problem, 'export_started', { path: folder, format }),
  },
  compactStore: { done: ({ store }) => one('store_compacted', { store }) },
  moveData: { done: ({ to }, { problem }) => unless(problem, 'data_moved', { path: to }) },
  useDataDir: { done: ({ path }, { problem }) => unless(problem, 'data_folder_chosen', { path }) },
  deleteOldData: { done: ({ path }, { deleted }) => (deleted ? one('old_data_deleted', { path }) : []) },
};

/** Returns the audit log's actor for a caller. */
export function actorOf({ pairing, by }: Caller): AuditActor {
  return { by, name: pairing?.name ?? null, id: pairing?.id ?? null };
}
