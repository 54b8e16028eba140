import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Settings } from '../../../shared/settings/table.ts';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import { readPublicKey } from '../../data-folder/identity.ts';
import type { StoreLocation } from '../../store/engine.ts';
import { engineOf } from '../../store/engines.ts';
import { locationsIn } from '../../store/locations.ts';
import type { Lock } from '../archive/encryption.ts';
import type { NodePaths } from '../node-files.ts';
import { backupsIn } from './backup-folder.ts';
import { openBackupFolder } from './folder-guard.ts';
import { type MadeBackup, makeBackup } from './make-backup.ts';
import { rememberMade } from './run-backup.ts';

/**
 * The folder for the backup before a migration if no backup folder is chosen. It protects against a failed migration,
 * not against a broken disk.
 */
export const OWN_FOLDER = 'before-migration';

export interface BeforeMigration extends NodePaths {
  readonly settings: Settings;
  readonly lock: Lock;
  readonly log: Logger;
}

/**
 * Makes a backup of a stopped node before its stores are migrated. Makes none if the stores have the present version,
 * or if the data folder has a backup of the same data (the package makes one that a rollback restores). A failure is
 * logged and does not stop the start: a migration is one transaction, and a node that does not start receives no
 * readings. Never rejects.
 */
export async function backupBeforeMigration({
  dataDir,
  settingsFile,
  settings,
  lock,
  log,
}: BeforeMigration): Promise<void> {
  const stores = Object.values(locationsIn(dataDir));
  const areOlder = await Promise.all(
    stores.map(async (location) => {
      const { snapshots } = engineOf(location);
      const version = await snapshots.versionAt(location);
      return version !== null && version > 0 && version < snapshots.newestVersion;
    }),
  );
  if (!areOlder.includes(true)) return;
  try {
    const found = await backupOfNow(dataDir, stores);
    if (found !== null) {
      log.info({ path: found }, 'the stores are backed up before they are upgraded');
      return;
    }
    const folder = await folderFor(dataDir, settings, log);
    const made = await makeBackup({ dataDir, settingsFile, folder, reason: 'migration', lock });
    await rememberMade(dataDir, folder, made, lock?.kind ?? 'none');
    const { path, bytes, durationMs } = made;
    log.info({ path, bytes, durationMs }, 'backup made before the stores are upgraded');
  } catch (error) {
    log.error({ reason: (error as Error).message }, 'no backup could be made before the stores are upgraded');
  }
}

/**
 * Returns the path of a backup in the data folder that is newer than the last write to the stores, or null. All these
 * times are of files on the same disk. A backup is written after the stores were read, and a running node writes to
 * them.
 */
async function backupOfNow(dataDir: string, stores: readonly StoreLocation[]): Promise<string | null> {
  const own = join(dataDir, OWN_FOLDER);
  if (!existsSync(own)) return null;
  const written = await Promise.all(stores.map((location) => engineOf(location).snapshots.changedAt(location)));
  const found = (await backupsIn(own, readPublicKey(dataDir))).filter(({ isBefore }) => isBefore);
  const isOfNow = (madeAt: number) => madeAt <= SYSTEM_CLOCK.now() && written.every((at) => at < madeAt);
  return found.find(({ path }) => isOfNow(changedAt(path)))?.path ?? null;
}

/** Returns the time of a file's last write; -Infinity if it does not exist. */
function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

async function folderFor(dataDir: string, { backupFolder }: Settings, log: Logger): Promise<string> {
  if (backupFolder !== null) {
    try {
      await openBackupFolder(backupFolder, dataDir, 'plan');
      return backupFolder;
    } catch (error) {
      log.warn(
        { reason: (error as Error).message },
        'the backup folder can’t be used: the backup goes into the data folder',
      );
    }
  }
  const own = join(dataDir, OWN_FOLDER);
  if (!existsSync(own)) mkdirSync(own, { mode: 0o700 });
  return own;
}

/** The number of backups that are kept: each takes as much space as the data, on the same disk. */
const KEPT = 2;

/**
 * Makes the backup that an unattended rollback restores. Nobody is there to unlock it, so it is unencrypted, in the
 * data folder, which is as private as the stores. Deletes older ones of its kind. Rejects with CareError.
 */
export async function backupBeforeUpgrade({ dataDir, settingsFile }: NodePaths): Promise<MadeBackup> {
  const folder = join(dataDir, OWN_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const made = await makeBackup({ dataDir, settingsFile, folder, reason: 'migration', lock: null });
  const others = (await backupsIn(folder, made.manifest.node.publicKey)).filter(({ path }) => path !== made.path);
  for (const { path } of others.slice(KEPT - 1)) rmSync(path);
  return made;
}
