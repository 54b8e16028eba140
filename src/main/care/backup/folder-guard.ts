import { resolve } from 'node:path';
import { readPublicKey } from '../../data-folder/identity.ts';
import { CareError, careError } from '../care-error.ts';
import { backupsIn, FOLDER_MARK, type FolderMark, markOf, refuseBackupFolder, writeMark } from './backup-folder.ts';
import {
  type BackupState,
  type KnownFolder,
  knownFolder,
  readBackupState,
  withFolder,
  writeBackupState,
} from './backup-state.ts';

// A node and its backup folders know each other: the node remembers the id in each folder's mark, and the mark names the
// node. So an empty mount point is never taken for its disk, and a restored copy never writes where its original does.

/** Whether the settings name a folder, or its owner did just now. */
export type ChosenBy = 'plan' | 'owner';

/** Why a folder is not used without its owner's word: its mark is gone or another one, or another node writes there. */
export type Doubt = 'disk' | 'node';

/**
 * Checks that backups may be written to a folder, marks it, and remembers it. Never makes the folder: if it is missing, its
 * disk is. Rejects with CareError.
 */
export async function openBackupFolder(folder: string, dataDir: string, by: ChosenBy): Promise<KnownFolder> {
  const found = await lookAt(folder, dataDir, by);
  if (found.doubt !== null) throw refused(folder, found);
  return await claim(folder, dataDir, found);
}

/** The same check. Changes nothing; resolves with what its owner has to confirm, or null. Rejects with CareError. */
export async function doubtAbout(
  folder: string,
  dataDir: string,
  by: ChosenBy,
): Promise<{ doubt: Doubt | null; error: CareError | null }> {
  const found = await lookAt(folder, dataDir, by);
  return { doubt: found.doubt, error: found.doubt === null ? null : refused(folder, found) };
}

/**
 * The owner says that a folder, as it is now, is this node's: another mark is taken over, a missing one is made, and what
 * was restored takes the place of its original. Rejects with CareError.
 */
export async function confirmBackupFolder(folder: string, dataDir: string): Promise<void> {
  const found = await lookAt(folder, dataDir, 'owner');
  const { known, mark } = found;
  const isOther = known !== null && known.id !== mark?.id;
  await claim(folder, dataDir, isOther ? { ...found, known: null } : found);
  writeBackupState(dataDir, { isCopy: false, failure: null });
}

/** Whether this data was restored and leaves a folder alone until its owner confirms. */
export function awaitsConfirmation(state: BackupState, folder: string | null): boolean {
  return state.isCopy && folder !== null && knownFolder(state, folder) === null;
}

interface Found {
  readonly node: string;
  readonly known: KnownFolder | null;
  readonly mark: FolderMark | null;
  readonly doubt: Doubt | null;
}

async function lookAt(folder: string, dataDir: string, by: ChosenBy): Promise<Found> {
  await refuseBackupFolder(folder, dataDir);
  const state = readBackupState(dataDir);
  const known = knownFolder(state, folder);
  const mark = await markOf(folder);
  const node = nodeName(dataDir);
  return { node, known, mark, doubt: await doubt() };

  async function doubt(): Promise<Doubt | null> {
    if (known !== null && mark?.id !== known.id) return 'disk';
    const owner = mark?.nodes[node];
    if (owner !== undefined && owner !== state.node && known?.isUnlisted !== true) return 'node';
    if (!state.isCopy || known !== null) return null;
    if (by === 'plan') return 'node';
    return owner === undefined && (await backupsIn(folder, node)).length > 0 ? 'node' : null;
  }
}

async function claim(folder: string, dataDir: string, { node, known, mark }: Found): Promise<KnownFolder> {
  // The id is on disk before the folder names it.
  const state = writeBackupState(dataDir, {});
  const marked = mark?.nodes[node] === state.node ? mark : await writeMark(folder, mark, { [node]: state.node });
  if (known !== null && !known.isUnlisted) return known;
  const inFolder = known === null ? [] : await backupsIn(folder, node);
  const listed = inFolder.filter(({ name }) => !known!.made.some((each) => each.name === name));
  const entry: KnownFolder = {
    path: known?.path ?? resolve(folder),
    id: marked.id,
    isUnlisted: false,
    made: [
      ...(known?.made ?? []),
      ...listed.map(({ name, madeAt, bytes }) => ({
        ...{ name, at: madeAt, bytes, durationMs: 0, keystore: null },
        encryption: name.endsWith('.age') ? ('recipient' as const) : ('none' as const),
      })),
    ],
  };
  writeBackupState(dataDir, { folders: withFolder(readBackupState(dataDir), entry) });
  return entry;
}

/** The first digits of the node's key, as in the names of its backups. */
function nodeName(dataDir: string): string {
  try {
    return readPublicKey(dataDir).slice(0, 8);
  } catch (error) {
    throw careError(error, 'the node’s identity can’t be read', 'bad_data');
  }
}

function refused(folder: string, { doubt, mark }: Found): CareError {
  if (doubt === 'node') {
    return new CareError(
      'other_node',
      `${folder} is the backup folder of another copy of this node, for example the one it was restored from, and stays unchanged: ` +
        'if that copy is off for good, confirm that this node replaces it ("wellhouse backup --take-place"), or choose another folder',
    );
  }
  return new CareError(
    'no_folder',
    `${folder} is not the backup folder that was chosen (${FOLDER_MARK} in it is ${mark === null ? 'missing' : 'that of another folder'}): ` +
      'connect its disk, or confirm the new disk ("wellhouse backup --take-place")',
  );
}
