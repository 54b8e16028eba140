import { NO_OPTIONS } from '../../src/shared/alerts/channel.ts';
import { builtInRules } from '../../src/shared/alerts/rule.ts';
import type { Input, MethodName } from '../../src/shared/owner-api/contract.ts';
import { NO_NOTES } from '../../src/shared/owner-api/devices.ts';
import { NO_RETENTION } from '../../src/shared/owner-api/retention.ts';

/** No store knows it. */
export const UNKNOWN_DEVICE = 'ee'.repeat(32);
/** No rule, alert or channel has it. */
export const UNKNOWN_ID = '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11';

const NO_SERVERS = { external: [], local: [] };

/** An input that each method takes; it changes nothing of note on a node in a browser. */
export const VALID_INPUTS: { readonly [M in MethodName]: Input<M> } = {
  caller: {},
  nodeInfo: {},
  storage: {},
  overview: { dayStart: 0 },
  device: { id: UNKNOWN_DEVICE },
  latestReadings: { id: UNKNOWN_DEVICE, limit: 10 },
  readingsPage: { id: UNKNOWN_DEVICE, from: null, to: null, cursor: null, limit: 10 },
  history: { id: UNKNOWN_DEVICE, from: null, to: null, maxPoints: 10 },
  ownerChoices: {},
  setOwnerChoices: {},
  journal: { device: UNKNOWN_DEVICE, from: null, to: null },
  writeJournalEntry: { id: null, device: UNKNOWN_DEVICE, at: 0, text: 'Changed nutrients' },
  deleteJournalEntry: { id: 1 },
  setNotes: { id: UNKNOWN_DEVICE, notes: NO_NOTES },
  forgetDevice: { id: UNKNOWN_DEVICE, store: 'private', confirm: UNKNOWN_DEVICE },
  readKeystore: {},
  writeKeystore: { blob: 'V0VMTEhLRVlT', expectedRevision: null, replaceDamaged: false },
  startDemo: {},
  stopDemo: {},
  space: {},
  retention: {},
  previewRetention: NO_RETENTION,
  setRetention: NO_RETENTION,
  careState: {},
  compactStore: { store: 'private' },
  gate: {},
  openJoining: { closesAfterOne: true },
  closeJoining: {},
  adoptDevice: { id: UNKNOWN_DEVICE, name: 'Tank', dispositions: {} },
  door: {},
  openPairing: { name: 'Phone', role: 'viewer', devices: null, mayUnlock: false },
  closePairing: {},
  revokePairing: { id: UNKNOWN_ID },
  setDoorKeys: { keys: [] },
  leave: {},
  findDevices: {},
  askDevice: { id: UNKNOWN_DEVICE, address: '8.8.8.8' },
  pointDevice: { id: UNKNOWN_DEVICE, address: '8.8.8.8', before: NO_SERVERS, after: NO_SERVERS },
  alerts: {},
  alertHistory: { device: null, rule: null, before: null, limit: 10 },
  alertRules: {},
  writeAlertRule: { rule: { ...builtInRules()[0]!, isOn: false } },
  deleteAlertRule: { id: UNKNOWN_ID },
  acknowledgeAlert: { id: UNKNOWN_ID },
  snoozeAlert: { id: UNKNOWN_ID, until: 1 },
  alertOptions: {},
  setAlertOptions: NO_OPTIONS,
  alertChannels: {},
  writeAlertChannel: {
    channel: { id: UNKNOWN_ID, name: '', isOn: true, withoutValues: false, target: { kind: 'desktop' } },
    secrets: {},
  },
  deleteAlertChannel: { id: UNKNOWN_ID },
  noticeShown: { id: UNKNOWN_ID, isShown: true },
  testAlertChannel: { id: UNKNOWN_ID },
  getSettings: {},
  setSettings: { change: { publicRateLimit: 50 } },
  backups: {},
  undoRestore: { confirm: '/data/before-restore-20260101T000000Z' },
  planBackups: { folder: null, recipient: null, time: '03:30', keepDaily: 7, keepWeekly: 4, keepMonthly: 12 },
  makeBackup: { passphrase: null },
  checkBackup: { path: '/x', key: null },
  restoreBackup: { path: '/x', key: null, confirm: '/x' },
  backupFile: { path: '/x' },
  cancelCare: {},
  dismissRestored: {},
  getMoves: {},
  moveData: { to: '/x' },
  useDataDir: { path: '/x', startOver: false },
  cancelMove: {},
  deleteOldData: { path: '/x', confirm: '/x' },
  diagnostics: {},
};
