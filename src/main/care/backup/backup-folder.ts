import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../../common/atomic-write.ts';
import { CareError, careError } from '../care-error.ts';
import { isWithin } from '../within.ts';
import { type NamedBackup, readBackupName } from './backup-names.ts';

/** Lies in a folder for backups: by it the folder is known again, and told from the empty one that a missing disk leaves. */
export const FOLDER_MARK = 'wellhouse-backups.json';
const mark = z.looseObject({ id: z.uuid() });
const UNFINISHED = /^\.wellhouse-([0-9a-f]{8})-[0-9a-f-]{36}\.part$/;

const UNFINISHED_MARK = /^wellhouse-backups\.json\.[0-9a-f-]{36}\.new$/;

/** A backup in a folder. */
export interface FoundBackup extends NamedBackup {
  readonly path: string;
  readonly bytes: number;
}

/** Under this a backup is written until it is whole. */
export function unfinishedName(publicKey: string): string {
  return `.wellhouse-${publicKey.slice(0, 8)}-${randomUUID()}.part`;
}

/**
 * Looks whether a folder for backups is there, and is the one that was chosen (`id`; null: it is chosen now, and marked). Never
 * makes the folder: where it is missing, its disk is. Returns its id. Throws CareError.
 */
export async function openBackupFolder(folder: string, id: string | null, dataDir: string): Promise<string> {
  await refuseBackupFolder(folder, dataDir);
  const found = await markOf(folder);
  if (id !== null && found !== id) throw notChosen(folder, found);
  return found ?? (await markFolder(folder));
}

/** Looks whether a folder can be one for backups, and is the one that was chosen. Changes nothing. Rejects with CareError. */
export async function lookAtBackupFolder(folder: string, id: string | null, dataDir: string): Promise<void> {
  await refuseBackupFolder(folder, dataDir);
  const found = await markOf(folder);
  if (id !== null && found !== id) throw notChosen(folder, found);
}

async function refuseBackupFolder(folder: string, dataDir: string): Promise<void> {
  if (!isAbsolute(folder))
    throw new CareError('no_folder', `the backup folder ${folder} must be named from the root on`);
  if (await isWithin(dataDir, folder)) {
    throw new CareError(
      'no_folder',
      `the backup folder ${folder} is in the data folder: what takes one takes the other; choose another disk`,
    );
  }
  if (!(await stat(folder).catch(() => null))?.isDirectory()) {
    throw new CareError(
      'no_folder',
      `the backup folder ${folder} is not there: connect its disk, make it, or choose another one`,
    );
  }
}

function notChosen(folder: string, found: string | null): CareError {
  return new CareError(
    'no_folder',
    `${folder} is not the backup folder that was chosen (${FOLDER_MARK} in it is ${found === null ? 'missing' : 'of another one'}): ` +
      'connect its disk, or choose the folder again',
  );
}

/** The backups in a folder, the newest first; those of one node where its key is given. Throws as the file system does. */
export async function backupsIn(folder: string, publicKey: string | null): Promise<FoundBackup[]> {
  const found: FoundBackup[] = [];
  for (const name of await readdir(folder)) {
    const named = readBackupName(name);
    if (named === null || (publicKey !== null && named.node !== publicKey.slice(0, 8))) continue;
    const path = join(folder, name);
    const stats = await stat(path).catch(() => null);
    if (stats !== null) found.push({ ...named, path, bytes: stats.size });
  }
  return found.sort((a, b) => b.madeAt - a.madeAt);
}

/** Removes what backups of a node left that were killed. The caller holds the lock of its care; the folder has its mark. */
export async function removeUnfinished(folder: string, publicKey: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const isOurs = UNFINISHED.exec(name)?.[1] === publicKey.slice(0, 8) || UNFINISHED_MARK.test(name);
    if (isOurs) await rm(join(folder, name), { force: true });
  }
}

async function markOf(folder: string): Promise<string | null> {
  try {
    return mark.parse(JSON.parse(await readFile(join(folder, FOLDER_MARK), 'utf8'))).id;
  } catch {
    return null;
  }
}

async function markFolder(folder: string): Promise<string> {
  const id = randomUUID();
  const note = 'Wellhouse keeps backups here, and knows the folder by this file.';
  try {
    await writeAtomically(join(folder, FOLDER_MARK), `${JSON.stringify({ id, note }, null, 2)}\n`);
  } catch (error) {
    throw careError(error, `the backup folder ${folder} can’t be written to`);
  }
  return id;
}
