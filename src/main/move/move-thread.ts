import { Worker } from 'node:worker_threads';
import type { MoveProgress } from '../../shared/node-state.ts';
import { type CopiedFile, MoveError } from './copy-folder.ts';
import type { MoveMessage, MoveWorkerData } from './move-worker.ts';

/** A copy of a data folder under way in its thread. */
export interface FolderCopy {
  /** Resolves with what was copied and checked. Rejects with MoveError; then nothing of it is left. */
  readonly done: Promise<readonly CopiedFile[]>;
  cancel(): void;
}

/** Begins to copy a data folder that nothing writes to. */
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
  worker.on('exit', () => reject(new MoveError('copy_failed', 'the thread ended')));
  return { done: promise, cancel: () => void Atomics.store(cancelled, 0, 1) };
}
