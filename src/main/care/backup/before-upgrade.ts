import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { NodePaths } from '../node-files.ts';
import { backupsIn } from './backup-folder.ts';
import { OWN_FOLDER } from './before-migration.ts';
import { type MadeBackup, makeBackup } from './make-backup.ts';

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
