import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pino } from 'pino';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import { DamagedFiles } from '../../state-files/damaged-files.ts';
import type { Encryption } from '../archive/encryption.ts';
import { encryptionOfFile } from '../archive/read-archive.ts';
import type { CareError } from '../care-error.ts';
import { careError } from '../care-error.ts';
import { KEYSTORE_FILE } from '../node-files.ts';
import type { Steps } from '../steps.ts';
import { backupsIn } from './backup-folder.ts';
import { knownFolder, readBackupState, withFolder, writeBackupState } from './backup-state.ts';
import { openBackupFolder } from './folder-guard.ts';
import { type Keep, superfluous } from './keep.ts';
import { type BackupOrder, type MadeBackup, makeBackup } from './make-backup.ts';

/** A backup, and which of those before it stay. */
export interface KeptBackupOrder extends BackupOrder {
  /** By the plan, in its folder. null: a folder that the owner named for this one; all in it stay. */
  readonly keep: Keep | null;
}

/** A backup that was made, and what was deleted for it. */
export interface KeptBackup extends MadeBackup {
  /** Names of older ones that were deleted. */
  readonly deleted: readonly string[];
}

/**
 * Makes a backup in a folder that has to be there, deletes those that are no longer kept, and remembers it with its folder.
 * A failure is remembered if the backup is one of the plan. Rejects with CareError.
 */
export async function runBackup(order: KeptBackupOrder, steps: Steps = {}): Promise<KeptBackup> {
  const { dataDir, folder, keep } = order;
  try {
    await openBackupFolder(folder, dataDir, keep === null ? 'owner' : 'plan');
    const made = await makeBackup(order, steps);
    await rememberMade(dataDir, folder, made, order.lock?.kind ?? 'none');
    if (keep === null) return { ...made, deleted: [] };
    writeBackupState(dataDir, { failure: null });
    return { ...made, deleted: isStoreMissing(dataDir) ? [] : await deleteSuperfluous(made, order, keep) };
  } catch (error) {
    const failure = careError(error, 'the backup was not made');
    if (keep !== null) rememberFailure(dataDir, failure);
    throw failure;
  }
}

/** Adds a backup to those of its folder, and forgets the ones that are no longer there. */
export async function rememberMade(
  dataDir: string,
  folder: string,
  { path, bytes, durationMs, manifest }: MadeBackup,
  encryption: Encryption,
): Promise<void> {
  const there = new Set(await readdir(folder));
  const known = knownFolder(readBackupState(dataDir), folder);
  if (known === null) return;
  const keystore = manifest.members.find(({ name }) => name === KEYSTORE_FILE)?.sha256 ?? null;
  const entry = { name: basename(path), at: Date.parse(manifest.madeAt), bytes, durationMs, encryption, keystore };
  const made = [...known.made.filter(({ name }) => there.has(name) && name !== entry.name), entry];
  writeBackupState(dataDir, { folders: withFolder(readBackupState(dataDir), { ...known, made }) });
}

/**
 * Whether a store is missing that was there, and the owner has not said that a new one is meant: the older backups may be
 * all that is left of its readings.
 */
function isStoreMissing(dataDir: string): boolean {
  const folder = { path: dataDir, log: pino({ enabled: false }), now: () => SYSTEM_CLOCK.now() };
  return new DamagedFiles(folder).list().some(({ whole }) => whole === 'missing');
}

/** Deletes of the backups that this node made, by what it remembers: those of an original stay for its owner to delete. */
async function deleteSuperfluous(
  made: MadeBackup,
  { dataDir, folder, lock }: BackupOrder,
  keep: Keep,
): Promise<string[]> {
  const own = new Set(knownFolder(readBackupState(dataDir), folder)?.made.map(({ name }) => name));
  const found = (await backupsIn(folder, made.manifest.node.publicKey)).filter(({ name }) => own.has(name));
  const isWithPassphrase = await Promise.all(found.map(({ path }) => needsPassphrase(path)));
  // One with a passphrase stands for none that the phrase opens, nor the other way round: who has the one may not have the other.
  const alike = found.filter((_, index) => isWithPassphrase[index] === (lock?.kind === 'passphrase'));
  // Never the one that was made just now, whatever the clock says.
  const old = superfluous(alike, keep).filter(({ name }) => !made.path.endsWith(name));
  return old.flatMap(({ name }) => {
    try {
      rmSync(join(folder, name));
      return [name];
    } catch {
      // A folder that only takes: the owner sees how many there are.
      return [];
    }
  });
}

async function needsPassphrase(path: string): Promise<boolean> {
  return await encryptionOfFile(path).then(
    (encryption) => encryption === 'passphrase',
    // What is damaged at its beginning is deleted in its turn.
    () => false,
  );
}

function rememberFailure(dataDir: string, { fault, message }: CareError): void {
  // Not of a second one that was refused because the first is under way.
  if (fault === 'busy' || fault === 'cancelled') return;
  try {
    writeBackupState(dataDir, { failure: { at: SYSTEM_CLOCK.now(), fault, message } });
  } catch {
    // Its disk takes nothing, and that is told already.
  }
}
