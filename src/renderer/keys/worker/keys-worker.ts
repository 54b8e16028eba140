import { KeySessionError } from '../types.ts';
import { OPERATIONS } from './operations.ts';
import type { OperationName, Request, Response } from './protocol.ts';

// The worker of the keys. Only this worker has phrases, seeds and field keys. Locking terminates it.

/** scrypt reports ten thousand steps. Drawing each of them would take longer than scrypt itself. */
const PROGRESS_MS = 60;

function answer(response: Response): void {
  postMessage(response);
}

async function work({ id, name, input }: Request): Promise<void> {
  const run = OPERATIONS[name] as (input: unknown, onProgress: (done: number) => void) => unknown;
  let told = performance.now();
  const onProgress = (progress: number): void => {
    const now = performance.now();
    if (now - told < PROGRESS_MS) return;
    told = now;
    answer({ id, progress });
  };
  try {
    const value = await run(input, onProgress);
    answer({ id, ok: true, value });
  } catch (error) {
    // Only the code is sent: a message could quote the typed text.
    answer({ id, ok: false, code: error instanceof KeySessionError ? error.code : 'internal_error' });
  }
}

addEventListener('message', ({ data }: MessageEvent<Request<OperationName>>) => void work(data));
