import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import type { HeldBack } from '../../../shared/owner-api/backups.ts';
import { writeAtomicallySync } from '../../common/atomic-write.ts';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import { StartError } from '../../common/start-error.ts';
import { hasData } from '../../data-folder/data-folder.ts';
import { makeFolder } from '../../data-folder/folders.ts';
import { readPublicKey } from '../../data-folder/identity.ts';
import { isNodeRunning, lockDataDir } from '../../data-folder/node-lock.ts';
import { readJson, readRegularFile } from '../../state-files/regular-file.ts';
import type { Opener } from '../archive/encryption.ts';
import type { Manifest } from '../archive/manifest.ts';
import { writeRestoredState } from '../backup/backup-state.ts';
import { CareError, careError } from '../care-error.ts';
import { DOOR_CERTIFICATE_FILE, type NodePaths } from '../node-files.ts';
import { inStaging, inTemporaryFolder } from '../staging.ts';
import { beginPhase, type Steps } from '../steps.ts';
import { finishRestore, swapContents } from '../swap.ts';
import { heldBackIn, holdBack } from './held-back.ts';
import { type StoreVersion, takeOwnSettings, type Unpacked, unpackBackup } from './unpack.ts';

const UNPACKED = 'new';
const ASIDE = /^before-restore-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-\d+)?$/;
/** The note in a restored folder about the origin of its contents. */
const NOTE = 'restored.json';

const note = z.looseObject({
  /** ISO 8601 times of the backup and of the restore. */
  madeAt: z.string(),
  restoredAt: z.string(),
  /** The machine and the folder of the backed-up node. */
  host: z.string(),
  dataDir: z.string(),
});
export type RestoreNote = z.infer<typeof note>;

/** A backup to be restored, and its destination. */
export interface RestoreOrder extends NodePaths {
  readonly backup: string;
  readonly opener: Opener;
  /** Whether existing data may be moved aside. */
  readonly replace: boolean;
  /** `present` by default. */
  readonly version?: StoreVersion;
  /** Stops the node that runs on the folder; called before the last step. */
  readonly stopNode?: () => Promise<void>;
}

export interface Restored extends Unpacked {
  /** The folder with the previous data; null if there was none. */
  readonly aside: string | null;
  /** The held-back items, which are off until the owner confirms them. */
  readonly heldBack: readonly HeldBack[];
}

/**
 * Replaces the contents of a data folder by a backup. The backup is unpacked, checked and opened in a separate folder
 * first, and then placed at once, so that the folder has either the old or the new state. Rejects with CareError; then
 * nothing has changed.
 */
export async function restoreBackup(order: RestoreOrder, steps: Steps = {}): Promise<Restored> {
  const { dataDir, settingsFile, backup, opener, replace, version, stopNode } = order;
  try {
    makeFolder(dataDir);
    if (stopNode === undefined) finishCutOff(dataDir);
    if (!replace && hasData(dataDir)) {
      throw new CareError(
        'not_empty',
        `there is data in ${dataDir}: say --replace to put it aside, or name an empty folder`,
      );
    }
    return await inStaging(dataDir, async (staging) => {
      const into = join(staging, UNPACKED);
      const unpacked = await unpackBackup(backup, opener, into, steps, version);
      takeOwnSettings(into, presentSettings(settingsFile));
      writeNote(into, unpacked.manifest);
      const isSame = isSameNode(unpacked.manifest, dataDir);
      if (isSame) keepCertificate(dataDir, into);
      holdBack(into, { dataDir, settingsFile }, isSame);
      writeRestoredState(into, isSame ? dataDir : null);
      beginPhase(steps, 'placing', 0);
      await stopNode?.();
      const unlock = lockDataDir(dataDir);
      try {
        const from = relative(dataDir, into);
        const aside = swapContents({ dataDir, settingsFile, from, aside: freeName(dataDir) });
        return { ...unpacked, aside, heldBack: heldBackIn(dataDir) };
      } finally {
        unlock();
      }
    });
  } catch (error) {
    throw restoreError(error);
  }
}

/**
 * Puts back the data that the latest restore moved aside. Returns the folder with the restored data. Throws CareError.
 */
export function undoRestore({ dataDir, settingsFile }: NodePaths): string | null {
  try {
    const unlock = lockDataDir(dataDir);
    try {
      finishRestore(dataDir);
      const latest = asideIn(dataDir).at(-1);
      if (latest === undefined) throw new CareError('nothing_kept', `no restore has put data aside in ${dataDir}`);
      const aside = `restored-${timeInName()}`;
      return swapContents({ dataDir, settingsFile, from: latest, aside });
    } finally {
      unlock();
    }
  } catch (error) {
    throw restoreError(error);
  }
}

/** Returns the folder that the latest restore moved aside, and the time (Unix milliseconds); null if there is none. */
export function keptData(dataDir: string): { readonly path: string; readonly at: number } | null {
  const name = asideIn(dataDir).at(-1);
  if (name === undefined) return null;
  const [year, month, day, hour, minute, second] = ASIDE.exec(name)!.slice(1).map(Number);
  return { path: join(dataDir, name), at: Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) };
}

/** Finishes an interrupted restore in a folder without a running node. Throws CareError. */
export function finishCutOff(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  try {
    const unlock = lockDataDir(dataDir);
    try {
      finishRestore(dataDir);
    } finally {
      unlock();
    }
  } catch (error) {
    throw restoreError(error);
  }
}

/** Opens a backup as a restore does and returns its contents, without changes. Rejects with CareError. */
export async function checkBackup(
  backup: string,
  opener: Opener,
  dataDir: string | null,
  steps: Steps = {},
): Promise<Unpacked> {
  const check = (staging: string) => unpackBackup(backup, opener, join(staging, UNPACKED), steps);
  return dataDir !== null && hasData(dataDir) ? await inStaging(dataDir, check) : await inTemporaryFolder(check);
}

/** Returns the path of the note about a folder's origin. */
export function notePath(dataDir: string): string {
  return join(dataDir, NOTE);
}

/** Returns the note about the origin of a folder's contents; null if they were not restored. */
export function restoreNote(dataDir: string): RestoreNote | null {
  try {
    const bytes = readRegularFile(notePath(dataDir));
    return bytes === null ? null : note.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return null;
  }
}

/** Returns another folder of this machine with the identity of a backup, or null. */
export function sameNodeElsewhere(manifest: Manifest, dataDir: string): { dataDir: string; isRunning: boolean } | null {
  const { node } = manifest;
  if (node.host !== hostname() || resolve(node.dataDir) === resolve(dataDir)) return null;
  return isSameNode(manifest, node.dataDir) ? { dataDir: node.dataDir, isRunning: isNodeRunning(node.dataDir) } : null;
}

/** Returns whether the data in a folder belongs to the node of the backup. */
function isSameNode({ node }: Manifest, dataDir: string): boolean {
  try {
    return readPublicKey(dataDir) === node.publicKey;
  } catch {
    return false;
  }
}

/** Keeps the present door certificate, which phones trust, if the backup has none because it is not encrypted. */
function keepCertificate(dataDir: string, into: string): void {
  const [present, restored] = [dataDir, into].map((folder) => join(folder, DOOR_CERTIFICATE_FILE));
  const bytes = existsSync(restored!) ? null : readRegularFile(present!);
  if (bytes !== null) writeAtomicallySync(restored!, bytes.toString('utf8'));
}

function writeNote(into: string, { madeAt, node }: Manifest): void {
  const text: RestoreNote = {
    madeAt,
    restoredAt: new Date(SYSTEM_CLOCK.now()).toISOString(),
    host: node.host,
    dataDir: node.dataDir,
  };
  writeAtomicallySync(notePath(into), `${JSON.stringify(text, null, 2)}\n`);
}

function presentSettings(settingsFile: string): Record<string, unknown> {
  try {
    return readJson(readFileSync(settingsFile)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Returns the folders that restores moved aside, oldest first. */
function asideIn(dataDir: string): string[] {
  return existsSync(dataDir)
    ? readdirSync(dataDir)
        .filter((name) => ASIDE.test(name))
        .sort()
    : [];
}

function freeName(dataDir: string): string {
  const name = `before-restore-${timeInName()}`;
  for (let number = 0; ; number += 1) {
    const free = number === 0 ? name : `${name}-${number}`;
    if (!existsSync(join(dataDir, free))) return free;
  }
}

const timeInName = () => `${new Date(SYSTEM_CLOCK.now()).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

function restoreError(error: unknown): CareError {
  if (error instanceof StartError) return new CareError('busy', error.message);
  return careError(error, 'nothing was restored');
}
