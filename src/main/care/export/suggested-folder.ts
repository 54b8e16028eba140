import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isWithin } from '../within.ts';

/**
 * Returns a folder for an export: the downloads or the home of the user that the node runs as. It is writable and
 * outside of the data folder; null if there is none.
 */
export async function suggestedFolder(dataDir: string, home: string = homedir()): Promise<string | null> {
  for (const folder of [join(home, 'Downloads'), home]) {
    if ((await isWritableFolder(folder)) && !(await isWithin(dataDir, folder))) return folder;
  }
  return null;
}

async function isWritableFolder(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
