import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../common/start-error.ts';
import { isNodeRunning } from '../../data-folder/node-lock.ts';
import { readTextFile, writeTextFile } from '../../state-files/text-file.ts';
import { linkOf, readUiToken } from './ui-token.ts';

const FILE_NAME = 'ui-address';

/** Deletes the saved address: at the stop, and at the start in case the node did not stop cleanly. */
export function forgetUiAddress(dataDir: string): void {
  rmSync(join(dataDir, FILE_NAME), { force: true });
}

/**
 * Saves the address of the owner's view of a listening node, next to the token, so that a later request for the link
 * need not know the port. Throws StartError if the file can't be written.
 */
export function keepUiAddress(dataDir: string, localUrl: string): void {
  const path = join(dataDir, FILE_NAME);
  try {
    writeTextFile(path, localUrl);
  } catch (error) {
    throw new StartError(`${path} can't be written (${(error as Error).message}); check the folder and its disk`);
  }
}

/** Returns the address of the owner's view of the node that runs on a data folder; null if it serves no browser. */
export function readUiAddress(dataDir: string): string | null {
  return readTextFile(join(dataDir, FILE_NAME))?.trim() ?? null;
}

/**
 * Returns the link of the node that runs on a data folder; null if none runs. Throws StartError if the node serves no
 * browser or its files can't be read. `isDesktops` is whether the folder is the desktop app's, so that most likely the
 * app runs on it.
 */
export function linkOfRunningNode(dataDir: string, isDesktops: boolean): string | null {
  if (!isNodeRunning(dataDir)) return null;
  const address = readUiAddress(dataDir);
  if (address === null) {
    throw new StartError(
      isDesktops
        ? `the Wellhouse desktop app (or a node without --ui) runs on ${dataDir}: use its window, or quit it first`
        : `the node on ${dataDir} has no owner's view in the browser (or is just starting): start it with --ui, or use the window if it is the desktop app`,
    );
  }
  return linkOf(address, readUiToken(dataDir));
}
