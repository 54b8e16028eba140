import { Worker } from 'node:worker_threads';
import type { MoveProgress } from '../../../shared/node-state.ts';
import { type CopiedFile, MoveError } from './copy-folder.ts';
import type { MoveMessage, MoveWorkerData } from './move-worker.ts';

/** The time that a thread may take to notice the stop: a hanging disk may block it for ever. */
const STOP_WITHIN_MS = 5000;

/** A copy of a data folder that runs on its thread. */
export interface FolderCopy {
  /**
   * Resolves with the copied and verified files. Rejects with MoveError; then no files are left, unless a hanging disk
   * kept the thread from noticing `cancel`: then it removes them later.
   */
  readonly done: Promise<readonly CopiedFile[]>;
  cancel(): void;
}

const abandoned = new Set<Worker>();

/** Returns whether a thread can't be stopped, not even by the end of the program; then only a signal ends it. */
export function hasStuckThread(): boolean {
  return abandoned.size > 0;
}

/** Starts to copy a data folder that nothing writes to. */
export function startCopy(from: string, to: string, onProgress: (progress: MoveProgress) => void): FolderCopy {
  const cancelled = new Int32Array(new SharedArrayBuffer(4));
  const file = import.meta.url.endsWith('.ts') ? './move-worker.ts' : './move-worker.js';
  const workerData: MoveWorkerData = { from, to, cancelled };
  const worker = new Worker(new URL(file, import.meta.url), { name: 'move', workerData });
  const { promise, resolve, reject } = Promise.withResolvers<readonly CopiedFile[]>();
  worker.on('message', (message: MoveMessage) => {
    if (message.kind === 'progress') onProgress(message.progress);
    else if (message.kind === 'done') resolve(message.files);
    else reject(new MoveError(message.problem, message.message));
  });
  worker.on('error', (error) => reject(new MoveError('copy_failed', (error as Error).message)));
  let waiting: NodeJS.Timeout | undefined;
  worker.on('exit', () => {
    clearTimeout(waiting);
    abandoned.delete(worker);
    reject(new MoveError('copy_failed', 'the thread ended'));
  });
  const cancel = () => {
    Atomics.store(cancelled, 0, 1);
    waiting ??= setTimeout(() => {
      abandoned.add(worker);
      worker.unref();
      reject(new MoveError('cancelled', 'stopped while the disk does not answer'));
    }, STOP_WITHIN_MS);
  };
  return { done: promise, cancel };
}
