import { existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Returns the missing folders of a path, including the path itself, innermost first. */
export function missingFolders(path: string, parentOf = dirname): string[] {
  if (existsSync(path)) return [];
  const parent = parentOf(path);
  // On Windows the drive itself can be missing.
  return parent === path ? [path] : [path, ...missingFolders(parent, parentOf)];
}

/**
 * Creates a folder and its missing parents, only for this user. Throws errors of the file system. mkdir's own
 * `recursive` is not used: below /proc it never ends.
 */
export function makeFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  const [, ...above] = missingFolders(path);
  for (const folder of [...above.reverse(), path]) mkdirSync(folder, { mode: 0o700 });
}

/** Removes existing empty folders in the given order; stops at the first that is not empty. */
export function removeEmptyFolders(paths: readonly string[]): void {
  try {
    for (const path of paths) if (existsSync(path)) rmdirSync(path);
  } catch {
    // The folder has files that are not ours.
  }
}
