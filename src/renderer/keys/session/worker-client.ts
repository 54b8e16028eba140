import { KeySessionError } from '../types.ts';
import type { OperationName, Operations, Request, Response } from '../worker/protocol.ts';

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((done: number) => void) | undefined;
}

/** The client of the worker that has the keys, with the unanswered calls. */
export class KeysWorker {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #isEnded = false;

  /** `onFault` is called if the worker crashed, or if its file could not be loaded. */
  constructor(onFault: () => void) {
    this.#worker = new Worker(new URL('../worker/keys-worker.ts', import.meta.url), { type: 'module', name: 'keys' });
    this.#worker.onmessage = ({ data }: MessageEvent<Response>) => this.#take(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.end();
      onFault();
    };
  }

  /** Calls the worker. Rejects with KeySessionError; `locked` if the worker is terminated first. */
  ask<N extends OperationName>(
    name: N,
    input: Operations[N]['input'],
    onProgress?: (done: number) => void,
  ): Promise<Operations[N]['output']> {
    if (this.#isEnded) return Promise.reject(new KeySessionError('locked'));
    const { promise, resolve, reject } = Promise.withResolvers<Operations[N]['output']>();
    const id = this.#nextId++;
    this.#waiting.set(id, { resolve, reject, onProgress });
    const request: Request<N> = { id, name, input };
    this.#worker.postMessage(request);
    return promise;
  }

  /** Terminates the worker with all of its keys. Unanswered calls are rejected as `locked`. */
  end(): void {
    this.#isEnded = true;
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(new KeySessionError('locked'));
    this.#waiting.clear();
  }

  #take(response: Response): void {
    const waiting = this.#waiting.get(response.id);
    if (waiting === undefined) return;
    if ('progress' in response) {
      waiting.onProgress?.(response.progress);
      return;
    }
    this.#waiting.delete(response.id);
    if (response.ok) waiting.resolve(response.value as never);
    else waiting.reject(new KeySessionError(response.code));
  }
}

/** Inspects a file in a separate worker: the worker with the keys exists only while they are unlocked. */
export async function inspectFile(bytes: Uint8Array): Promise<Operations['inspect']['output']> {
  const worker = new KeysWorker(() => {});
  try {
    return await worker.ask('inspect', { bytes });
  } finally {
    worker.end();
  }
}
