import { rmSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { readdir, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MARKER, type Marker, readMarker } from '../data-marker.ts';
import type { CopiedFile } from './copy-folder.ts';

/** What a move left behind in a folder, for the owner to delete. */
export interface OldData {
  readonly path: string;
  readonly bytes: number;
}

/** Marks a folder whose data is somewhere else from now on. Throws as the file system does. */
export function markMoved(from: string, to: string, files: readonly CopiedFile[]): void {
  const marker = { to, at: new Date().toISOString(), files };
  writeFileSync(join(from, MARKER), `${JSON.stringify(marker, null, 2)}\n`, { mode: 0o600 });
}

/** The folders of a list that still hold something that was moved away. */
export function oldDataIn(dirs: readonly string[]): OldData[] {
  return dirs.flatMap((path) => {
    const left = leftOf(path, readMarker(path));
    return left.length === 0 ? [] : [{ path, bytes: left.reduce((sum, { found }) => sum + found.size, 0) }];
  });
}

/**
 * Deletes from a folder what was moved away from it, and nothing else; the mark stays, for it tells where the data went.
 * Returns false, with nothing deleted, where a file is not as it was when it was copied. Rejects where the disk fails.
 */
export async function deleteOldData(dir: string): Promise<boolean> {
  const marker = readMarker(dir);
  const left = leftOf(dir, marker);
  if (marker === null || left.some(({ file, found }) => hasChanged(file, found))) return false;
  for (const { file } of left) rmSync(join(dir, file.path));
  for (const suffix of ['node.lock', ...left.map(({ file }) => `${file.path}-shm`)]) {
    rmSync(join(dir, suffix), { force: true });
  }
  const folders = new Set(left.map(({ file }) => dirname(file.path)).filter((name) => name !== '.'));
  for (const name of [...folders].sort((a, b) => b.length - a.length)) {
    if ((await readdir(join(dir, name))).length === 0) await rmdir(join(dir, name));
  }
  markMoved(dir, marker.to, []);
  return true;
}

function leftOf(dir: string, marker: Marker | null): { file: CopiedFile; found: Stats }[] {
  return (marker?.files ?? []).flatMap((file) => {
    const found = statSync(join(dir, file.path), { throwIfNoEntry: false });
    return found === undefined ? [] : [{ file, found }];
  });
}

function hasChanged(file: CopiedFile, found: Stats): boolean {
  return found.size !== file.bytes || found.mtimeMs !== file.modifiedMs;
}
