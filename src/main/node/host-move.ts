import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { MoveProgress } from '../../shared/node-state.ts';
import type { Move, MoveProblem } from '../../shared/owner-api/moving.ts';
import type { SerialQueue } from '../../shared/serial-queue.ts';
import { checkTarget, MoveError } from '../data-folder/move/copy-folder.ts';
import { DataMove } from '../data-folder/move/data-move.ts';
import type { OwnerHost } from '../owner/api/host.ts';

/** The parts of the program around the node that a move needs. */
export interface HostMoveDependencies {
  readonly host: Pick<OwnerHost, 'ownerView' | 'dataChoice' | 'state' | 'settings'>;
  readonly log: Logger;
  /** The queue of actions on the node. */
  readonly turns: SerialQueue;
  readonly stopNode: () => Promise<void>;
  /** Starts the node; resolves with whether it runs. */
  readonly startNode: () => Promise<boolean>;
  readonly onProgress: (progress: MoveProgress) => void;
  /** Called when the move has ended, with any outcome. */
  readonly onEnd: () => void;
}

/** Moves the data folder of a running program: stops the node, copies its folder, and starts it in the new place. */
export class HostMove {
  readonly #dependencies: HostMoveDependencies;
  #running: DataMove | null = null;
  #last: Move | null = null;

  constructor(dependencies: HostMoveDependencies) {
    this.#dependencies = dependencies;
  }

  /** The progress of the move, or the outcome of the last one; null if there was none. */
  get last(): Move | null {
    return this.#last;
  }

  /** Starts a move; returns the reason why it can't start, or null. */
  start(to: string): MoveProblem | null {
    const { host, log, turns, startNode } = this.#dependencies;
    if (host.ownerView !== 'desktop') return 'not_applicable';
    if (host.dataChoice.isPinned) return 'pinned';
    if (host.state.state !== 'running') return 'busy';
    const from = resolve(host.settings.now.dataDir);
    try {
      checkTarget(from, to);
    } catch (error) {
      return error instanceof MoveError ? error.problem : 'not_writable';
    }
    const onProgress = (progress: MoveProgress) => {
      this.#last = progress;
      this.#dependencies.onProgress(progress);
    };
    onProgress({ to, phase: 'copying', doneBytes: 0, totalBytes: 0 });
    const move = new DataMove({ log, file: host.settings.file, onProgress, startNode });
    this.#running = move;
    turns
      .run(() => this.#run(move, from, to))
      .catch((error: unknown) => log.error({ err: error }, 'a move of the data folder failed'));
    return null;
  }

  /** Cancels the move, unless it is too late. */
  cancel(): void {
    this.#running?.cancel();
  }

  async #run(move: DataMove, from: string, to: string): Promise<void> {
    await this.#dependencies.stopNode();
    this.#last = await move.run(from, to);
    this.#running = null;
    this.#dependencies.onEnd();
  }
}
