import { isAbsolute } from 'node:path';
import { type BACKUP_METHODS, type BackupsView, type CareProblem, PLAN_NAMES } from '../../shared/owner-api/backups.ts';
import type { MethodHandlers } from '../../shared/owner-api/method.ts';
import { SETTINGS, type Settings } from '../../shared/settings/table.ts';
import { OwnerError } from '../common/owner-error.ts';
import type { Opener } from './archive/encryption.ts';
import { encryptionOfFile } from './archive/read-archive.ts';
import { readBackupState } from './backup/backup-state.ts';
import { keystoreBackup, listBackups, lookAtPlanned } from './backup/backups-view.ts';
import { openBackupFolder } from './backup/folder-guard.ts';
import type { Care } from './care.ts';
import { CareError, careError } from './care-error.ts';
import { dropHeldBack, heldBackIn } from './restore/held-back.ts';
import { keptData, restoreNote } from './restore/restore.ts';
import { startCare } from './thread/care-thread.ts';

type Plan = BackupsView['plan'];
type PlanName = (typeof PLAN_NAMES)[number];

export type BackupHandlers = MethodHandlers<typeof BACKUP_METHODS>;

/** The setting for each part of the plan. */
export const PLAN_SETTINGS = {
  folder: 'backupFolder',
  recipient: 'backupRecipient',
  time: 'backupTime',
  keepDaily: 'backupKeepDaily',
  keepWeekly: 'backupKeepWeekly',
  keepMonthly: 'backupKeepMonthly',
} as const satisfies Record<PlanName, keyof Settings>;
type PlanSettings = Pick<Settings, (typeof PLAN_SETTINGS)[PlanName]>;

export interface BackupCallDependencies {
  readonly care: Care;
  readonly dataDir: () => string;
  readonly settings: () => Settings;
  readonly isPinned: (setting: (typeof SETTINGS)[keyof PlanSettings]) => boolean;
  /** Saves settings and notifies the pages that show them. */
  readonly save: (change: Partial<PlanSettings>) => Promise<void>;
}

/** Returns the handlers for backups. Long work continues after the answer. */
export function backupHandlers(dependencies: BackupCallDependencies): BackupHandlers {
  const { care } = dependencies;
  return {
    backups: () => viewOf(dependencies),
    planBackups: async (plan) => ({ problem: await problemOf(() => setPlan(dependencies, plan)) }),
    confirmBackupFolder: async ({ confirm }) => {
      if (confirm !== dependencies.settings().backupFolder)
        throw new OwnerError('invalid_input', 'confirm: does not repeat the folder');
      return { problem: await problemOf(() => care.confirmFolder(confirm)) };
    },
    listBackups: async ({ folder }) => ({
      folders: await listBackups(folder, dependencies.settings().backupFolder, dependencies.dataDir()),
    }),
    keystoreBackup: () => keystoreBackup(dependencies.settings().backupFolder, dependencies.dataDir()),
    makeBackup: async ({ passphrase }) => {
      const lock = passphrase === null ? care.lock : ({ kind: 'passphrase', passphrase } as const);
      return { problem: await problemOf(() => care.backUp('demand', lock)) };
    },
    checkBackup: async ({ path, key }) => ({
      problem: await problemOf(async () => {
        await mustOpen(path, key);
        care.check({ backup: path, opener: key });
      }),
    }),
    restoreBackup: async ({ path, key, confirm }) => {
      if (confirm !== path) throw new OwnerError('invalid_input', 'confirm: does not repeat the path');
      return {
        problem: await problemOf(async () => {
          await mustOpen(path, key);
          care.restore({ backup: path, opener: key });
        }),
      };
    },
    undoRestore: async ({ confirm }) => {
      if (confirm !== keptData(dependencies.dataDir())?.path)
        throw new OwnerError('invalid_input', 'confirm: does not repeat the path');
      return { problem: await problemOf(() => care.undoRestore()) };
    },
    backupFile: async ({ path }) => {
      try {
        if (!isAbsolute(path)) throw new CareError('refused', 'the path is not absolute');
        return { encryption: await encryptionOfFile(path), problem: null };
      } catch (error) {
        return { encryption: null, problem: told(careError(error, `${path} can’t be read`)) };
      }
    },
    confirmHeldBack: async ({ ids }) => ({ problem: await problemOf(() => care.releaseHeldBack(ids)) }),
    dropHeldBack: async ({ ids }) => ({
      problem: await problemOf(() => {
        dropHeldBack(dependencies.dataDir(), ids);
        care.changed();
      }),
    }),
    cancelCare: () => {
      care.cancel();
      return {};
    },
    dismissRestored: () => {
      care.dismissRestored();
      return {};
    },
  };
}

/** Reports a wrong key at once, while the page still has the input. */
async function mustOpen(backup: string, key: Opener): Promise<void> {
  if (key !== null) await startCare('tryKey', { backup, opener: key }, { onProgress: () => {} }).done;
}

async function viewOf({ care, dataDir, settings, isPinned }: BackupCallDependencies): Promise<BackupsView> {
  const plan = planOf(settings());
  const note = restoreNote(dataDir());
  return {
    plan,
    pinned: PLAN_NAMES.filter((name) => isPinned(SETTINGS[PLAN_SETTINGS[name]])),
    ...(await lookAtPlanned(plan.folder, dataDir())),
    failure: readBackupState(dataDir()).failure,
    nextAt: care.nextAt,
    work: care.work,
    opened: care.opened,
    restored: note && { madeAt: note.madeAt, restoredAt: note.restoredAt, host: note.host, dataDir: note.dataDir },
    heldBack: heldBackIn(dataDir()),
    kept: keptData(dataDir()),
  };
}

async function setPlan({ dataDir, settings, isPinned, save }: BackupCallDependencies, plan: Plan): Promise<void> {
  const before = planOf(settings());
  const changed = PLAN_NAMES.filter((name) => plan[name] !== before[name]);
  const pinned = changed.find((name) => isPinned(SETTINGS[PLAN_SETTINGS[name]]));
  if (pinned !== undefined) throw new OwnerError('conflict', `${SETTINGS[PLAN_SETTINGS[pinned]].variable} is set`);
  if (plan.folder !== null && changed.includes('folder')) {
    // The folder is marked at once, so that an empty mount point is not mistaken for it before the first backup.
    await openBackupFolder(plan.folder, dataDir(), 'owner');
  }
  const change = Object.fromEntries(changed.map((name) => [PLAN_SETTINGS[name], plan[name]]));
  if (changed.length > 0) await save(change);
}

function planOf(settings: Settings): Plan {
  return Object.fromEntries(PLAN_NAMES.map((name) => [name, settings[PLAN_SETTINGS[name]]])) as unknown as Plan;
}

async function problemOf(run: () => unknown): Promise<CareProblem | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof OwnerError) throw error;
    return told(careError(error, 'it failed'));
  }
}

const told = ({ fault, message }: CareError): CareProblem => ({ fault, message });
