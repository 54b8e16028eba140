import { z } from 'zod';
import { CARE_FAULTS } from '../care/faults.ts';
import { restoreHealth } from '../care/health.ts';
import { CARE_PHASES } from '../care/progress.ts';
import { isBackupIdentity } from '../crypto/age-keys.ts';
import { timeMs } from '../owner-data/values.ts';
import { SETTINGS } from '../settings/table.ts';
import type { Methods } from './method.ts';
import { count, nothing } from './values.ts';

const path = z.string().min(1).max(4096);

/** The fault, with a line in English for support. */
const careProblem = z.strictObject({ fault: z.enum(CARE_FAULTS), message: z.string() });
export type CareProblem = z.infer<typeof careProblem>;

const encryption = z.enum(['none', 'recipient', 'passphrase']);

const backupFile = z.strictObject({
  path,
  name: z.string(),
  bytes: count,
  madeAt: timeMs,
  /** Whether it was made automatically before a migration. */
  isBefore: z.boolean(),
  encryption,
  /** Whether this node made it and read it back. */
  isVerified: z.boolean(),
});
export type BackupFile = z.infer<typeof backupFile>;

const heldByStore = z.strictObject({ devices: count, readings: count, lastReceivedAt: timeMs.nullable() });

/** A restored item that would listen, send or admit others. It stays off until the owner confirms it. */
export const heldBack = z.strictObject({
  id: z.string(),
  kind: z.enum(['public', 'gate', 'door', 'hosts', 'mqtt', 'metrics', 'backups', 'channel', 'node']),
  /** Where it listens, who is admitted, or where it sends to. */
  detail: z.string(),
});
export type HeldBack = z.infer<typeof heldBack>;

/** The contents of a backup. */
const backupContents = z.strictObject({
  madeAt: timeMs,
  program: z.string(),
  publicKey: z.string(),
  host: z.string(),
  dataDir: z.string(),
  private: heldByStore,
  public: heldByStore.nullable(),
  /** Whether its stores have an older version, which a restore migrates. */
  isOlder: z.boolean(),
  /** The items in it that would listen, send or admit others. */
  active: z.array(heldBack),
});
export type BackupContents = z.infer<typeof backupContents>;

/** The settings of backups. */
const plan = {
  folder: SETTINGS.backupFolder.schema,
  recipient: SETTINGS.backupRecipient.schema,
  time: SETTINGS.backupTime.schema,
  keepDaily: SETTINGS.backupKeepDaily.schema,
  keepWeekly: SETTINGS.backupKeepWeekly.schema,
  keepMonthly: SETTINGS.backupKeepMonthly.schema,
};
export const PLAN_NAMES = Object.keys(plan) as [keyof typeof plan, ...(keyof typeof plan)[]];

/** A backup that this node made and read back. */
const madeBackup = z.strictObject({ at: timeMs, path, bytes: count, durationMs: count, encryption });

/** The backups in one folder, of every node. */
const folderBackups = z.strictObject({
  path,
  /** Whether the settings name it. */
  isPlanned: z.boolean(),
  problem: careProblem.nullable(),
  /** The newest first. */
  files: z.array(backupFile),
});
export type FolderBackups = z.infer<typeof folderBackups>;

export const backupsView = z.strictObject({
  plan: z.strictObject(plan),
  /** The settings that environment variables set. */
  pinned: z.array(z.enum(PLAN_NAMES)),
  /** Why the folder can't be used now. */
  folderProblem: careProblem.nullable(),
  /**
   * The confirmation that the folder needs before the node uses it: `disk` if another disk replaced it, `node` if this node
   * replaces the one that it was restored from. null if it needs none.
   */
  doubt: z.enum(['disk', 'node']).nullable(),
  /** Whether the folder is on the same disk as the data. */
  isOnDataDisk: z.boolean(),
  /** This node's backups in the folder, the newest first. */
  files: z.array(backupFile),
  /** The latest backup that was made and read back in the folder. */
  last: madeBackup.nullable(),
  /** The latest backup in each other folder, the newest first. */
  elsewhere: z.array(madeBackup),
  /** The latest failure of a scheduled backup; null if one succeeded since. */
  failure: careProblem.extend({ at: timeMs }).nullable(),
  nextAt: timeMs.nullable(),
  /** The running job; null if there is none. */
  work: z
    .strictObject({
      kind: z.enum(['backup', 'check', 'restore']),
      phase: z.enum(CARE_PHASES).nullable(),
      doneBytes: count,
      totalBytes: count,
    })
    .nullable(),
  /** The result of the latest check, restore or undo since the program started. */
  opened: z
    .strictObject({
      kind: z.enum(['check', 'restore', 'undo']),
      /** The path of the backup. For `undo`, the folder that now has the restored data. */
      path,
      at: timeMs,
      contents: backupContents.nullable(),
      problem: careProblem.nullable(),
      /** After a restore, the folder with the previous data. */
      aside: z.string().nullable(),
      /**
       * After a restore or undo, whether the node started with the data; null if it is still starting, or was not started.
       */
      health: restoreHealth.nullable(),
    })
    .nullable(),
  /** The origin of restored data, until the owner dismisses the notice. */
  restored: z
    .strictObject({ madeAt: z.string(), restoredAt: z.string(), host: z.string(), dataDir: z.string() })
    .nullable(),
  heldBack: z.array(heldBack),
  /** The data that the latest restore moved aside, and when; null if there is none. */
  kept: z.strictObject({ path, at: timeMs }).nullable(),
});
export type BackupsView = z.infer<typeof backupsView>;

/** The key of a backup: the age identity derived from the owner's phrase (never the phrase itself), or a passphrase. */
const backupKey = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('identity'), identity: z.string().refine(isBackupIdentity) }),
    z.strictObject({ kind: z.literal('passphrase'), passphrase: z.string().min(1).max(1000) }),
  ])
  .nullable();

const problem = z.strictObject({ problem: careProblem.nullable() });

export const BACKUP_METHODS = {
  backups: { role: 'owner', input: nothing, output: backupsView },
  /** Changes the folder, encryption and schedule of backups. The folder must exist. */
  planBackups: { role: 'owner', input: z.strictObject(plan), output: problem },
  /**
   * Confirms that the configured folder belongs to this node: the node replaces the one that it was restored from, or a new
   * disk replaces the old one. `confirm` repeats the folder.
   */
  confirmBackupFolder: { role: 'owner', input: z.strictObject({ confirm: path }), output: problem },
  /** Lists the backups in the folders that the node knows, or in `folder` on its machine. */
  listBackups: {
    role: 'owner',
    input: z.strictObject({ folder: path.nullable() }),
    output: z.strictObject({ folders: z.array(folderBackups) }),
  },
  /** Returns when the scheduled folder last got a backup of the keystore, and whether the keystore is unchanged since. */
  keystoreBackup: {
    role: 'owner',
    input: nothing,
    output: z.strictObject({ at: timeMs.nullable(), isCurrent: z.boolean() }),
  },
  /** Starts a backup to the configured folder. `backups` events report progress. */
  makeBackup: {
    role: 'owner',
    input: z.strictObject({ passphrase: z.string().min(8).max(1000).nullable() }),
    output: problem,
  },
  /** Starts a check: it opens a backup like a restore, and changes nothing. */
  checkBackup: { role: 'owner', input: z.strictObject({ path, key: backupKey }), output: problem },
  /** Starts a restore, which replaces the present data. `confirm` repeats the path. */
  restoreBackup: { role: 'owner', input: z.strictObject({ path, key: backupKey, confirm: path }), output: problem },
  /** Starts to restore the data of `kept`. `confirm` repeats its path. */
  undoRestore: { role: 'owner', input: z.strictObject({ confirm: path }), output: problem },
  /** Returns how a backup file is encrypted, which says which key opens it. */
  backupFile: {
    role: 'owner',
    input: z.strictObject({ path }),
    output: z.strictObject({
      encryption: encryption.nullable(),
      problem: careProblem.nullable(),
    }),
  },
  /** Enables some items of `heldBack`. The node restarts for that. */
  confirmHeldBack: { role: 'owner', input: z.strictObject({ ids: z.array(z.string()).min(1) }), output: problem },
  /** Discards some items of `heldBack`. They stay off. */
  dropHeldBack: { role: 'owner', input: z.strictObject({ ids: z.array(z.string()).min(1) }), output: problem },
  cancelCare: { role: 'owner', input: nothing, output: nothing },
  /** Dismisses the notice that the data was restored and that the old node must not run. */
  dismissRestored: { role: 'owner', input: nothing, output: nothing },
} as const satisfies Methods;
