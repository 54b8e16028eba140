import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { writeAtomicallySync } from '../common/atomic-write.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import { readRegularFile } from '../state-files/regular-file.ts';

/**
 * The file that marks a data folder whose data was moved away, so that no second node starts on the remaining files.
 */
export const MARKER = 'moved.json';
const MAX_MOVES = 20;

/** A path can't leave the folder, since the named files may be deleted. */
const pathWithin = z.string().refine((path) => path !== '' && !isAbsolute(path) && !path.split(/[\\/]/).includes('..'));

const marker = z.looseObject({
  to: z.string().min(1),
  /** ISO 8601. */
  at: z.string(),
  /** The copied files with their state at that time: a file that has changed since is not deleted. */
  files: z.array(z.looseObject({ path: pathWithin, bytes: z.number(), modifiedMs: z.number() })),
});
export type Marker = z.infer<typeof marker>;
type MovedFile = { readonly [Key in 'path' | 'bytes' | 'modifiedMs']: Marker['files'][number][Key] };

/** Returns the mark in a folder; null if there is no readable one. Throws StartError if it is not a regular file. */
export function readMarker(dir: string): Marker | null {
  const bytes = readRegularFile(join(dir, MARKER));
  try {
    return bytes === null ? null : (marker.safeParse(JSON.parse(bytes.toString('utf8'))).data ?? null);
  } catch {
    return null;
  }
}

/**
 * Returns whether a folder has an unreadable mark: its data may be somewhere else. Throws StartError if the mark is not
 * a regular file.
 */
export function isMarkerDamaged(dir: string): boolean {
  return readRegularFile(join(dir, MARKER)) !== null && readMarker(dir) === null;
}

/** Marks a folder whose data has been moved away. Throws errors of the file system. */
export function writeMarker(dir: string, to: string, files: readonly MovedFile[]): void {
  const written = marker.parse({ to, at: new Date(SYSTEM_CLOCK.now()).toISOString(), files });
  writeAtomicallySync(join(dir, MARKER), `${JSON.stringify(written, null, 2)}\n`);
}

/** Returns the folder with the data of a folder now, after any number of moves; null if it was not moved. */
export function movedTo(dir: string): string | null {
  let found: string | null = null;
  for (let moves = 0; moves < MAX_MOVES; moves += 1) {
    const next = readMarker(found ?? dir)?.to;
    if (next === undefined) return found;
    found = resolve(next);
  }
  return null;
}
