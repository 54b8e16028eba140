import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { writeAtomicallySync } from '../common/atomic-write.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import { readRegularFile } from '../state-files/regular-file.ts';

/** Marks a data folder whose data was moved away, so that no second node starts on what stayed behind. */
export const MARKER = 'moved.json';
const MAX_MOVES = 20;

/** Never a way out of the folder: what is named here may be deleted. */
const pathWithin = z.string().refine((path) => path !== '' && !isAbsolute(path) && !path.split(/[\\/]/).includes('..'));

const marker = z.looseObject({
  to: z.string().min(1),
  /** ISO 8601. */
  at: z.string(),
  /** The copied files by path in the folder, as they were then: a file that changed since is not deleted. */
  files: z.array(z.looseObject({ path: pathWithin, bytes: z.number(), modifiedMs: z.number() })),
});
export type Marker = z.infer<typeof marker>;
type MovedFile = { readonly [Key in 'path' | 'bytes' | 'modifiedMs']: Marker['files'][number][Key] };

/** The mark in a folder; null where there is none that can be read. Throws StartError where it is no regular file. */
export function readMarker(dir: string): Marker | null {
  const bytes = readRegularFile(join(dir, MARKER));
  try {
    return bytes === null ? null : (marker.safeParse(JSON.parse(bytes.toString('utf8'))).data ?? null);
  } catch {
    return null;
  }
}

/** Whether a folder has a mark that can't be read: its data may be somewhere else. Throws StartError where it is no regular file. */
export function isMarkerDamaged(dir: string): boolean {
  return readRegularFile(join(dir, MARKER)) !== null && readMarker(dir) === null;
}

/** Marks a folder whose data is somewhere else from now on. Throws as the file system does. */
export function writeMarker(dir: string, to: string, files: readonly MovedFile[]): void {
  const written = marker.parse({ to, at: new Date(SYSTEM_CLOCK.now()).toISOString(), files });
  writeAtomicallySync(join(dir, MARKER), `${JSON.stringify(written, null, 2)}\n`);
}

/** Where the data of a folder is now, over any number of moves; null where it was not moved. */
export function movedTo(dir: string): string | null {
  let found: string | null = null;
  for (let moves = 0; moves < MAX_MOVES; moves += 1) {
    const next = readMarker(found ?? dir)?.to;
    if (next === undefined) return found;
    found = resolve(next);
  }
  return null;
}
