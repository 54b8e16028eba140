import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../../common/atomic-write.ts';
import { CareError, careError } from '../care-error.ts';
import { isWithin } from '../within.ts';
import { type NamedBackup, readBackupName } from './backup-names.ts';

/** The file in a backup folder that identifies it. An empty mount point of a missing disk has none. */
export const FOLDER_MARK = 'wellhouse-backups.json';
const mark = z.looseObject({
  id: z.uuid(),
  /** The nodes that write here: the first digits of each node's key, and the node's id from its own data folder. */
  nodes: z.record(z.string(), z.uuid()).default({}).catch({}),
});
export type FolderMark = Pick<z.infer<typeof mark>, 'id' | 'nodes'>;
const UNFINISHED = /^\.wellhouse-([0-9a-f]{8})-[0-9a-f-]{36}\.part$/;

const UNFINISHED_MARK = /^wellhouse-backups\.json\.[0-9a-f-]{36}\.new$/;

/** A backup in a folder. */
export interface FoundBackup extends NamedBackup {
  readonly path: string;
  readonly bytes: number;
}

/** Returns a name for a backup that is being written. */
export function unfinishedName(publicKey: string): string {
  return `.wellhouse-${publicKey.slice(0, 8)}-${randomUUID()}.part`;
}

/** Rejects with CareError if a folder can't hold backups: it is missing or in the data folder. */
export async function refuseBackupFolder(folder: string, dataDir: string): Promise<void> {
  if (!isAbsolute(folder)) throw new CareError('no_folder', `the backup folder ${folder} must be an absolute path`);
  if (await isWithin(dataDir, folder)) {
    throw new CareError(
      'no_folder',
      `the backup folder ${folder} is in the data folder and would be lost with it; choose another disk`,
    );
  }
  if (!(await stat(folder).catch(() => null))?.isDirectory()) {
    throw new CareError(
      'no_folder',
      `the backup folder ${folder} does not exist: connect its disk, create it, or choose another one`,
    );
  }
}

/**
 * Returns the backups in a folder, newest first; only those of one node if its key is given. Throws errors of the file
 * system.
 */
export async function backupsIn(folder: string, publicKey: string | null): Promise<FoundBackup[]> {
  const found: FoundBackup[] = [];
  for (const name of await readdir(folder)) {
    const named = readBackupName(name);
    if (named === null || (publicKey !== null && named.node !== publicKey.slice(0, 8))) continue;
    const path = join(folder, name);
    const stats = await stat(path).catch(() => null);
    if (stats !== null) found.push({ ...named, path, bytes: stats.size });
  }
  return found.sort((a, b) => b.madeAt - a.madeAt || b.place - a.place);
}

/** Removes the files of a node's backups that were killed. The caller holds the care lock; the folder has its mark. */
export async function removeUnfinished(folder: string, publicKey: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const isOurs = UNFINISHED.exec(name)?.[1] === publicKey.slice(0, 8) || UNFINISHED_MARK.test(name);
    if (isOurs) await rm(join(folder, name), { force: true });
  }
}

/** Returns the mark of a folder; null if it has no readable one. */
export async function markOf(folder: string): Promise<FolderMark | null> {
  const path = join(folder, FOLDER_MARK);
  try {
    // Opening a named pipe would block for ever.
    if (!(await stat(path)).isFile()) return null;
    return mark.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}

/** Marks a folder, or adds nodes to its mark. Rejects with CareError. */
export async function writeMark(
  folder: string,
  before: FolderMark | null,
  nodes: FolderMark['nodes'],
): Promise<FolderMark> {
  const next = { id: before?.id ?? randomUUID(), nodes: { ...before?.nodes, ...nodes } };
  const note = 'Wellhouse keeps backups here and recognizes the folder by this file.';
  try {
    await writeAtomically(join(folder, FOLDER_MARK), `${JSON.stringify({ ...next, note }, null, 2)}\n`);
  } catch (error) {
    throw careError(error, `the backup folder ${folder} can’t be written to`);
  }
  return next;
}

/** Returns whether a folder is on the same disk as the data: one failure would destroy both. */
export async function isOnDataDisk(folder: string, dataDir: string): Promise<boolean> {
  const [one, other] = await Promise.all([folder, dataDir].map((path) => stat(path).catch(() => null)));
  return one != null && one.dev === other?.dev;
}
