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

/** A backup that this node made and read back. Times are Unix milliseconds. */
const made = z.strictObject({
  /** Its file in the folder. */
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
  /** The id in its mark. */
  id: z.uuid(),
  /** Whether an earlier version used it: this node's backups there were not listed yet. */
  isUnlisted: z.boolean(),
  made: z.array(made),
});
export type KnownFolder = z.infer<typeof folder>;

const state = z.strictObject({
  version: z.literal(2),
  /** Who this node is to backup folders. A restore makes a new one, so a copy is told from its original. */
  node: z.uuid(),
  /** Whether this data was restored from a backup and its owner has not confirmed yet that it takes the original's place. */
  isCopy: z.boolean(),
  /** Each folder that backups were made in. */
  folders: z.array(folder),
  /** Since when backups are expected in a folder, by the settings. */
  chosen,
  /** The version of the program that ran last. */
  program: z.string().nullable(),
  /** The latest planned backup that failed, if none was made since. */
  failure,
});
export type BackupState = z.infer<typeof state>;

/** As earlier versions wrote it: one folder. */
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
    // A folder that knew this node by the lost id asks its owner.
    get node() {
      return randomUUID();
    },
    // Where it can't be told whether this is a copy, its owner is asked.
    ...{ isCopy: true, folders: [], chosen: null, program: null, failure: null },
  },
};

/** The memory of a data folder's backups; a damaged entry is left out. */
export function readBackupState(dataDir: string): BackupState {
  const first = readFirst(dataDir);
  return first === null ? (fileOf(dataDir).peek() ?? newState()) : fromFirst(first);
}

/** The same at a start: what is damaged is set aside, and the owner told. Throws StartError if the file may not be read. */
export function openBackupState(folder: StateFolder): BackupState {
  const first = readFirst(folder.path);
  return first === null ? (openStateFile(BACKUPS_FILE, folder).read() ?? newState()) : fromFirst(first);
}

/** Replaces some of it. Throws as the file system does, and StartError where its file is no regular one. */
export function writeBackupState(dataDir: string, change: Partial<Omit<BackupState, 'version' | 'node'>>): BackupState {
  const file = fileOf(dataDir);
  // What is damaged is set aside, and its owner told, before it is written over.
  if (readFirst(dataDir) === null) file.read();
  const next: BackupState = { ...readBackupState(dataDir), ...change };
  file.writeSync(next);
  return next;
}

// Read and written by commands and threads, too, which have no log of the node's.
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
 * Writes the state of data that was just unpacked. In place of the same node's data, it is that node still; anywhere else
 * it is a copy, which leaves the original's backup folder alone.
 */
export function writeRestoredState(into: string, replaced: string | null): void {
  const before = replaced !== null && existsSync(join(replaced, FILE_NAME)) ? readBackupState(replaced) : null;
  writeBackupState(into, before === null ? { isCopy: true } : before);
}

/** The entry of a folder; null if no backup was made in it. */
export function knownFolder({ folders }: Pick<BackupState, 'folders'>, path: string): KnownFolder | null {
  return folders.find((each) => each.path === resolve(path)) ?? folders.find(isSame) ?? null;

  /** By another name, as through a link. */
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

/** The folders with one of them added or replaced. */
export function withFolder({ folders }: Pick<BackupState, 'folders'>, entry: KnownFolder): KnownFolder[] {
  return [...folders.filter(({ path }) => path !== entry.path), entry];
}

/** The latest backup that was made in a folder and read back there; null if there is none. */
export function latestIn(of: Pick<BackupState, 'folders'>, path: string | null): (MadeEntry & { path: string }) | null {
  const entry = path === null ? null : knownFolder(of, path);
  const latest = latestOf(entry?.made ?? []);
  return latest === null ? null : { ...latest, path: join(entry!.path, latest.name) };
}

/** The latest of some backups; null if there are none. */
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
