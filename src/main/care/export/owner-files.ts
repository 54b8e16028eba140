import { join } from 'node:path';
import { farmosTasks } from '../../../shared/export/farmos.ts';
import { cycle as cycleSchema } from '../../../shared/owner-data/cycles.ts';
import type { JournalEntry } from '../../../shared/owner-data/journal.ts';
import { task as taskSchema } from '../../../shared/owner-data/tasks.ts';
import { photoFile } from '../../../shared/photos/photo-limits.ts';
import { syncFolder } from '../../common/sync.ts';
import { makeFolder } from '../../data-folder/folders.ts';
import { PHOTOS_DIR, type PhotoFolder } from '../../photos/photo-folder.ts';
import type { StoresView } from '../../store/stores-view.ts';
import { NewFile } from './sink.ts';

const MAX_ENTRIES = 1_000_000;

/** The owner's own data as the lines of files, by their names. A file without lines is left out, except the journal. */
export async function ownerTexts(stores: StoresView): Promise<ReadonlyMap<string, string>> {
  const choices = await stores.choices();
  const listOf = (name: string): readonly unknown[] => {
    const kept = choices.get(name);
    return Array.isArray(kept) ? kept : [];
  };
  const names = new Map(
    (await stores.devices()).map(({ id, notes, entries }) => [id, notes.displayName ?? entries[0]!.device.name]),
  );
  const tasks = listOf('tasks').flatMap((each) => taskSchema.safeParse(each).data ?? []);
  const cycles = listOf('cycles').flatMap((each) => cycleSchema.safeParse(each).data ?? []);
  const photos = await photosOf(stores);
  const journal = (await stores.journal(null, 0, Number.MAX_SAFE_INTEGER, MAX_ENTRIES)).toReversed();
  const files: readonly (readonly [string, readonly unknown[]])[] = [
    ['journal.ndjson', journal],
    ['tasks.ndjson', farmosTasks(tasks, (device) => names.get(device) ?? device)],
    ['cycles.ndjson', cycles],
    ['photos.ndjson', photos.map(({ id, ...photo }) => ({ file: pathOf(id), ...photo }))],
  ];
  return new Map(
    files
      .filter(([name, list]) => list.length > 0 || name === 'journal.ndjson')
      .map(([name, list]) => [name, linesOf(list)]),
  );
}

/** The photos of all entries, by their ids; each with its size in bytes. */
export async function bytesOfPhotos(stores: StoresView): Promise<ReadonlyMap<string, number>> {
  return new Map((await photosOf(stores)).map(({ id, bytes }) => [id, bytes]));
}

/**
 * Copies photos into a folder of an export; returns their names there. One that is missing or damaged is left out. `before` is
 * called ahead of each, and ends the copying where it throws.
 */
export async function copyPhotos(
  folder: string,
  ids: Iterable<string>,
  from: PhotoFolder,
  before: (name: string) => void,
): Promise<string[]> {
  const names: string[] = [];
  for (const id of ids) {
    before(pathOf(id));
    const bytes = await from.read(id, 'full');
    if (bytes === null) continue;
    makeFolder(join(folder, PHOTOS_DIR));
    writeFile(join(folder, pathOf(id)), bytes);
    names.push(pathOf(id));
  }
  if (names.length > 0) syncFolder(join(folder, PHOTOS_DIR));
  return names;
}

/** Each photo of each entry, oldest first. */
async function photosOf(stores: StoresView) {
  const entries: readonly JournalEntry[] = await stores.entriesWithPhotos();
  return entries.flatMap(({ id: entry, device, at, text, act }) =>
    (act?.photos ?? []).map((photo) => ({ ...photo, entry, device, at, kind: act!.kind, text })),
  );
}

/** The name of a photo's file in an export, with slashes on every system. */
const pathOf = (id: string): string => `${PHOTOS_DIR}/${photoFile({ id })}`;

export const linesOf = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** Writes a whole file of an export, which has its name only once it is on disk. */
export function writeFile(path: string, content: string | Uint8Array): void {
  const file = new NewFile(path);
  try {
    file.write(Buffer.from(content));
    file.finish();
  } catch (error) {
    file.discard();
    throw error;
  }
}
