import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomicallySync } from '../../common/atomic-write.ts';
import { StartError } from '../../common/start-error.ts';

const FILE_NAME = 'ui-token';
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * The secret that opens the owner's view in a browser: 32 random bytes in base64url, kept in the data folder for the
 * owner's eyes alone. Made where there is none or `replace` is set. Throws StartError where the file can't be used.
 */
export function loadOrCreateUiToken(dataDir: string, replace: boolean): string {
  const path = join(dataDir, FILE_NAME);
  try {
    const kept = replace ? null : read(path);
    if (kept !== null && !TOKEN.test(kept)) {
      throw new StartError(`${path} holds no token of the owner's view; start with --new-ui-token to make a new one`);
    }
    return kept ?? write(path);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${path} can't be used (${(error as Error).message}); check the folder and its disk`);
  }
}

/** The token of a node that runs. Throws what reading it throws, and StartError where there is none. */
export function readUiToken(dataDir: string): string {
  const path = join(dataDir, FILE_NAME);
  const kept = readFileSync(path, 'utf8').trim();
  if (!TOKEN.test(kept)) throw new StartError(`${path} holds no token of the owner's view`);
  return kept;
}

/** What opens the owner's view in a browser, as secret as the token. */
export function linkOf(localUrl: string, token: string): string {
  return `${localUrl}/ui/#token=${token}`;
}

function read(path: string): string | null {
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function write(path: string): string {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  writeAtomicallySync(path, `${token}\n`);
  return token;
}
