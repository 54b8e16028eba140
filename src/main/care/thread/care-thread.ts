import { Worker } from 'node:worker_threads';
import { CareError } from '../care-error.ts';
import type { CareJobKind, CareJobs, CareMessage, CareWorkerData, ProgressOf } from './care-job.ts';

/** A job that runs on its thread. */
export interface CareThread<K extends CareJobKind> {
  /** Rejects with CareError. */
  readonly done: Promise<CareJobs[K]['result']>;
  /** Ends the job soon; a copy of a store is finished first. */
  cancel(): void;
  /** Ends the job at once; the next job removes its files. */
  terminate(): Promise<void>;
}

/** The callbacks that the thread uses while it works. */
export interface ThreadSteps<K extends CareJobKind> {
  readonly onProgress: (progress: ProgressOf<K>) => void;
  /** Stops the node that runs on the folder, before a restore places its data. */
  readonly stopNode?: () => Promise<void>;
}

/** Starts a job on a new thread. */
export function startCare<K extends CareJobKind>(
  kind: K,
  order: CareJobs[K]['order'],
  steps: ThreadSteps<K>,
): CareThread<K> {
  const cancelled = new Int32Array(new SharedArrayBuffer(4));
  const file = import.meta.url.endsWith('.ts') ? './care-worker.ts' : './care-worker.js';
  const workerData: CareWorkerData<K> = { kind, order, cancelled };
  const worker = new Worker(new URL(file, import.meta.url), { name: kind, workerData });
  const { promise, resolve, reject } = Promise.withResolvers<CareJobs[K]['result']>();
  worker.on('message', async (message: CareMessage) => {
    if (message.kind === 'progress') steps.onProgress(message.progress as ProgressOf<K>);
    else if (message.kind === 'done') resolve(message.result as CareJobs[K]['result']);
    else if (message.kind === 'failed') reject(new CareError(message.fault, message.message));
    else {
      try {
        await steps.stopNode?.();
        worker.postMessage('stopped');
      } catch (error) {
        reject(new CareError('refused', `the node did not stop (${(error as Error).message})`));
        void worker.terminate();
      }
    }
  });
  worker.on('error', (error) => reject(new CareError('refused', `the thread failed: ${(error as Error).message}`)));
  worker.on('exit', () => reject(new CareError('cancelled', 'the thread ended')));
  // Callers that await the promise get the error; without one it must not count as unhandled.
  promise.catch(() => {});
  return {
    done: promise,
    cancel: () => void Atomics.store(cancelled, 0, 1),
    terminate: async () => {
      Atomics.store(cancelled, 0, 1);
      await worker.terminate();
    },
  };
}
