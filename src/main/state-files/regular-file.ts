import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { writeAtomically } from '../common/atomic-write.ts';
import { StartError } from '../common/start-error.ts';

/**
 * Returns whether a file exists. Throws StartError if it is not a regular one: opening a named pipe would block for
 * ever. Links are followed.
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
    // A write would replace such a link by a file.
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

/** The largest file that is read into memory; none of ours is larger. */
const MAX_FILE_BYTES = 64 * 1024 ** 2;

/**
 * Returns the contents of a file; null if it does not exist. Throws StartError if it is not a regular file, is too
 * large, or may not be read.
 */
export function readRegularFile(path: string): Buffer | null {
  if (!isRegularFile(path)) return null;
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (size > MAX_FILE_BYTES)
    throw new StartError(`${path} has ${size} bytes, too large for such a file; move it away, then start again`);
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new StartError(`${path} can't be read (${code}); check that it belongs to the user that the node runs as`);
  }
}

/**
 * Replaces a file as a whole or not at all, also through a link, and reads it back. `unfinished` is the temporary name.
 * Rejects with errors of the file system.
 */
export async function writeRegularFile(path: string, bytes: Uint8Array, unfinished?: string): Promise<void> {
  await writeAtomically(existsSync(path) ? realpathSync(path) : path, bytes, unfinished);
  if (!readRegularFile(path)?.equals(bytes)) throw new Error(`${path} differs from what was written`);
}

/**
 * Parses JSON text. The byte order mark determines the encoding, since some editors and shells write UTF-16. Throws if
 * it is not JSON.
 */
export function readJson(bytes: Uint8Array): unknown {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return JSON.parse(new TextDecoder(encoding).decode(bytes));
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
