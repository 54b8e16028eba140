import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { z } from 'zod';
import { cycle as cycleSchema, MAX_CYCLES } from '../../../shared/owner-data/cycles.ts';
import { type JournalEntry, journalEntry } from '../../../shared/owner-data/journal.ts';
import { photoFile } from '../../../shared/photos/photo-limits.ts';
import { StartError } from '../../common/start-error.ts';
import { isNodeRunning, lockDataDir } from '../../data-folder/node-lock.ts';
import { PHOTOS_DIR, PhotoFolder } from '../../photos/photo-folder.ts';
import { isRegularFile } from '../../state-files/regular-file.ts';
import { readStores } from '../../store/engines.ts';
import { locationsIn } from '../../store/locations.ts';
import { StoresWithoutNode } from '../../store/stores-without-node.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit-codes.ts';

const MAX_ENTRIES = 1_000_000;

/** The numbers of what was imported. `known` entries and cycles were here already. */
export interface LogImport {
  readonly entries: number;
  readonly cycles: number;
  readonly photos: number;
  readonly known: number;
}

/**
 * Adds the log, its photos and the crop cycles of an export to a data folder on which no node runs. What is here stays
 * as it is. Throws CommandError before anything is written if a line or a photo is not valid.
 */
export async function importLog({ dataDir, settings }: Context, folder: string): Promise<LogImport> {
  if (isNodeRunning(dataDir)) throw new CommandError(`a node runs on ${dataDir}: stop it first`, EXIT.busy);
  const given = {
    entries: readLines(join(folder, 'journal.ndjson'), journalEntry),
    cycles: isRegularFile(join(folder, 'cycles.ndjson')) ? readLines(join(folder, 'cycles.ndjson'), cycleSchema) : [],
  };
  const unlock = lockDataDir(dataDir);
  const stores = new StoresWithoutNode(dataDir, settings.durability, pino({ level: 'silent' }));
  try {
    const store = await stores.open('private');
    const locations = locationsIn(dataDir);
    const shown = { ...locations, public: (await stores.exists('public')) ? locations.public : null };
    const here = await readStores(shown, async (view) => ({
      entries: await view.journal(null, 0, Number.MAX_SAFE_INTEGER, MAX_ENTRIES),
      cycles: (await view.choices()).get('cycles'),
    }));
    const known = new Set(here.entries.map(keyOf));
    const entries = given.entries.filter((entry) => !known.has(keyOf(entry)));
    const kept: readonly unknown[] = Array.isArray(here.cycles) ? here.cycles : [];
    const ids = new Set(kept.map((each) => (each as { readonly id?: unknown } | null)?.id));
    const cycles = given.cycles.filter(({ id }) => !ids.has(id));
    if (kept.length + cycles.length > MAX_CYCLES)
      throw new CommandError(`there would be more than ${MAX_CYCLES} crop cycles`, EXIT.usage);
    const photos = new PhotoFolder(dataDir);
    const added = await addPhotos(photos, folder, entries, settings.photosMaxBytes);
    if (cycles.length > 0) await store.setChoice('cycles', [...kept, ...cycles], Date.now());
    for (const entry of entries) await store.writeEntry({ ...entry, id: null });
    await photos.adopt(added);
    const all = given.entries.length + given.cycles.length;
    return {
      ...{ entries: entries.length, cycles: cycles.length, photos: added.length },
      known: all - entries.length - cycles.length,
    };
  } finally {
    await stores.close();
    unlock();
  }
}

/** Returns a key that two entries share only if they say the same. Nodes number their entries on their own. */
function keyOf({ device, at, text, act, by }: JournalEntry): string {
  return JSON.stringify([device, at, text, act, by]);
}

/** Adds the photos of entries that lie in the export, and returns their ids. */
async function addPhotos(
  photos: PhotoFolder,
  folder: string,
  entries: readonly JournalEntry[],
  maxBytes: number,
): Promise<string[]> {
  const added: string[] = [];
  for (const id of new Set(entries.flatMap(({ act }) => (act?.photos ?? []).map((photo) => photo.id)))) {
    const path = join(folder, PHOTOS_DIR, photoFile({ id }));
    // An export leaves out photos that were lost or damaged.
    if (!isRegularFile(path)) continue;
    const bytes = readFileSync(path);
    if (createHash('sha256').update(bytes).digest('hex') !== id)
      throw new CommandError(`${path} is not the photo that the log names`, EXIT.usage);
    const { problem } = await photos.add(bytes, null, maxBytes);
    if (problem === 'full')
      throw new CommandError(`${path} does not fit: photos have reached PHOTOS_MAX_BYTES`, EXIT.usage);
    if (problem !== null) throw new CommandError(`${path} is no photo that this node takes (${problem})`, EXIT.usage);
    added.push(id);
  }
  return added;
}

/** Reads a file with a JSON value in each line. */
function readLines<T>(path: string, schema: z.ZodType<T>): T[] {
  let text: string;
  try {
    // A named pipe would block for ever.
    isRegularFile(path);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(`${path} can’t be read (${code})`, EXIT.usage, 'name the folder of an export');
  }
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const refuse = (why: string) => new CommandError(`${path}, line ${index + 1}: ${why}`, EXIT.usage);
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw refuse('not JSON');
    }
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw refuse(parsed.error.issues[0]!.message);
    return [parsed.data];
  });
}
