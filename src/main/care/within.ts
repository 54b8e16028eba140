import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** Whether a path is a folder or in it, also by links. */
export async function isWithin(folder: string, path: string): Promise<boolean> {
  const within = relative(await realPath(folder), await realPath(path));
  return within === '' || (!within.startsWith('..') && !isAbsolute(within));
}

/** Where links lead, also of the folders above one that is not there yet. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(resolve(path));
    return folder === resolve(path) ? folder : join(await realPath(folder), basename(path));
  }
}
