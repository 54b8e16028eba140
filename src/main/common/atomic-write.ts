import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync.ts';

const OPTIONS = { flag: 'wx', mode: 0o600, flush: true } as const;

/**
 * Writes a file that only its owner may read, as a whole or not at all. After a crash the name has the old or the new
 * content; once this resolves, it durably has the new one. `unfinished` is the temporary name; a leftover of a crash
 * there is replaced. Rejects with errors of the file system.
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

/** Writes a file in the same way, synchronously. */
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
