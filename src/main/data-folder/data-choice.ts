import { isAbsolute, resolve } from 'node:path';
import type { FolderProblem } from '../../shared/owner-api/moving.ts';
import { SETTINGS } from '../../shared/settings/table.ts';
import { StartError } from '../common/start-error.ts';
import { type Environment, isPinned } from '../settings/settings.ts';
import { hasData, isEmptyOrMissing } from './data-folder.ts';
import type { OwnFiles } from './own-files.ts';

/**
 * Prevents an unintended new start. A folder that the settings or the mark of a move name must have data; if it has
 * none, its disk is not connected, and a new node there would later hide the data.
 */
export class DataChoice {
  readonly #files: OwnFiles;
  readonly #env: Environment;
  /** The folder that the owner chose for a new node. */
  #newDir: string | null = null;

  constructor(files: OwnFiles, env: Environment) {
    this.#files = files;
    this.#env = env;
  }

  get isPinned(): boolean {
    return isPinned(this.#env, SETTINGS.dataDir);
  }

  /** Throws StartError if a folder should have data and has none. */
  check(dataDir: string): void {
    const path = resolve(dataDir);
    const mayBeNew = this.isPinned || path === resolve(this.#files.ownDataDir) || path === this.#newDir;
    if (mayBeNew || hasData(path)) return;
    const message =
      `there is no data in ${path}, the data folder by ${this.#files.settingsFile} or by a move of the data; ` +
      'connect its disk, or set DATA_DIR to another folder';
    throw new StartError(message, null, { path, reason: 'missing', detail: null });
  }

  /**
   * Returns the reason why the owner can't choose a folder, or null. With `startOver`, an empty folder is allowed, for
   * a new node.
   */
  choose(path: string, startOver: boolean): FolderProblem | null {
    if (this.isPinned) return 'pinned';
    if (!isAbsolute(path)) return 'not_absolute';
    if (!hasData(path)) {
      if (!startOver) return 'no_data';
      if (!isEmptyOrMissing(path)) return 'not_empty';
      this.#newDir = resolve(path);
    }
    return null;
  }
}
