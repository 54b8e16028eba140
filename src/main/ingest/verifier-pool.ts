import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Destination } from '../../shared/protocol/codes.ts';
import { MESSAGE_OFFSET, packChecks, packedRange, SIGNATURE_OFFSET, type SignatureCheck } from './signature-packing.ts';
import { type Batch, countOf, packRuns, type Run, VerificationQueue } from './verification-queue.ts';
import { VerifiedSignatures } from './verified-signatures.ts';
import type { VerifyRequest } from './verify-worker.ts';

const MAX_THREADS = 4;
/** About 1 ms of work: short enough that local blocks soon get their turn, long enough to carry the message's cost. */
const CHUNK_CHECKS = 24;
const MAX_CHUNKS_UNDER_WAY = 2;
/** Waking a thread costs less than verifying a signature. */
const CHECKS_WORTH_A_THREAD = 2;
/** A check that took a thread down with it twice is not tried again. */
const MAX_TRIES = 2;
const RESTART_AFTER_MS = 100;

/** A check that travels with its reading, to be made by the thread that writes it. */
export interface CarriedCheck {
  readonly packed: Uint8Array;
  /** Remembers it, found good, as likely to be asked again. */
  readonly remember: () => void;
}

/** What came of a batch. */
export interface Verified {
  /** One byte for each check, 1 where its signature is good. */
  readonly verdicts: Uint8Array;
  /** Remembers a check that was found good and is likely to be asked again. */
  readonly remember: (index: number) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly underWay: (readonly Run[])[];
}

/** Verifies Ed25519 signatures on worker threads, local ones before public ones. */
export class VerifierPool {
  readonly #log: Logger;
  readonly #queues: Record<Destination, VerificationQueue> = {
    local: new VerificationQueue(),
    public: new VerificationQueue(),
  };
  readonly #threads = new Set<Thread>();
  readonly #verified = new VerifiedSignatures();
  /** Called each time fewer checks wait. */
  onProgress: () => void = () => {};
  #dispatchPlanned = false;
  #stopping = false;

  /** Starts the threads; by default as many as the machine has cores, 1 to 4. */
  constructor(log: Logger, threads = Math.min(availableParallelism(), MAX_THREADS)) {
    this.#log = log;
    for (let started = 0; started < threads; started += 1) this.#start();
  }

  /** Verifies the checks of a batch; keeps none of what it is given. A signature that is not 64 bytes is not good. */
  verify(checks: readonly SignatureCheck[], destination: Destination): Promise<Verified> {
    const packed = packChecks(checks);
    const verdicts = new Uint8Array(checks.length);
    const toVerify: { from: number; to: number }[] = [];
    for (let index = 0; index < checks.length; index += 1) {
      const bytes = packedRange(packed, index, index + 1);
      if (bytes.length === 0) continue;
      if (this.#verified.has(checks[index]!.signature, bytes)) verdicts[index] = 1;
      else if (toVerify.at(-1)?.to === index) toVerify.at(-1)!.to += 1;
      else toVerify.push({ from: index, to: index + 1 });
    }
    const verified: Verified = {
      verdicts,
      remember: (index) => this.#remember(packedRange(packed, index, index + 1)),
    };
    if (toVerify.length === 0) return Promise.resolve(verified);
    return new Promise((resolve, reject) => {
      const left = toVerify.reduce((sum, { from, to }) => sum + to - from, 0);
      const batch: Batch = { destination, checks: packed, verdicts, left, resolve: () => resolve(verified), reject };
      for (const { from, to } of toVerify) this.#queues[destination].push({ batch, from, to, tries: 0 });
      this.#planDispatch();
    });
  }

  /** Packs a lone check for another thread; null where it is known already what comes of it: `verify` then tells at once. */
  carry(check: SignatureCheck): CarriedCheck | null {
    const bytes = packedRange(packChecks([check]), 0, 1);
    if (bytes.length === 0 || this.#verified.has(check.signature, bytes)) return null;
    // In a buffer of its own: of a slice of a shared one, a message would carry the whole.
    const packed = new Uint8Array(bytes);
    return { packed, remember: () => this.#remember(Buffer.from(packed.buffer)) };
  }

  #remember(packed: Buffer): void {
    this.#verified.add(packed.toString('hex', SIGNATURE_OFFSET, MESSAGE_OFFSET), packed);
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

  /**
   * What the thread had in hand waits for the one that replaces it: threads that go down together end one after the
   * other, and a check that was handed on at once to one that is dying would run out of tries though it harmed none.
   */
  #onExit(thread: Thread): void {
    this.#threads.delete(thread);
    if (this.#stopping) return;
    const toRetry: Run[] = [];
    for (const run of thread.underWay.flat()) {
      if (run.tries + 1 < MAX_TRIES) toRetry.push({ ...run, tries: run.tries + 1 });
      else run.batch.reject(new Error('verifier threads failed on a signature check'));
    }
    setTimeout(() => {
      if (this.#stopping) return;
      this.#start();
      for (const run of toRetry.reverse()) this.#queues[run.batch.destination].unshift(run);
      this.#dispatch();
      this.onProgress();
    }, RESTART_AFTER_MS);
  }

  #onVerdicts(thread: Thread, verdicts: Uint8Array): void {
    let position = 0;
    for (const { batch, from, to } of thread.underWay.shift() ?? []) {
      batch.verdicts.set(verdicts.subarray(position, position + to - from), from);
      position += to - from;
      batch.left -= to - from;
      if (batch.left === 0) batch.resolve();
    }
    this.#dispatch();
    this.onProgress();
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
    for (let thread = this.#nextThread(); thread !== null; thread = this.#nextThread()) {
      const runs = this.#takeChunk();
      thread.underWay.push(runs);
      thread.worker.postMessage({ packed: packRuns(runs), count: countOf(runs) } satisfies VerifyRequest);
    }
  }

  /**
   * The thread that takes the next chunk; null where the checks had better gather. A busy one is given a second chunk,
   * which keeps it busy while the verdicts of the first are handled, only when that is full.
   */
  #nextThread(): Thread | null {
    let best: Thread | null = null;
    for (const thread of this.#threads) {
      if (thread.underWay.length < (best?.underWay.length ?? MAX_CHUNKS_UNDER_WAY)) best = thread;
    }
    const idle = this.#idleThreads;
    const needed = idle === this.#threads.size ? 1 : idle > 0 ? CHECKS_WORTH_A_THREAD : CHUNK_CHECKS;
    return this.waiting >= needed ? best : null;
  }

  get #idleThreads(): number {
    let idle = 0;
    for (const { underWay } of this.#threads) if (underWay.length === 0) idle += 1;
    return idle;
  }

  /** A few checks are shared out among the idle threads: the sooner they are done, the sooner their senders go on. */
  #takeChunk(): Run[] {
    const share = Math.ceil(this.waiting / Math.max(1, this.#idleThreads));
    const count = Math.min(CHUNK_CHECKS, Math.max(CHECKS_WORTH_A_THREAD, share));
    const runs = this.#queues.local.take(count);
    return [...runs, ...this.#queues.public.take(count - countOf(runs))];
  }
}
