import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync.ts';

const OPTIONS = { flag: 'wx', mode: 0o600, flush: true } as const;

/**
 * Writes a file for its owner alone, whole or not at all: after a crash at any time its name leads to the old content or
 * to the new one, and to the new one for good once this resolves. `unfinished` is the name until then; what a crash left
 * under it is replaced. Rejects as the file system does.
 */
export async function writeAtomically(
  path: string,
  data: string | Uint8Array,
  unfinished = `${path}.${randomUUID()}.new`,
): Promise<void> {
  await rm(unfinished, { force: true });
  try {
    await writeFile(unfinished, data, OPTIONS);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** The same at once, for what comes before anything else runs. */
export function writeAtomicallySync(path: string, data: string, unfinished = `${path}.new`): void {
  rmSync(unfinished, { force: true });
  try {
    writeFileSync(unfinished, data, OPTIONS);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}
