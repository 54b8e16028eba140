import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { writeAtomicallySync } from '../../common/atomic-write.ts';
import { CareError, careError } from '../care-error.ts';
import { type NamedBackup, readBackupName } from './backup-names.ts';

/** Lies in a folder for backups: by it the folder is known again, and told from the empty one that a missing disk leaves. */
export const FOLDER_MARK = 'wellhouse-backups.json';
const mark = z.looseObject({ id: z.uuid() });
const UNFINISHED = /^\.wellhouse-([0-9a-f]{8})-[0-9a-f-]{36}\.part$/;

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
export function openBackupFolder(folder: string, id: string | null, dataDir: string): string {
  if (!isAbsolute(folder))
    throw new CareError('no_folder', `the backup folder ${folder} must be named from the root on`);
  const within = relative(realPath(dataDir), realPath(folder));
  if (within === '' || (!within.startsWith('..') && !isAbsolute(within))) {
    throw new CareError(
      'no_folder',
      `the backup folder ${folder} is in the data folder: what takes one takes the other; choose another disk`,
    );
  }
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CareError(
      'no_folder',
      `the backup folder ${folder} is not there: connect its disk, make it, or choose another one`,
    );
  }
  const found = markOf(folder);
  if (id !== null && found !== id) {
    throw new CareError(
      'no_folder',
      `${folder} is not the backup folder that was chosen (${FOLDER_MARK} in it is ${found === null ? 'missing' : 'of another one'}): ` +
        'connect its disk, or choose the folder again',
    );
  }
  return found ?? markFolder(folder);
}

/** The backups in a folder, the newest first; those of one node where its key is given. Throws as the file system does. */
export function backupsIn(folder: string, publicKey: string | null): FoundBackup[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const named = readBackupName(name);
      if (named === null || (publicKey !== null && named.node !== publicKey.slice(0, 8))) return [];
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      return found === undefined ? [] : [{ ...named, path, bytes: found.size }];
    })
    .sort((a, b) => b.madeAt - a.madeAt);
}

/** Removes what backups of a node left that were killed. The caller holds the lock of its care. */
export function removeUnfinished(folder: string, publicKey: string): void {
  for (const name of readdirSync(folder)) {
    if (UNFINISHED.exec(name)?.[1] === publicKey.slice(0, 8)) rmSync(join(folder, name), { force: true });
  }
}

/** Where links lead. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

function markOf(folder: string): string | null {
  const path = join(folder, FOLDER_MARK);
  if (!existsSync(path)) return null;
  try {
    return mark.parse(JSON.parse(readFileSync(path, 'utf8'))).id;
  } catch {
    return null;
  }
}

function markFolder(folder: string): string {
  const id = randomUUID();
  const note = 'Wellhouse keeps backups here, and knows the folder by this file.';
  try {
    writeAtomicallySync(join(folder, FOLDER_MARK), `${JSON.stringify({ id, note }, null, 2)}\n`);
  } catch (error) {
    throw careError(error, `the backup folder ${folder} can’t be written to`);
  }
  return id;
}
