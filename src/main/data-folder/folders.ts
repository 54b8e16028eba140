import { existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The folders on the way to a path that are not there, the path itself with them, the innermost first. */
export function missingFolders(path: string, parentOf = dirname): string[] {
  if (existsSync(path)) return [];
  const parent = parentOf(path);
  // A drive of Windows can be missing, too.
  return parent === path ? [path] : [path, ...missingFolders(parent, parentOf)];
}

/**
 * Makes a folder, for this user alone, and those on the way to it; throws as the file system does. Not mkdir's own
 * `recursive`: below /proc it tries for ever.
 */
export function makeFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  const [, ...above] = missingFolders(path);
  for (const folder of [...above.reverse(), path]) mkdirSync(folder, { mode: 0o700 });
}

/** Removes those of the folders that are there and empty, in the order given; whatever keeps one keeps those around it. */
export function removeEmptyFolders(paths: readonly string[]): void {
  try {
    for (const path of paths) if (existsSync(path)) rmdirSync(path);
  } catch {
    // Something is in it that is not ours.
  }
}
