import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Returns whether a path is a folder or inside it, with links resolved. */
export async function isWithin(folder: string, path: string): Promise<boolean> {
  const within = relative(await realPath(folder), await realPath(path));
  const isOutside = within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within);
  return !isOutside;
}

/** Resolves links, also in the parent folders of a path that does not exist yet. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(resolve(path));
    return folder === resolve(path) ? folder : join(await realPath(folder), basename(path));
  }
}
