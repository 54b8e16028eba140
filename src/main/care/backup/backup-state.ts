import { randomUUID } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pino } from 'pino';
import { z } from 'zod';
import { CARE_FAULTS } from '../../../shared/care/faults.ts';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import type { StateFolder } from '../../state-files/aside.ts';
import { openStateFile } from '../../state-files/damaged-files.ts';
import { readRegularFile } from '../../state-files/regular-file.ts';
import type { StateFileKind } from '../../state-files/state-file.ts';

const FILE_NAME = 'backups.json';

const time = z.number();
const encryption = z.enum(['none', 'recipient', 'passphrase']);
const chosen = z.strictObject({ path: z.string(), at: time }).nullable();
const failure = z.strictObject({ at: time, fault: z.enum(CARE_FAULTS), message: z.string() }).nullable();

/** A backup that this node made and verified. Times are Unix milliseconds. */
const made = z.strictObject({
  /** The file name in the folder. */
  name: z.string(),
  at: time,
  bytes: z.number(),
  durationMs: z.number(),
  encryption,
  /** SHA-256 of the keystore in it, lowercase hex; null if it has none or an earlier version made it. */
  keystore: z.string().nullable(),
});
export type MadeEntry = z.infer<typeof made>;

const folder = z.strictObject({
  path: z.string(),
  /** The id in the folder's mark. */
  id: z.uuid(),
  /** Whether an earlier version used the folder and this node's backups there are not listed yet. */
  isUnlisted: z.boolean(),
  made: z.array(made),
});
export type KnownFolder = z.infer<typeof folder>;

const state = z.strictObject({
  version: z.literal(2),
  /** The id of this node in backup folders. A restore makes a new one, so a copy differs from its original. */
  node: z.uuid(),
  /**
   * Whether this data was restored from a backup, and the owner has not yet confirmed that it replaces the original.
   */
  isCopy: z.boolean(),
  /** The folders in which backups were made. */
  folders: z.array(folder),
  /** The backup folder of the settings, and the time since which backups are expected there. */
  chosen,
  /** The version of the program that ran most recently. */
  program: z.string().nullable(),
  /** The latest scheduled backup that failed, if none was made since. */
  failure,
});
export type BackupState = z.infer<typeof state>;

/** The format of earlier versions, with one folder. */
const firstState = z.strictObject({
  version: z.literal(1),
  folder: z.strictObject({ path: z.string(), id: z.uuid() }).nullable(),
  last: z
    .strictObject({ at: time, path: z.string(), bytes: z.number(), durationMs: z.number(), encryption })
    .nullable(),
  chosen: chosen.default(null),
  program: z.string().nullable().default(null),
  failure,
});

export const BACKUPS_FILE: StateFileKind<typeof state> = {
  name: FILE_NAME,
  schema: state,
  empty: {
    version: 2,
    // A folder that knows this node by the lost id needs the owner's confirmation.
    get node() {
      return randomUUID();
    },
    // It is unknown whether this is a copy, so the owner must confirm.
    ...{ isCopy: true, folders: [], chosen: null, program: null, failure: null },
  },
};

/** Returns the backup state of a data folder. A damaged entry is left out. */
export function readBackupState(dataDir: string): BackupState {
  const first = readFirst(dataDir);
  return first === null ? (fileOf(dataDir).peek() ?? newState()) : fromFirst(first);
}

/**
 * Reads the backup state at the start of a node. Sets a damaged file aside and reports it to the owner. Throws
 * StartError if the file may not be read.
 */
export function openBackupState(folder: StateFolder): BackupState {
  const first = readFirst(folder.path);
  return first === null ? (openStateFile(BACKUPS_FILE, folder).read() ?? newState()) : fromFirst(first);
}

/** Changes parts of the state. Throws errors of the file system, and StartError if the file is not a regular one. */
export function writeBackupState(dataDir: string, change: Partial<Omit<BackupState, 'version' | 'node'>>): BackupState {
  const file = fileOf(dataDir);
  // A damaged file is set aside and reported before it is overwritten.
  if (readFirst(dataDir) === null) file.read();
  const next: BackupState = { ...readBackupState(dataDir), ...change };
  file.writeSync(next);
  return next;
}

// Commands and threads, which lack the node's log, use this file, too.
const SILENT = pino({ level: 'silent' });
const fileOf = (dataDir: string) =>
  openStateFile(BACKUPS_FILE, { path: dataDir, log: SILENT, now: () => SYSTEM_CLOCK.now() });

function readFirst(dataDir: string): z.infer<typeof firstState> | null {
  try {
    const bytes = readRegularFile(join(dataDir, FILE_NAME));
    return bytes === null ? null : firstState.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return null;
  }
}

/**
 * Writes the state of newly unpacked data. If the data replaces that of the same node, it keeps the node's role;
 * otherwise it is a copy, which does not write to the original's backup folder.
 */
export function writeRestoredState(into: string, replaced: string | null): void {
  const before = replaced !== null && existsSync(join(replaced, FILE_NAME)) ? readBackupState(replaced) : null;
  writeBackupState(into, before === null ? { isCopy: true } : before);
}

/** Returns the entry of a folder; null if no backup was made in it. */
export function knownFolder({ folders }: Pick<BackupState, 'folders'>, path: string): KnownFolder | null {
  return folders.find((each) => each.path === resolve(path)) ?? folders.find(isSame) ?? null;

  /** The same folder may have another path, through a link. */
  function isSame(each: KnownFolder): boolean {
    return realPathOf(each.path) === realPathOf(path);
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Returns the folders with one entry added or replaced. */
export function withFolder({ folders }: Pick<BackupState, 'folders'>, entry: KnownFolder): KnownFolder[] {
  return [...folders.filter(({ path }) => path !== entry.path), entry];
}

/** Returns the latest verified backup in a folder; null if there is none. */
export function latestIn(of: Pick<BackupState, 'folders'>, path: string | null): (MadeEntry & { path: string }) | null {
  const entry = path === null ? null : knownFolder(of, path);
  const latest = latestOf(entry?.made ?? []);
  return latest === null ? null : { ...latest, path: join(entry!.path, latest.name) };
}

/** Returns the latest of some backups; null if there are none. */
export function latestOf(made: readonly MadeEntry[]): MadeEntry | null {
  return made.reduce<MadeEntry | null>((a, b) => (a === null || b.at >= a.at ? b : a), null);
}

function newState(): BackupState {
  return { version: 2, node: randomUUID(), isCopy: false, folders: [], chosen: null, program: null, failure: null };
}

function fromFirst({ folder: known, last, ...rest }: z.infer<typeof firstState>): BackupState {
  const entries = last === null ? [] : [{ ...last, name: basename(last.path), keystore: null }];
  const listed = entries.map(({ path: _, ...entry }) => entry);
  const folders = known === null ? [] : [{ ...known, path: resolve(known.path), isUnlisted: true, made: listed }];
  return { ...newState(), ...rest, version: 2, folders };
}
