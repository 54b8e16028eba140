import { chmodSync, existsSync, realpathSync, statSync } from 'node:fs';
import { writeAtomicallySync } from '../common/atomic-write.ts';
import { readRegularFile } from './regular-file.ts';

const OTHERS = 0o077;
const OWNER_ONLY = 0o600;

/**
 * Returns the contents of a plain text file, such as a token; null if it does not exist. Throws StartError if it is not
 * a regular file, or if this user may not read it.
 */
export function readTextFile(path: string): string | null {
  return readRegularFile(path)?.toString('utf8') ?? null;
}

/**
 * Removes other users' access to a file, for example to one that was copied from another machine. Ignores a file whose
 * mode can't be changed.
 */
export function closeToOthers(path: string): void {
  if (process.platform === 'win32') return;
  try {
    if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, OWNER_ONLY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EPERM' && code !== 'EROFS') throw error;
  }
}

/**
 * Writes one line to a file for its owner only, as a whole or not at all, and reads it back. `unfinished` is the
 * temporary name. Throws errors of the file system.
 */
export function writeTextFile(path: string, line: string, unfinished?: string): void {
  writeAtomicallySync(existsSync(path) ? realpathSync(path) : path, `${line}\n`, unfinished);
  if (readTextFile(path) !== `${line}\n`) throw new Error(`${path} differs from what was written`);
}
