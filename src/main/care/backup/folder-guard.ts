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

// A node and its backup folders identify each other: the node stores the id from each folder's mark, and the mark names
// the node. So an empty mount point is never mistaken for its disk, and a restored copy never writes where its original
// does.

/** `plan` if the settings name the folder, `owner` if the owner named it just now. */
export type ChosenBy = 'plan' | 'owner';

/**
 * The reason why the owner must confirm a folder. `disk`: its mark is missing or different. `node`: another node writes
 * there.
 */
export type Doubt = 'disk' | 'node';

/**
 * Checks that backups may be written to a folder, marks the folder and stores its id. Never creates the folder: if it
 * is missing, its disk is. Rejects with CareError.
 */
export async function openBackupFolder(folder: string, dataDir: string, by: ChosenBy): Promise<KnownFolder> {
  const found = await lookAt(folder, dataDir, by);
  if (found.doubt !== null) throw refused(folder, found);
  return await claim(folder, dataDir, found);
}

/**
 * Makes the same check without changes; resolves with the doubt that the owner must resolve, or null. Rejects with
 * CareError.
 */
export async function doubtAbout(
  folder: string,
  dataDir: string,
  by: ChosenBy,
): Promise<{ doubt: Doubt | null; error: CareError | null }> {
  const found = await lookAt(folder, dataDir, by);
  return { doubt: found.doubt, error: found.doubt === null ? null : refused(folder, found) };
}

/**
 * Accepts a folder for this node on the owner's word: takes over a different mark, creates a missing one, and lets
 * restored data replace its original. Rejects with CareError.
 */
export async function confirmBackupFolder(folder: string, dataDir: string): Promise<void> {
  const found = await lookAt(folder, dataDir, 'owner');
  const { known, mark } = found;
  const isOther = known !== null && known.id !== mark?.id;
  await claim(folder, dataDir, isOther ? { ...found, known: null } : found);
  writeBackupState(dataDir, { isCopy: false, failure: null });
}

/** Returns whether this data was restored and must not write to the folder until the owner confirms. */
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
  // The node's id must be on disk before the folder names it.
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

/** Returns the first digits of the node's key, as in the names of its backups. */
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
