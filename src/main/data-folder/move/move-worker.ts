import { parentPort, workerData } from 'node:worker_threads';
import type { MoveProgress } from '../../../shared/node-state.ts';
import type { MoveProblem } from '../../../shared/owner-api/moving.ts';
import { type CopiedFile, copyFolder, MoveError } from './copy-folder.ts';

// The thread that copies a data folder. A large one takes minutes, and the window stays responsive meanwhile.

/** The data that the thread starts with. */
export interface MoveWorkerData {
  readonly from: string;
  readonly to: string;
  /** One cell, which is not 0 once the owner has cancelled the copy. */
  readonly cancelled: Int32Array<SharedArrayBuffer>;
}

/** A message of the thread. `done` or `failed` is the last one. */
export type MoveMessage =
  | { readonly kind: 'progress'; readonly progress: MoveProgress }
  | { readonly kind: 'done'; readonly files: readonly CopiedFile[] }
  | { readonly kind: 'failed'; readonly problem: MoveProblem; readonly message: string };

const TELL_EVERY_MS = 100;

const { from, to, cancelled } = workerData as MoveWorkerData;
const tell = (message: MoveMessage) => parentPort!.postMessage(message);
let toldAt = Number.NEGATIVE_INFINITY;
try {
  const files = copyFolder(
    from,
    to,
    (progress) => {
      if (performance.now() - toldAt < TELL_EVERY_MS) return;
      toldAt = performance.now();
      tell({ kind: 'progress', progress });
    },
    () => Atomics.load(cancelled, 0) !== 0,
  );
  tell({ kind: 'done', files });
} catch (error) {
  const problem = error instanceof MoveError ? error.problem : 'copy_failed';
  tell({ kind: 'failed', problem, message: (error as Error).message });
}
