import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Destination } from '../../shared/protocol/codes.ts';
import { SIGNATURE_BYTES } from '../../shared/protocol/limits.ts';
import { packChecks, type SignatureCheck } from './signature-packing.ts';
import { VerifiedSignatures } from './verified-signatures.ts';
import type { VerifyRequest } from './verify-worker.ts';

export type { SignatureCheck } from './signature-packing.ts';

const MAX_THREADS = 4;
/** About 1 ms of work: short enough that local blocks soon get their turn, long enough to carry the message's cost. */
const CHUNK_CHECKS = 24;
const MAX_CHUNKS_UNDER_WAY = 2;
const CHECKS_WORTH_A_THREAD = 8;
/** A check that took a thread down with it twice is not tried again. */
const MAX_TRIES = 2;
const RESTART_AFTER_MS = 100;

/** A caller's batch on its way. */
interface Batch {
  readonly verdicts: Uint8Array;
  left: number;
  readonly resolve: (verdicts: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

interface Item {
  readonly check: SignatureCheck;
  readonly batch: Batch;
  readonly index: number;
  tries: number;
}

interface Thread {
  readonly worker: Worker;
  readonly underWay: Item[][];
}

/** Verifies Ed25519 signatures on worker threads, local ones before public ones. */
export class VerifierPool {
  readonly #log: Logger;
  readonly #queues: Record<Destination, Item[]> = { local: [], public: [] };
  readonly #threads = new Set<Thread>();
  readonly #verified = new VerifiedSignatures();
  #dispatchPlanned = false;
  #stopping = false;

  /** Starts the threads; by default as many as the machine has cores, 1 to 4. */
  constructor(log: Logger, threads = Math.min(availableParallelism(), MAX_THREADS)) {
    this.#log = log;
    for (let started = 0; started < threads; started += 1) this.#start();
  }

  /** Resolves with one byte for each check, 1 where its signature is good. A signature that is not 64 bytes is not. */
  verify(checks: readonly SignatureCheck[], destination: Destination): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const batch: Batch = { verdicts: new Uint8Array(checks.length), left: 0, resolve, reject };
      for (const [index, check] of checks.entries()) {
        if (check.signature.length !== SIGNATURE_BYTES * 2) continue;
        if (this.#verified.has(check)) {
          batch.verdicts[index] = 1;
          continue;
        }
        batch.left += 1;
        this.#queues[destination].push({ check, batch, index, tries: 0 });
      }
      if (batch.left === 0) resolve(batch.verdicts);
      else this.#planDispatch();
    });
  }

  /** Remembers a check that was found good and is likely to be asked again. */
  remember(check: SignatureCheck): void {
    this.#verified.add(check);
  }

  /** How many checks wait for a thread. */
  get waiting(): number {
    return this.#queues.local.length + this.#queues.public.length;
  }

  /** The threads' workers, for tests of their crash. */
  get workers(): Worker[] {
    return [...this.#threads].map(({ worker }) => worker);
  }

  async close(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #start(): void {
    const file = import.meta.url.endsWith('.ts') ? './verify-worker.ts' : './verify-worker.js';
    const worker = new Worker(new URL(file, import.meta.url), {
      name: 'verifier',
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    const thread: Thread = { worker, underWay: [] };
    worker.on('message', (verdicts: Uint8Array) => this.#onVerdicts(thread, verdicts));
    worker.on('error', (error) => this.#log.error({ err: error }, 'verifier thread failed'));
    worker.on('exit', () => this.#onExit(thread));
    this.#threads.add(thread);
  }

  #onExit(thread: Thread): void {
    this.#threads.delete(thread);
    if (this.#stopping) return;
    for (const item of thread.underWay.flat()) {
      item.tries += 1;
      if (item.tries < MAX_TRIES) this.#queues.local.unshift(item);
      else item.batch.reject(new Error('verifier threads failed on a signature check'));
    }
    setTimeout(() => {
      if (this.#stopping) return;
      this.#start();
      this.#dispatch();
    }, RESTART_AFTER_MS);
    this.#dispatch();
  }

  #onVerdicts(thread: Thread, verdicts: Uint8Array): void {
    const chunk = thread.underWay.shift() ?? [];
    for (const [position, { batch, index }] of chunk.entries()) {
      batch.verdicts[index] = verdicts[position]!;
      batch.left -= 1;
      if (batch.left === 0) batch.resolve(batch.verdicts);
    }
    this.#dispatch();
  }

  /** Waits for the end of this turn of the event loop, so that single blocks read in it travel together. */
  #planDispatch(): void {
    if (this.#dispatchPlanned) return;
    this.#dispatchPlanned = true;
    setImmediate(() => {
      this.#dispatchPlanned = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    for (let thread = this.#threadFor(this.waiting); thread !== null; thread = this.#threadFor(this.waiting)) {
      const chunk = this.#takeChunk();
      thread.underWay.push(chunk);
      const request: VerifyRequest = { packed: packChecks(chunk.map(({ check }) => check)), count: chunk.length };
      thread.worker.postMessage(request);
    }
  }

  /**
   * The thread that takes the next chunk; null where the checks had better gather. Waking a thread costs about as much as
   * verifying a signature: another thread is woken for a few of them, and a busy one is given a second chunk, which keeps
   * it busy while the verdicts of the first are handled, only when it is full.
   */
  #threadFor(waiting: number): Thread | null {
    let best: Thread | null = null;
    let idle = 0;
    for (const thread of this.#threads) {
      if (thread.underWay.length === 0) idle += 1;
      if (thread.underWay.length < (best?.underWay.length ?? MAX_CHUNKS_UNDER_WAY)) best = thread;
    }
    const needed = idle === this.#threads.size ? 1 : idle > 0 ? CHECKS_WORTH_A_THREAD : CHUNK_CHECKS;
    return waiting >= needed ? best : null;
  }

  #takeChunk(): Item[] {
    const chunk = this.#queues.local.splice(0, CHUNK_CHECKS);
    if (chunk.length < CHUNK_CHECKS) chunk.push(...this.#queues.public.splice(0, CHUNK_CHECKS - chunk.length));
    return chunk;
  }
}
