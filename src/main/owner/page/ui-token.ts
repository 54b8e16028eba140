import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StartError } from '../../common/start-error.ts';
import { closeToOthers, readTextFile, writeTextFile } from '../../state-files/text-file.ts';

/** A name in the data folder. */
export const UI_TOKEN_FILE = 'ui-token';
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Returns the secret that opens the owner's view in a browser: 32 random bytes in base64url, in a file that only the
 * owner can read. Creates it if there is none or `replace` is set. Throws StartError if the file can't be used.
 */
export function loadOrCreateUiToken(dataDir: string, replace: boolean): string {
  const path = join(dataDir, UI_TOKEN_FILE);
  try {
    const kept = replace ? null : read(path);
    if (kept !== null && !TOKEN.test(kept)) {
      throw new StartError(
        `${path} contains no token of the owner's view; start with --new-ui-token to create a new one`,
      );
    }
    return kept ?? write(path);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${path} can't be used (${(error as Error).message}); check the folder and its disk`);
  }
}

/** Returns the token of a running node. Throws StartError if there is none, and errors of the file system. */
export function readUiToken(dataDir: string): string {
  const path = join(dataDir, UI_TOKEN_FILE);
  const kept = readTextFile(path)?.trim();
  if (kept === undefined || !TOKEN.test(kept)) throw new StartError(`${path} contains no token of the owner's view`);
  return kept;
}

/** Returns the link that opens the owner's view in a browser. It contains the token. */
export function linkOf(localUrl: string, token: string): string {
  return `${localUrl}/ui/#token=${token}`;
}

function read(path: string): string | null {
  closeToOthers(path);
  return readTextFile(path)?.trim() ?? null;
}

function write(path: string): string {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  writeTextFile(path, token);
  return token;
}
