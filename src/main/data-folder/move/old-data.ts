import { lstatSync, rmSync, type Stats, statSync, unlinkSync } from 'node:fs';
import { readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { madeAtOpeningOf } from '../../store/locations.ts';
import { type Marker, readMarker, writeMarker } from '../data-marker.ts';
import type { CopiedFile } from './copy-folder.ts';

/** The files that a move left in a folder, for the owner to delete. */
export interface OldData {
  readonly path: string;
  readonly bytes: number;
}

/** Returns the folders of a list that still have files of moved data. */
export function oldDataIn(dirs: readonly string[]): OldData[] {
  return dirs.flatMap((path) => {
    const left = leftOf(path, readMarker(path));
    const goes = new Set(left.map(({ at }) => at));
    // A link counts with its own size, since its target stays.
    const bytes = [...goes].reduce((sum, at) => sum + lstatSync(join(path, at)).size, 0);
    return goes.size === 0 ? [] : [{ path, bytes }];
  });
}

/**
 * Deletes the moved files from a folder, and nothing else. The mark stays, since it names the new folder. A link is
 * deleted, never its target. Returns false, with nothing deleted, if a file has changed since it was copied. Rejects if
 * the disk fails.
 */
export async function deleteOldData(dir: string): Promise<boolean> {
  const marker = readMarker(dir);
  const left = leftOf(dir, marker);
  if (marker === null || left.some(({ file, found }) => hasChanged(file, found))) return false;
  for (const at of new Set(left.map((each) => each.at))) unlinkSync(join(dir, at));
  const within = left.filter(({ file, at }) => at === file.path).map(({ at }) => at);
  for (const name of ['node.lock', 'audit.lock', ...within.map(madeAtOpeningOf)])
    rmSync(join(dir, name), { force: true });
  const folders = new Set(left.flatMap(({ at }) => foldersOf(at)));
  for (const name of [...folders].sort((a, b) => b.length - a.length)) {
    if ((await readdir(join(dir, name))).length === 0) await rmdir(join(dir, name));
  }
  writeMarker(dir, marker.to, []);
  return true;
}

interface Left {
  readonly file: CopiedFile;
  /** The target of the path. */
  readonly found: Stats;
  /** The file to remove, relative to the folder: the file itself, or the first link in its path. */
  readonly at: string;
}

function leftOf(dir: string, marker: Marker | null): Left[] {
  return (marker?.files ?? []).flatMap((file) => {
    const found = statSync(join(dir, file.path), { throwIfNoEntry: false });
    if (found === undefined) return [];
    const link = foldersOf(file.path).find((path) => lstatSync(join(dir, path)).isSymbolicLink());
    return [{ file, found, at: link ?? file.path }];
  });
}

/** Returns the parent folders of a path, outermost first. */
function foldersOf(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

function hasChanged(file: CopiedFile, found: Stats): boolean {
  return found.size !== file.bytes || found.mtimeMs !== file.modifiedMs;
}
