import { chmodSync, existsSync, realpathSync, statSync } from 'node:fs';
import { writeAtomicallySync } from '../common/atomic-write.ts';
import { readRegularFile } from './regular-file.ts';

const OTHERS = 0o077;
const OWNER_ONLY = 0o600;

/**
 * The contents of a file of plain text, such as a token; null if there is none. Throws StartError if it is no regular
 * file, or this user may not read it.
 */
export function readTextFile(path: string): string | null {
  return readRegularFile(path)?.toString('utf8') ?? null;
}

/** Closes a file to other users, as one that was brought over from another machine. What may not be changed stays as it is. */
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
 * Writes one line for its owner alone, whole or not at all, and reads it back; `unfinished` is its name until then. Throws as
 * the file system does.
 */
export function writeTextFile(path: string, line: string, unfinished?: string): void {
  writeAtomicallySync(existsSync(path) ? realpathSync(path) : path, `${line}\n`, unfinished);
  if (readTextFile(path) !== `${line}\n`) throw new Error(`${path} differs from what was written`);
}
