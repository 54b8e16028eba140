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

/** A backup job with its retention. */
export interface KeptBackupOrder extends BackupOrder {
  /** The retention of scheduled backups. null if the owner named a folder for this one: nothing in it is deleted. */
  readonly keep: Keep | null;
}

/** A backup that was made, and the backups that were deleted after it. */
export interface KeptBackup extends MadeBackup {
  /** The names of deleted older backups. */
  readonly deleted: readonly string[];
}

/**
 * Makes a backup in an existing folder, deletes backups beyond the retention, and records the new one. Records a
 * failure if the backup is a scheduled one. Rejects with CareError.
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

/** Adds a backup to the list of its folder, and removes entries whose files are gone. */
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
 * Returns whether a store that existed is missing and the owner has not confirmed a new one: the older backups may be
 * the only copy of its readings.
 */
function isStoreMissing(dataDir: string): boolean {
  const folder = { path: dataDir, log: pino({ enabled: false }), now: () => SYSTEM_CLOCK.now() };
  return new DamagedFiles(folder).list().some(({ whole }) => whole === 'missing');
}

/** Deletes backups that this node made, by its own list: those of an original are left to their owner. */
async function deleteSuperfluous(
  made: MadeBackup,
  { dataDir, folder, lock }: BackupOrder,
  keep: Keep,
): Promise<string[]> {
  const own = new Set(knownFolder(readBackupState(dataDir), folder)?.made.map(({ name }) => name));
  const found = (await backupsIn(folder, made.manifest.node.publicKey)).filter(({ name }) => own.has(name));
  const isWithPassphrase = await Promise.all(found.map(({ path }) => needsPassphrase(path)));
  // Backups with a passphrase and those with a phrase do not replace each other: a person who has one secret may not
  // have the other.
  const alike = found.filter((_, index) => isWithPassphrase[index] === (lock?.kind === 'passphrase'));
  // The new backup is never deleted, even if the clock is wrong.
  const old = superfluous(alike, keep).filter(({ name }) => !made.path.endsWith(name));
  return old.flatMap(({ name }) => {
    try {
      rmSync(join(folder, name));
      return [name];
    } catch {
      // The folder may be append-only. The page shows the number of its backups.
      return [];
    }
  });
}

async function needsPassphrase(path: string): Promise<boolean> {
  return await encryptionOfFile(path).then(
    (encryption) => encryption === 'passphrase',
    // A backup with a damaged beginning is deleted in its turn.
    () => false,
  );
}

function rememberFailure(dataDir: string, { fault, message }: CareError): void {
  // A backup that was refused because another one is running is no failure.
  if (fault === 'busy' || fault === 'cancelled') return;
  try {
    writeBackupState(dataDir, { failure: { at: SYSTEM_CLOCK.now(), fault, message } });
  } catch {
    // The disk takes no writes, which is reported already.
  }
}
