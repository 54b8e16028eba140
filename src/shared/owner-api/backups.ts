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

/** The fault, with a line in English for whoever helps. */
const careProblem = z.strictObject({ fault: z.enum(CARE_FAULTS), message: z.string() });
export type CareProblem = z.infer<typeof careProblem>;

const encryption = z.enum(['none', 'recipient', 'passphrase']);

const backupFile = z.strictObject({
  path,
  name: z.string(),
  bytes: count,
  madeAt: timeMs,
  /** Whether it was made before something changed the data. */
  isBefore: z.boolean(),
  encryption,
  /** Whether this node made it and read it back. */
  isVerified: z.boolean(),
});
export type BackupFile = z.infer<typeof backupFile>;

const heldByStore = z.strictObject({ devices: count, readings: count, lastReceivedAt: timeMs.nullable() });

/** A restored item that would listen, send or let others in: it is off until the owner has confirmed it. */
export const heldBack = z.strictObject({
  id: z.string(),
  kind: z.enum(['public', 'gate', 'door', 'hosts', 'mqtt', 'metrics', 'backups', 'channel', 'node']),
  /** Where it listens, who is let in, where it sends to. */
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
  /** Whether its stores are of an older version, which a restore brings up to date. */
  isOlder: z.boolean(),
  /** The items in it that would listen, send or let others in. */
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
   * The confirmation that the folder needs before it is used: that another disk is in its place, or that this node
   * takes the place of the one that it was restored from. null for none.
   */
  doubt: z.enum(['disk', 'node']).nullable(),
  /** Whether the folder lies on the disk that the data is on. */
  isOnDataDisk: z.boolean(),
  /** This node's in the folder, the newest first. */
  files: z.array(backupFile),
  /** The latest that was made in the folder and read back there. */
  last: madeBackup.nullable(),
  /** The latest in each other folder, the newest first. */
  elsewhere: z.array(madeBackup),
  /** The latest planned backup that failed, if none was made since. */
  failure: careProblem.extend({ at: timeMs }).nullable(),
  nextAt: timeMs.nullable(),
  /** The work under way. */
  work: z
    .strictObject({
      kind: z.enum(['backup', 'check', 'restore']),
      phase: z.enum(CARE_PHASES).nullable(),
      doneBytes: count,
      totalBytes: count,
    })
    .nullable(),
  /** How the latest check, restore or undoing of one ended in this run of the program. */
  opened: z
    .strictObject({
      kind: z.enum(['check', 'restore', 'undo']),
      /** The backup; of `undo`: where the restored data is now. */
      path,
      at: timeMs,
      contents: backupContents.nullable(),
      problem: careProblem.nullable(),
      /** After a restore, the folder of the earlier data. */
      aside: z.string().nullable(),
      /**
       * After a restore and `undo`, how the node came up with it; null if it is still starting, or was not asked to.
       */
      health: restoreHealth.nullable(),
    })
    .nullable(),
  /** Where this node's data came from, until the owner has read of it. */
  restored: z
    .strictObject({ madeAt: z.string(), restoredAt: z.string(), host: z.string(), dataDir: z.string() })
    .nullable(),
  heldBack: z.array(heldBack),
  /** The data that the latest restore put aside, and when; null: there is none. */
  kept: z.strictObject({ path, at: timeMs }).nullable(),
});
export type BackupsView = z.infer<typeof backupsView>;

/** The key that opens a backup: the age identity of the owner's phrase, never the phrase itself; or a passphrase. */
const backupKey = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('identity'), identity: z.string().refine(isBackupIdentity) }),
    z.strictObject({ kind: z.literal('passphrase'), passphrase: z.string().min(1).max(1000) }),
  ])
  .nullable();

const problem = z.strictObject({ problem: careProblem.nullable() });

export const BACKUP_METHODS = {
  backups: { role: 'owner', input: nothing, output: backupsView },
  /** Changes where, how and when backups are made; a folder has to be there. */
  planBackups: { role: 'owner', input: z.strictObject(plan), output: problem },
  /**
   * The owner says that the folder of the settings, as it is now, is this node's: it takes the place of the node that it was
   * restored from, or another disk is there from now on. `confirm` repeats the folder.
   */
  confirmBackupFolder: { role: 'owner', input: z.strictObject({ confirm: path }), output: problem },
  /** The backups in the folders that the node knows, or in one of its machine that the owner names. */
  listBackups: {
    role: 'owner',
    input: z.strictObject({ folder: path.nullable() }),
    output: z.strictObject({ folders: z.array(folderBackups) }),
  },
  /** When the latest backup with the owner's keystore was made in the planned folder, and whether the keystore is still that. */
  keystoreBackup: {
    role: 'owner',
    input: nothing,
    output: z.strictObject({ at: timeMs.nullable(), isCurrent: z.boolean() }),
  },
  /** Begins one, to the folder of the settings; `backups` events say when `backups` has news of it. */
  makeBackup: {
    role: 'owner',
    input: z.strictObject({ passphrase: z.string().min(8).max(1000).nullable() }),
    output: problem,
  },
  /** Begins to open a backup as a restore would, and changes nothing. */
  checkBackup: { role: 'owner', input: z.strictObject({ path, key: backupKey }), output: problem },
  /** Begins to put a backup in place of the present data. `confirm` repeats the path. */
  restoreBackup: { role: 'owner', input: z.strictObject({ path, key: backupKey, confirm: path }), output: problem },
  /** Begins to put the data of `kept` back. `confirm` repeats its path. */
  undoRestore: { role: 'owner', input: z.strictObject({ confirm: path }), output: problem },
  /** How a file is encrypted, and so what opens it. */
  backupFile: {
    role: 'owner',
    input: z.strictObject({ path }),
    output: z.strictObject({
      encryption: encryption.nullable(),
      problem: careProblem.nullable(),
    }),
  },
  /** Puts some of `heldBack` into force; the node starts again for that. */
  confirmHeldBack: { role: 'owner', input: z.strictObject({ ids: z.array(z.string()).min(1) }), output: problem },
  /** Forgets some of `heldBack`, which stays off. */
  dropHeldBack: { role: 'owner', input: z.strictObject({ ids: z.array(z.string()).min(1) }), output: problem },
  cancelCare: { role: 'owner', input: nothing, output: nothing },
  /** The owner has read that the data was restored, and that the node before must not run. */
  dismissRestored: { role: 'owner', input: nothing, output: nothing },
} as const satisfies Methods;
