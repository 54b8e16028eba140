import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../common/start-error.ts';
import { isNodeRunning } from '../../data-folder/node-lock.ts';
import { readTextFile, writeTextFile } from '../../state-files/text-file.ts';
import { linkOf, readUiToken } from './ui-token.ts';

const FILE_NAME = 'ui-address';

/** Takes the note away: at the stop, and at the start should a node not have stopped cleanly. */
export function forgetUiAddress(dataDir: string): void {
  rmSync(join(dataDir, FILE_NAME), { force: true });
}

/**
 * Notes, beside the token, where a node that listens has the owner's view: whoever asks for the link later need not know
 * its port.
 */
export function keepUiAddress(dataDir: string, localUrl: string): void {
  const path = join(dataDir, FILE_NAME);
  try {
    writeTextFile(path, localUrl);
  } catch (error) {
    throw new StartError(`${path} can't be written (${(error as Error).message}); check the folder and its disk`);
  }
}

/** Where the node that runs on a data folder has the owner's view; null where it has none in the browser. */
export function readUiAddress(dataDir: string): string | null {
  return readTextFile(join(dataDir, FILE_NAME))?.trim() ?? null;
}

/**
 * The link of the node that runs on a data folder; null where none runs. Throws StartError where the one that runs has no
 * owner's view in the browser, or its files can't be read. `isDesktops`: the folder is the desktop app's, which is then
 * what most likely runs on it.
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
