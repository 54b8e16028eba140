import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { writeAtomicallySync } from '../common/atomic-write.ts';
import { syncFolder } from '../common/sync.ts';
import { MARKER, writeMarker } from '../data-folder/data-marker.ts';
import { readTextFile } from '../state-files/text-file.ts';
import { isOfOwnLog, namesToPutAside, SETTINGS_FILE } from './node-files.ts';

/**
 * Half-done work lies here, in the data folder: what is private stays on the disk that it was on, and moving it into place is
 * renaming, also where the folder is the root of a disk. Nothing takes it for data.
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
  /** A settings file beside the data folder, which is replaced too; null: it is in the folder, as any other. */
  settingsFile: z.string().nullable(),
});
type Journal = z.infer<typeof journal>;

/** How a folder's contents are replaced. */
export interface Swap {
  readonly dataDir: string;
  /** Relative to the data folder: what becomes its contents. */
  readonly from: string;
  readonly aside: string;
  /** In the data folder, or beside it. */
  readonly settingsFile: string;
}

/** Whether a replacement of the contents has begun and not ended. */
export function isRestoreCutOff(dataDir: string): boolean {
  return existsSync(join(dataDir, JOURNAL));
}

/**
 * Replaces the contents of a data folder whose lock the caller holds; what was there is put aside in it. From the moment that
 * the journal is on disk it is finished, by whoever starts next on the folder if not by this; before it, nothing has
 * happened. Returns where the old contents are; null where there were none. Throws as the file system does.
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
 * Finishes a replacement that was cut off; nothing where there is none. Each step can be done again. The caller holds the
 * folder's lock. Returns where the old contents are. Throws as the file system does, or where the journal is no journal.
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

/** Nothing takes the place of what is there before all of it is aside. */
function putAllAside(dataDir: string, aside: string, names: readonly string[]): void {
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  for (const each of names) {
    const [from, to] = [join(dataDir, each), join(aside, each)];
    if (!existsSync(to) && existsSync(from)) renameSync(from, to);
  }
  // Keeps a second node with this identity off it.
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
    // Something is in it that was not to be placed.
  }
}
