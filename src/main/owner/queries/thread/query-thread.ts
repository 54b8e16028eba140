import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Output } from '../../../../shared/owner-api/contract.ts';
import { OwnerError } from '../../../common/owner-error.ts';
import { type Checked, JsonBytes } from '../../handlers.ts';
import type { QueryContext, QueryName } from '../queries.ts';
import type { QueryMessage, QueryReply, QueryWorkerData } from './query-worker.ts';

/** Large answers consist of many short-lived values. A larger young generation would let the heap grow without need. */
const YOUNG_GENERATION_MB = 8;
/** How long a stop waits for the running query. */
const CLOSE_WITHIN_MS = 1000;

interface Waiting {
  readonly resolve: (json: Uint8Array) => void;
  readonly reject: (error: OwnerError) => void;
}

/** The query thread as the node uses it. It starts with the first query, and again if it dies. */
export class QueryThread {
  readonly #data: QueryWorkerData;
  readonly #log: Logger;
  readonly #waiting = new Map<number, Waiting>();
  /**
   * The changes that the running thread does not know yet. A new thread reads everything, so they are not kept for one.
   */
  readonly #arrivals = new Map<string, number>();
  readonly #forgotten = new Set<string>();
  #worker: Worker | null = null;
  #nextId = 1;

  constructor(data: QueryWorkerData, log: Logger) {
    this.#data = data;
    this.#log = log;
  }

  /** Starts the thread before a query that is likely to come. */
  warmUp(): void {
    if (this.#worker === null) this.#start();
  }

  /** Call this when readings of a device were stored; `receivedAt` in Unix milliseconds. */
  arrived(id: string, receivedAt: number): void {
    if (this.#worker === null) return;
    this.#arrivals.set(id, Math.max(receivedAt, this.#arrivals.get(id) ?? receivedAt));
  }

  /** Call this when readings of a device were deleted or moved in time. */
  forgot(id: string): void {
    if (this.#worker !== null) this.#forgotten.add(id);
  }

  /** Resolves with the value. Rejects with OwnerError. */
  async ask<M extends QueryName>(method: M, input: Checked<M>, context: QueryContext): Promise<JsonBytes<Output<M>>> {
    const worker = this.#worker ?? this.#start();
    const id = this.#nextId;
    this.#nextId += 1;
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    this.#waiting.set(id, { resolve, reject });
    this.#tellChanges(worker);
    worker.postMessage({ id, method, input, context } satisfies QueryMessage);
    return new JsonBytes(await promise);
  }

  /** Closes the stores and ends the thread. A query that takes too long is cut off. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage(null);
    const timer = setTimeout(() => void worker.terminate(), CLOSE_WITHIN_MS);
    await ended;
    clearTimeout(timer);
  }

  #tellChanges(worker: Worker): void {
    if (this.#arrivals.size === 0 && this.#forgotten.size === 0) return;
    const changes = { arrivals: new Map(this.#arrivals), forgotten: [...this.#forgotten] };
    worker.postMessage({ changes } satisfies QueryMessage);
    this.#arrivals.clear();
    this.#forgotten.clear();
  }

  #start(): Worker {
    const file = import.meta.url.endsWith('.ts') ? './query-worker.ts' : './query-worker.js';
    const worker = new Worker(new URL(file, import.meta.url), {
      name: 'query',
      workerData: this.#data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    worker.on('message', (reply: QueryReply) => this.#onReply(reply));
    worker.on('error', (error) => this.#log.error({ err: error }, 'query thread failed'));
    worker.on('exit', () => this.#onExit());
    this.#worker = worker;
    return worker;
  }

  #onReply(reply: QueryReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.ok) waiting?.resolve(reply.json);
    else {
      if (reply.unexpected !== null) this.#log.error({ err: reply.unexpected }, 'an owner query failed');
      waiting?.reject(new OwnerError(reply.error, reply.details ?? ''));
    }
  }

  #onExit(): void {
    this.#worker = null;
    this.#arrivals.clear();
    this.#forgotten.clear();
    for (const { reject } of this.#waiting.values()) reject(new OwnerError('internal_error', 'the query thread ended'));
    this.#waiting.clear();
  }
}
