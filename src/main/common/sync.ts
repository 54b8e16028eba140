import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Syncs a file to disk. Throws errors of the file system. */
export function syncFile(path: string): void {
  sync(openForSync(path));
}

/** Syncs the names in a folder to disk. Throws errors of the file system. */
export function syncFolder(path: string, platform: NodeJS.Platform = process.platform): void {
  // Windows can't sync a folder; its file system journals the names.
  if (platform !== 'win32') sync(openSync(path, 'r'));
}

/**
 * Opens a file for a sync. Windows requires write access; other systems also sync a file that this user can't write.
 */
function openForSync(path: string): number {
  try {
    return openSync(path, 'r+');
  } catch {
    return openSync(path, 'r');
  }
}

function sync(file: number): void {
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
