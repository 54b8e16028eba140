import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { writeAtomicallySync } from '../common/atomic-write.ts';
import { syncFolder } from '../common/sync.ts';
import { MARKER, writeMarker } from '../data-folder/data-marker.ts';
import { readTextFile } from '../state-files/text-file.ts';
import { isOfOwnLog, namesToPutAside, SETTINGS_FILE } from './node-files.ts';

/**
 * The folder for unfinished work. It is in the data folder, so that private data stays on its disk and moving it into
 * place is a rename, also if the folder is the root of a disk. Nothing mistakes it for data.
 */
export const STAGING = '.wellhouse-care';
const JOURNAL = 'restore.json';

/** A plain name in a folder. */
const name = z.string().regex(/^(?!\.{1,2}$)[^/\\]+$/);
const journal = z.strictObject({
  version: z.literal(1),
  /** The folder with the new files of the data folder, relative to it. */
  from: z.string().refine((path) => !path.split(/[\\/]/).includes('..') && !/^[\\/]/.test(path)),
  place: z.array(name),
  /** The folder for the files that were there; null if there were none. */
  aside: name.nullable(),
  putAside: z.array(name),
  /** A settings file outside of the data folder, which is replaced, too; null if it is in the data folder. */
  settingsFile: z.string().nullable(),
});
type Journal = z.infer<typeof journal>;

/** The parameters of a replacement of a folder's contents. */
export interface Swap {
  readonly dataDir: string;
  /** The folder with the new contents, relative to the data folder. */
  readonly from: string;
  readonly aside: string;
  /** The settings file, in the data folder or outside of it. */
  readonly settingsFile: string;
}

/** Returns whether a replacement has begun and not ended. */
export function isRestoreCutOff(dataDir: string): boolean {
  return existsSync(join(dataDir, JOURNAL));
}

/**
 * Replaces the contents of a data folder and moves the old ones aside within it. The caller holds the folder's lock.
 * Before the journal is on disk nothing has happened; afterwards the replacement is completed here or by the next
 * start. Returns the folder with the old contents; null if there were none. Throws errors of the file system.
 */
export function swapContents({ dataDir, from, aside, settingsFile }: Swap): string | null {
  const putAside = namesToPutAside(dataDir);
  const isOutside = resolve(settingsFile) !== resolve(join(dataDir, SETTINGS_FILE));
  const plan: Journal = {
    version: 1,
    from,
    place: readdirSync(join(dataDir, from)).filter(
      (each) => each !== MARKER && !(isOutside && each === SETTINGS_FILE) && !isOfOwnLog(dataDir, each),
    ),
    aside: putAside.length === 0 ? null : aside,
    putAside,
    settingsFile: isOutside ? resolve(settingsFile) : null,
  };
  syncFolder(join(dataDir, from));
  writeAtomicallySync(join(dataDir, JOURNAL), JSON.stringify(journal.parse(plan)));
  return finishRestore(dataDir);
}

/**
 * Finishes an interrupted replacement, if there is one. Every step can be repeated. The caller holds the folder's lock.
 * Returns the folder with the old contents. Throws errors of the file system, and an Error if the journal is damaged.
 */
export function finishRestore(dataDir: string): string | null {
  if (!isRestoreCutOff(dataDir)) return null;
  const plan = readJournal(dataDir);
  const aside = plan.aside === null ? null : join(dataDir, plan.aside);
  if (aside !== null) putAllAside(dataDir, aside, plan.putAside);
  for (const each of plan.place) {
    const staged = join(dataDir, plan.from, each);
    if (existsSync(staged)) renameSync(staged, join(dataDir, each));
  }
  if (plan.settingsFile !== null) replaceSettings(plan.settingsFile, join(dataDir, plan.from, SETTINGS_FILE), aside);
  syncFolder(dataDir);
  rmSync(join(dataDir, JOURNAL));
  syncFolder(dataDir);
  removeEmptied(join(dataDir, plan.from));
  rmSync(join(dataDir, STAGING), { recursive: true, force: true });
  return aside;
}

function readJournal(dataDir: string): Journal {
  const text = readTextFile(join(dataDir, JOURNAL)) ?? '';
  try {
    return journal.parse(JSON.parse(text));
  } catch {
    throw new Error(`${JOURNAL} is damaged: move it away, then restore the backup again`);
  }
}

/** Moves all old files aside before any new file takes its place. */
function putAllAside(dataDir: string, aside: string, names: readonly string[]): void {
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  for (const each of names) {
    const [from, to] = [join(dataDir, each), join(aside, each)];
    if (!existsSync(to) && existsSync(from)) renameSync(from, to);
  }
  // The marker keeps a second node with this identity from starting there.
  if (!existsSync(join(aside, MARKER))) {
    writeMarker(aside, resolve(dataDir), []);
  }
  syncFolder(aside);
  syncFolder(dataDir);
}

function replaceSettings(settingsFile: string, staged: string, aside: string | null): void {
  if (!existsSync(staged)) return;
  const present = existsSync(settingsFile) ? readFileSync(settingsFile, 'utf8') : null;
  const kept = aside === null ? null : join(aside, SETTINGS_FILE);
  if (present !== null && kept !== null && !existsSync(kept)) writeAtomicallySync(kept, present);
  writeAtomicallySync(present === null ? settingsFile : realpathSync(settingsFile), readFileSync(staged, 'utf8'));
  rmSync(staged);
}

function removeEmptied(folder: string): void {
  try {
    rmSync(join(folder, MARKER), { force: true });
    rmdirSync(folder);
  } catch {
    // The folder has other files, which stay.
  }
}
