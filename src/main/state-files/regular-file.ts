import { lstatSync, readFileSync, statSync } from 'node:fs';
import { StartError } from '../common/start-error.ts';

/**
 * Whether a file is there. Throws StartError where something else is: opening a pipe would wait for ever. A link counts as
 * what it leads to.
 */
export function isRegularFile(path: string): boolean {
  let found: ReturnType<typeof statSync>;
  try {
    found = statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP') throw notRegular(path, 'a link that leads to itself');
    throw new StartError(`${path} can't be read (${code}); check the file and its folder`);
  }
  if (found === undefined) {
    // A write would put a file of its own in the place of such a link.
    if (isLink(path)) {
      throw new StartError(
        `${path} is a link to a file that does not exist; restore that file or remove the link, then start again`,
      );
    }
    return false;
  }
  if (!found.isFile()) throw notRegular(path, kindOf(found));
  return true;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

/** What a file holds; null where there is none. Throws StartError where it is no regular file or may not be read. */
export function readRegularFile(path: string): Buffer | null {
  if (!isRegularFile(path)) return null;
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new StartError(`${path} can't be read (${code}); check that it belongs to the user that the node runs as`);
  }
}

function notRegular(path: string, kind: string): StartError {
  return new StartError(`${path} is ${kind}, not a regular file; move it away, then start again`);
}

type Found = NonNullable<ReturnType<typeof statSync>>;

function kindOf(found: Found): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}
