import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';

/** Whether a path is a folder or in it, also by links. */
export async function isWithin(folder: string, path: string): Promise<boolean> {
  const within = relative(await realPath(folder), await realPath(path));
  return within === '' || (!within.startsWith('..') && !isAbsolute(within));
}

/** Where links lead. */
async function realPath(path: string): Promise<string> {
  return await realpath(path).catch(() => resolve(path));
}
