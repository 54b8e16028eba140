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
/** Says in a restored folder where its contents came from. */
const NOTE = 'restored.json';

const note = z.looseObject({
  /** ISO 8601: of the backup, and of the restore. */
  madeAt: z.string(),
  restoredAt: z.string(),
  /** The machine and the folder that the backup was made of. */
  host: z.string(),
  dataDir: z.string(),
});
export type RestoreNote = z.infer<typeof note>;

/** A backup to be restored, and where to. */
export interface RestoreOrder extends NodePaths {
  readonly backup: string;
  readonly opener: Opener;
  /** Whether data that is there may be put aside. */
  readonly replace: boolean;
  /** `present` where nothing is said. */
  readonly version?: StoreVersion;
  /** Stops the node that runs on the folder, once all else is done. */
  readonly stopNode?: () => Promise<void>;
}

/** The result of a restore. */
export interface Restored extends Unpacked {
  /** Where the data is that was there; null where there was none. */
  readonly aside: string | null;
  /** The items that are off until the owner has confirmed them. */
  readonly heldBack: readonly HeldBack[];
}

/**
 * Puts a backup in place of what is in a data folder: unpacked, checked and opened beside it first, then all at once, so that
 * it is the old or the new state whatever happens. Rejects with CareError; then everything is as it was.
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

/** Puts the data back that the latest restore put aside. Returns where the restored data is now. Throws CareError. */
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

/** The data that the latest restore put aside, and when (Unix milliseconds); null where there is none. */
export function keptData(dataDir: string): { readonly path: string; readonly at: number } | null {
  const name = asideIn(dataDir).at(-1);
  if (name === undefined) return null;
  const [year, month, day, hour, minute, second] = ASIDE.exec(name)!.slice(1).map(Number);
  return { path: join(dataDir, name), at: Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) };
}

/** Finishes a restore that was cut off, where no node runs on the folder. Throws CareError. */
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

/** Opens a backup as a restore would, and gives what that would bring; changes nothing. Rejects with CareError. */
export async function checkBackup(
  backup: string,
  opener: Opener,
  dataDir: string | null,
  steps: Steps = {},
): Promise<Unpacked> {
  const check = (staging: string) => unpackBackup(backup, opener, join(staging, UNPACKED), steps);
  return dataDir !== null && hasData(dataDir) ? await inStaging(dataDir, check) : await inTemporaryFolder(check);
}

/** Where it is noted where a folder's contents came from. */
export function notePath(dataDir: string): string {
  return join(dataDir, NOTE);
}

/** Where a folder's contents came from; null where they were not restored. */
export function restoreNote(dataDir: string): RestoreNote | null {
  try {
    const bytes = readRegularFile(notePath(dataDir));
    return bytes === null ? null : note.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return null;
  }
}

/** Another folder of this machine whose node has the identity of a backup; null where none is there. */
export function sameNodeElsewhere(manifest: Manifest, dataDir: string): { dataDir: string; isRunning: boolean } | null {
  const { node } = manifest;
  if (node.host !== hostname() || resolve(node.dataDir) === resolve(dataDir)) return null;
  return isSameNode(manifest, node.dataDir) ? { dataDir: node.dataDir, isRunning: isNodeRunning(node.dataDir) } : null;
}

/** Whether the data in a folder is of the node that a backup was made of. */
function isSameNode({ node }: Manifest, dataDir: string): boolean {
  try {
    return readPublicKey(dataDir) === node.publicKey;
  } catch {
    return false;
  }
}

/** A plain backup has no certificate of the door; phones trust the one that is there. */
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

/** Oldest first. */
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
