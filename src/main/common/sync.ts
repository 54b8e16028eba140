import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Has the system put on disk what was written to a file. Throws as the file system does. */
export function syncFile(path: string): void {
  sync(openForSync(path));
}

/** The same for the names in a folder. */
export function syncFolder(path: string, platform: NodeJS.Platform = process.platform): void {
  // Windows syncs no folder; its file system journals the names.
  if (platform !== 'win32') sync(openSync(path, 'r'));
}

/** Windows syncs only what was opened for writing; other systems also sync a file that this user can't write. */
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
