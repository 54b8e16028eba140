import type { Logger } from 'pino';
import type { MoveProgress } from '../../../shared/node-state.ts';
import type { Move } from '../../../shared/owner-api/moving.ts';
import type { SettingsFile } from '../../settings/settings-file.ts';
import { writeMarker } from '../data-marker.ts';
import { missingFolders } from '../folders.ts';
import { lockDataDir } from '../node-lock.ts';
import { type CopiedFile, MoveError, removeCopy } from './copy-folder.ts';
import { type FolderCopy, startCopy } from './move-thread.ts';

export interface DataMoveDependencies {
  readonly log: Logger;
  readonly file: SettingsFile;
  readonly onProgress: (progress: MoveProgress) => void;
  /** Starts the node on the folder in the settings; resolves with whether it runs. */
  readonly startNode: () => Promise<boolean>;
}

/**
 * Moves a data folder whose node has been stopped: makes a verified copy, changes the setting, and starts the node on
 * the copy. The files in the old folder stay until the owner deletes them, with a mark that keeps other nodes from
 * starting there.
 */
export class DataMove {
  readonly #dependencies: DataMoveDependencies;
  #copy: FolderCopy | null = null;
  #isCancelled = false;

  constructor(dependencies: DataMoveDependencies) {
    this.#dependencies = dependencies;
  }

  /** Cancels the move, even before it has begun. */
  cancel(): void {
    this.#isCancelled = true;
    this.#copy?.cancel();
  }

  /** Resolves with the outcome; then a node runs on the new folder, or on the old one as before. */
  async run(from: string, to: string): Promise<Move> {
    const { log, file, startNode, onProgress } = this.#dependencies;
    const { dataDir, oldDataDirs } = file.kept;
    const made = missingFolders(to);
    let unlock = () => {};
    try {
      unlock = lockDataDir(from);
      this.#copy = startCopy(from, to, onProgress);
      if (this.#isCancelled) this.#copy.cancel();
      const files = await this.#copy.done;
      await file.save({ dataDir: to, oldDataDirs: [...(oldDataDirs ?? []), from] });
      if (!(await startNode())) {
        await file.save({ dataDir, oldDataDirs });
        removeCopy(to, files, made);
        throw new MoveError('start_failed', 'the node did not start on the copy');
      }
      this.#mark(from, to, files);
      log.info({ from, to, files: files.length }, 'data folder moved');
      return { to, phase: 'done' };
    } catch (error) {
      const problem = error instanceof MoveError ? error.problem : 'copy_failed';
      const { message } = error as Error;
      log.error({ from, to, problem, reason: message }, 'the data folder was not moved');
      unlock();
      await startNode();
      return { to, phase: 'failed', problem, message };
    } finally {
      unlock();
    }
  }

  /** Marks the old folder. Without the mark, the owner must delete the old data by hand, but the move has succeeded. */
  #mark(from: string, to: string, files: readonly CopiedFile[]): void {
    try {
      writeMarker(from, to, files);
    } catch (error) {
      this.#dependencies.log.warn({ err: error }, 'the old data folder could not be marked as moved');
    }
  }
}
