import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { SignatureCheck } from '../reading.ts';
import { Bell } from './bell.ts';
import type { LaneMemory } from './lane-memory.ts';
import { Fate, LARGEST_BLOCK, PackedBlocks, packedLength } from './packed-blocks.ts';
import type { CheckRequest, OpenLane, VerifierData } from './verify-worker.ts';

const MAX_THREADS = 4;
/** A chunk that crashed threads twice is not retried. */
const MAX_TRIES = 2;
const RESTART_AFTER_MS = 100;
/** The work of one thread for one message: about 1 ms for 24 blocks of the usual length. */
const CHECKS_AT_ONCE = 24;
/** The memory of one message. It fits many blocks of the usual length, and at least one of any length. */
const CHECK_BYTES = Math.max(16 * 1024, LARGEST_BLOCK);
/** How often a lone signature may be checked by the caller's thread: that takes it less than 0.1 ms, about what a message takes. */
const ALONE_EVERY_MS = 2;
/** The number of pieces of memory that are kept for the next checks. */
const MOST_KEPT = 64;

/** A lane with blocks to check, and the bell of the thread that takes them out afterwards. */
export interface CheckedLane {
  readonly memory: LaneMemory;
  readonly bell: Bell;
}

/** Checks that were requested from a thread. */
interface Asked {
  readonly checks: readonly SignatureCheck[];
  readonly tries: number;
  readonly thread: number;
  readonly resolve: (areGood: readonly boolean[]) => void;
  readonly reject: (error: Error) => void;
}

/** How many threads to start at once, and how many at most. */
export interface ThreadCounts {
  readonly least: number;
  readonly most: number;
}

/** Returns the number of threads that a node has at most: one per core, without the cores to keep free; 1 to 4. */
export function mostThreads(freeCores: number): number {
  return Math.max(1, Math.min(availableParallelism() - freeCores, MAX_THREADS));
}

/**
 * The threads that check signatures, for all lanes. A thread starts when there is work and no thread is idle; one that
 * dies is restarted.
 */
export class Verifiers {
  readonly #log: Logger;
  readonly #most: number;
  readonly #bell = new Bell();
  readonly #lanes: CheckedLane[] = [];
  readonly #threads = new Map<number, Worker>();
  readonly #asked = new Map<number, Asked>();
  /** The number of threads that were started, those included that died and will be replaced. */
  #count = 0;
  /** Memory that the threads have returned, for the next checks. */
  readonly #kept: ArrayBuffer[] = [];
  #nextId = 0;
  #aloneAt = Number.NEGATIVE_INFINITY;
  #stopping = false;

  constructor(log: Logger, counts: ThreadCounts) {
    this.#log = log;
    this.#most = counts.most;
    while (this.#count < counts.least) this.#startNext();
  }

  /** Checks the blocks of a lane from now on. Lanes that were added earlier have priority. */
  add(lane: CheckedLane): void {
    this.#lanes.push(lane);
    for (const worker of this.#threads.values()) this.#give(worker, lane);
    this.#bell.ring();
  }

  /** Checks signatures outside the lanes; resolves with whether each is good. Rejects if threads crashed on them. */
  async check(checks: readonly SignatureCheck[]): Promise<readonly boolean[]> {
    if (checks.length === 1 && this.#mayCheckHere()) return [await isGood(checks[0]!)];
    const parts: Promise<readonly boolean[]>[] = [];
    for (let from = 0; from < checks.length; ) {
      const count = countAtOnce(checks, from);
      const part = checks.slice(from, from + count);
      parts.push(new Promise((resolve, reject) => this.#ask({ checks: part, tries: 0, thread: 0, resolve, reject })));
      from += count;
    }
    return (await Promise.all(parts)).flat();
  }

  /** The number of idle threads. */
  get idle(): number {
    // The bell still counts a thread that died while it waited.
    return Math.min(this.#bell.waiting, this.#threads.size);
  }

  /** Call this when there is something to check, with the number of threads that could share it. */
  wake(chunks: number): void {
    if (this.idle < chunks) this.#startNext();
    this.#bell.ring(chunks);
  }

  /** The workers of the threads, for tests of crashes. */
  get workers(): Worker[] {
    return [...this.#threads.values()];
  }

  async close(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }

  /** Returns whether a lone signature may be checked without a thread: to wake one costs as much as the check. */
  #mayCheckHere(): boolean {
    const now = performance.now();
    if (this.#stopping || this.#asked.size > 0 || now - this.#aloneAt < ALONE_EVERY_MS) return false;
    this.#aloneAt = now;
    return true;
  }

  /** Starts one more thread if there may be one. */
  #startNext(): void {
    if (this.#stopping || this.#count === this.#most) return;
    this.#start(this.#count);
    this.#count += 1;
  }

  #start(thread: number): void {
    const file = import.meta.url.endsWith('.ts') ? './verify-worker.ts' : './verify-worker.js';
    const worker = new Worker(new URL(file, import.meta.url), {
      name: 'verifier',
      workerData: { thread, bell: this.#bell.memory } satisfies VerifierData,
      resourceLimits: { maxYoungGenerationSizeMb: 1 },
    });
    worker.on('error', (error) => this.#log.error({ err: error }, 'verifier thread failed'));
    worker.on('message', (reply: CheckRequest) => this.#onReply(reply));
    worker.on('exit', () => this.#onExit(thread));
    for (const lane of this.#lanes) this.#give(worker, lane);
    this.#threads.set(thread, worker);
  }

  #ask(asked: Asked): void {
    if (this.#stopping) {
      asked.reject(new Error('the verifier threads are stopped'));
      return;
    }
    if (this.#asked.size >= this.#threads.size) this.#startNext();
    const threads = [...this.#threads];
    const found = threads[this.#nextId % threads.length];
    if (found === undefined) {
      // All threads have died; they restart soon.
      setTimeout(() => this.#ask(asked), RESTART_AFTER_MS);
      return;
    }
    const id = this.#nextId;
    this.#nextId += 1;
    this.#asked.set(id, { ...asked, tries: asked.tries + 1, thread: found[0] });
    const memory = this.#kept.pop() ?? new ArrayBuffer(CHECK_BYTES);
    const blocks = new PackedBlocks(memory, 0, memory.byteLength);
    let at = 0;
    for (const check of asked.checks) at = blocks.writeCheck(at, check);
    found[1].postMessage({ id, count: asked.checks.length, memory } satisfies CheckRequest, [memory]);
    this.#bell.ring();
  }

  #onReply({ id, count, memory }: CheckRequest): void {
    const blocks = new PackedBlocks(memory, 0, memory.byteLength);
    const areGood: boolean[] = [];
    for (let at = 0; areGood.length < count; at = blocks.endOf(at)) areGood.push(blocks.fateOf(at) === Fate.GOOD);
    if (this.#kept.length < MOST_KEPT) this.#kept.push(memory);
    this.#asked.get(id)?.resolve(areGood);
    this.#asked.delete(id);
  }

  /** Repeats the requests of a thread that has ended. */
  #askAgain(thread: number): void {
    for (const [id, asked] of [...this.#asked]) {
      if (asked.thread !== thread) continue;
      this.#asked.delete(id);
      if (asked.tries < MAX_TRIES) this.#ask(asked);
      else asked.reject(new Error('verifier threads failed on a signature'));
    }
  }

  #give(worker: Worker, lane: CheckedLane): void {
    worker.postMessage({ lane: lane.memory.shared, bell: lane.bell.memory } satisfies OpenLane);
  }

  /**
   * A chunk of a thread that ended waits for the replacement of that thread. Threads that crash together end one after
   * the other. If one of them took over the chunk at once, the chunk would run out of tries although it did no harm.
   */
  #onExit(thread: number): void {
    this.#threads.delete(thread);
    if (this.#stopping) {
      this.#askAgain(thread);
      return;
    }
    setTimeout(() => {
      if (this.#stopping) return;
      for (const lane of this.#lanes) this.#release(thread, lane);
      this.#start(thread);
      this.#askAgain(thread);
      this.#bell.ring();
    }, RESTART_AFTER_MS);
  }

  #release(thread: number, { memory, bell }: CheckedLane): void {
    for (const { ticket, tries } of memory.claimedBy(thread)) {
      if (tries < MAX_TRIES) memory.retry(ticket);
      else {
        this.#log.error('verifier threads failed on a chunk of blocks: it is given up');
        giveUp(memory, ticket);
        bell.ring();
      }
    }
  }
}

let sodium: typeof import('sodium-native')['default'] | null = null;

async function isGood({ publicKey, signature, message }: SignatureCheck): Promise<boolean> {
  // Loaded here, as most programs with this module check nothing.
  sodium ??= (await import('sodium-native')).default;
  return sodium.crypto_sign_verify_detached(Buffer.from(signature, 'hex'), Buffer.from(message, 'hex'), publicKey);
}

/** Returns how many checks, beginning with `from`, fit into one message. */
function countAtOnce(checks: readonly SignatureCheck[], from: number): number {
  let count = 0;
  for (let bytes = 0; count < CHECKS_AT_ONCE && from + count < checks.length; count += 1) {
    bytes += packedLength(checks[from + count]!);
    if (count > 0 && bytes > CHECK_BYTES) break;
  }
  return count;
}

function giveUp(memory: LaneMemory, ticket: number): void {
  const { blocks, count } = memory.chunk(ticket);
  for (let index = 0, at = 0; index < count; index += 1, at = blocks.endOf(at)) {
    if (blocks.fateOf(at) === Fate.UNCHECKED) blocks.setFate(at, Fate.FAILED);
  }
  memory.markChecked(ticket);
}
