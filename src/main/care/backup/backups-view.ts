import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BackupFile, BackupsView, FolderBackups } from '../../../shared/owner-api/backups.ts';
import { readPublicKey } from '../../data-folder/identity.ts';
import { encryptionOfFile } from '../archive/read-archive.ts';
import { careError } from '../care-error.ts';
import { KEYSTORE_FILE } from '../node-files.ts';
import { backupsIn, FOLDER_MARK, isOnDataDisk } from './backup-folder.ts';
import { type BackupState, knownFolder, latestIn, latestOf, type MadeEntry, readBackupState } from './backup-state.ts';
import { OWN_FOLDER } from './before-migration.ts';
import { awaitsConfirmation, doubtAbout } from './folder-guard.ts';

/** The state of the planned folder, its contents, and backups in other folders. */
export type PlannedFolder = Pick<
  BackupsView,
  'folderProblem' | 'doubt' | 'isOnDataDisk' | 'files' | 'last' | 'elsewhere'
>;

/** Inspects the planned folder (null: there is none) without changes. */
export async function lookAtPlanned(folder: string | null, dataDir: string): Promise<PlannedFolder> {
  const state = readBackupState(dataDir);
  const elsewhere = state.folders
    .filter(({ path }) => knownFolder(state, folder ?? '')?.path !== path)
    .flatMap(({ path }) => latestIn(state, path) ?? [])
    .map(shown)
    .sort((a, b) => b.at - a.at);
  if (folder === null) {
    return { folderProblem: null, doubt: null, isOnDataDisk: false, files: [], last: null, elsewhere };
  }
  const looked = await doubtAbout(folder, dataDir, 'plan').catch((error: unknown) => ({
    doubt: awaitsConfirmation(state, folder) ? ('node' as const) : null,
    error: careError(error, 'the backup folder can’t be used'),
  }));
  const { doubt, error } = looked;
  const files = error === null || doubt === 'node' ? await filesIn(folder, dataDir, state).catch(() => []) : [];
  // If the folder can be read, files that are missing no longer count.
  const last = latestIn(error === null ? onlyThere(state, folder, files) : state, folder);
  return {
    folderProblem: error === null ? null : { fault: error.fault, message: error.message },
    doubt,
    isOnDataDisk: await isOnDataDisk(folder, dataDir),
    files,
    last: last === null ? null : shown(last),
    elsewhere,
  };
}

/**
 * Returns the time (Unix milliseconds) of the latest verified backup with a keystore in the planned folder, and whether
 * it has the present keystore. It is fast: it opens no backup.
 */
export function keystoreBackup(planned: string | null, dataDir: string): { at: number | null; isCurrent: boolean } {
  const made = (planned === null ? null : knownFolder(readBackupState(dataDir), planned))?.made ?? [];
  const latest = latestOf(made.filter(({ keystore }) => keystore !== null));
  return { at: latest?.at ?? null, isCurrent: latest !== null && latest.keystore === hashOfKeystore(dataDir) };
}

function hashOfKeystore(dataDir: string): string | null {
  try {
    return createHash('sha256')
      .update(readFileSync(join(dataDir, KEYSTORE_FILE)))
      .digest('hex');
  } catch {
    return null;
  }
}

function shown({ at, path, bytes, durationMs, encryption }: MadeEntry & { path: string }) {
  return { at, path, bytes, durationMs, encryption };
}

/** The folders in which systems mount disks. */
const MOUNTS = ['/media', '/run/media', '/mnt', '/Volumes'];
const MOUNT_DEPTH = 3;
/** The search stops after this time if a disk hangs. */
const MOUNTS_LIMIT_MS = 3000;

/**
 * Returns the backups in the folder that the owner names, or, if `named` is null, in all folders that the node knows
 * and all marked folders on mounted disks.
 */
export async function listBackups(
  named: string | null,
  planned: string | null,
  dataDir: string,
  mounts: readonly string[] = MOUNTS,
): Promise<FolderBackups[]> {
  const state = readBackupState(dataDir);
  const known = [planned ?? [], state.folders.map(({ path }) => path), join(dataDir, OWN_FOLDER)].flat();
  const paths = named === null ? [...new Set([...known, ...(await markedFolders(mounts))])] : [named];
  const found = await Promise.all(
    paths.map(async (path): Promise<FolderBackups> => {
      const isPlanned = path === planned;
      try {
        return { path, isPlanned, problem: null, files: await filesIn(path, dataDir, state, null) };
      } catch (error) {
        const { fault, message } = careError(error, `${path} can’t be read`, 'no_folder');
        return { path, isPlanned, problem: { fault, message }, files: [] };
      }
    }),
  );
  return found.filter(({ path, files }) => files.length > 0 || path === named || path === planned);
}

/** Returns the marked folders on mounted disks, so that a new node finds the backups of a lost one. */
async function markedFolders(mounts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const look = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    if (entries.some(({ name }) => name === FOLDER_MARK)) found.push(folder);
    if (depth === 0) return;
    await Promise.all(
      entries.filter((each) => each.isDirectory()).map(({ name }) => look(join(folder, name), depth - 1)),
    );
  };
  const searched = Promise.all(mounts.map((mount) => look(mount, MOUNT_DEPTH)));
  await Promise.race([searched, delay(MOUNTS_LIMIT_MS, undefined, { ref: false })]);
  return [...found];
}

/** Returns the backups in a folder, newest first: of one node, or of every node if the key is null. */
async function filesIn(
  folder: string,
  dataDir: string,
  state: BackupState,
  publicKey: string | null = readPublicKey(dataDir),
): Promise<BackupFile[]> {
  const made = new Set(knownFolder(state, folder)?.made.map(({ name }) => name));
  const found = await backupsIn(folder, publicKey);
  return await Promise.all(
    found.map(async ({ path, name, bytes, madeAt, isBefore }) => {
      const encryption = await encryptionOfFile(path).catch(
        () => (name.endsWith('.age') ? 'recipient' : 'none') as 'recipient' | 'none',
      );
      return { path, name, bytes, madeAt, isBefore, encryption, isVerified: made.has(name) };
    }),
  );
}

function onlyThere(state: BackupState, folder: string, files: readonly BackupFile[]): Pick<BackupState, 'folders'> {
  const known = knownFolder(state, folder);
  const names = new Set(files.map(({ name }) => name));
  return { folders: known === null ? [] : [{ ...known, made: known.made.filter(({ name }) => names.has(name)) }] };
}
