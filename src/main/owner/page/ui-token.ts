import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StartError } from '../../common/start-error.ts';
import { closeToOthers, readTextFile, writeTextFile } from '../../state-files/text-file.ts';

/** In the data folder. */
export const UI_TOKEN_FILE = 'ui-token';
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * The secret that opens the owner's view in a browser: 32 random bytes in base64url, kept in the data folder for the
 * owner's eyes alone. Made where there is none or `replace` is set. Throws StartError where the file can't be used.
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

/** The token of a node that runs. Throws what reading it throws, and StartError where there is none. */
export function readUiToken(dataDir: string): string {
  const path = join(dataDir, UI_TOKEN_FILE);
  const kept = readTextFile(path)?.trim();
  if (kept === undefined || !TOKEN.test(kept)) throw new StartError(`${path} contains no token of the owner's view`);
  return kept;
}

/** The token that opens the owner's view in a browser. */
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
