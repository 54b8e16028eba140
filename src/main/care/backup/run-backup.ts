import { rmSync } from 'node:fs';
import { encryptionOfFile } from '../archive/read-archive.ts';
import type { CareError } from '../care-error.ts';
import { careError } from '../care-error.ts';
import type { Steps } from '../steps.ts';
import { backupsIn, openBackupFolder } from './backup-folder.ts';
import { readBackupState, writeBackupState } from './backup-state.ts';
import { type Keep, superfluous } from './keep.ts';
import { type BackupOrder, type MadeBackup, makeBackup } from './make-backup.ts';

/** A backup, and what becomes of those before it. */
export interface KeptBackupOrder extends BackupOrder {
  /** null: all of them stay. */
  readonly keep: Keep | null;
}

/** What came of it. */
export interface KeptBackup extends MadeBackup {
  /** Names of older ones that were deleted. */
  readonly deleted: readonly string[];
}

/**
 * Makes a backup in a folder that has to be there, deletes those that are no longer kept, and remembers how it went. Rejects
 * with CareError.
 */
export async function runBackup(order: KeptBackupOrder, steps: Steps = {}): Promise<KeptBackup> {
  const { dataDir, folder, keep, lock } = order;
  try {
    const { folder: known } = readBackupState(dataDir);
    const id = await openBackupFolder(folder, known?.path === folder ? known.id : null, dataDir);
    const made = await makeBackup(order, steps);
    const { path, bytes, durationMs } = made;
    const last = {
      at: Date.parse(made.manifest.madeAt),
      path,
      bytes,
      durationMs,
      encryption: lock?.kind ?? ('none' as const),
    };
    writeBackupState(dataDir, { folder: { path: folder, id }, last, failure: null });
    return { ...made, deleted: keep === null ? [] : await deleteSuperfluous(made, order, keep) };
  } catch (error) {
    const failure = careError(error, 'the backup was not made');
    rememberFailure(dataDir, failure);
    throw failure;
  }
}

async function deleteSuperfluous(made: MadeBackup, { folder, lock }: BackupOrder, keep: Keep): Promise<string[]> {
  const found = await backupsIn(folder, made.manifest.node.publicKey);
  const isWithPassphrase = await Promise.all(found.map(({ path }) => needsPassphrase(path)));
  // One with a passphrase stands for none that the phrase opens, nor the other way round: who has the one may not have the other.
  const alike = found.filter((_, index) => isWithPassphrase[index] === (lock?.kind === 'passphrase'));
  // Never the one that was made just now, whatever the clock says.
  const old = superfluous(alike, keep).filter(({ name }) => !made.path.endsWith(name));
  return old.flatMap(({ name }) => {
    try {
      rmSync(`${folder}/${name}`);
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
    writeBackupState(dataDir, { failure: { at: Date.now(), fault, message } });
  } catch {
    // Its disk takes nothing, and that is told already.
  }
}
