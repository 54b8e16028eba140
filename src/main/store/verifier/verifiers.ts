import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { SignatureCheck } from '../reading.ts';
import { Bell } from './bell.ts';
import type { LaneMemory } from './lane-memory.ts';
import { Fate } from './packed-blocks.ts';
import type { CheckReply, CheckRequest, OpenLane, VerifierData } from './verify-worker.ts';

const MAX_THREADS = 4;
/** A chunk that took a thread down with it twice is not tried again. */
const MAX_TRIES = 2;
const RESTART_AFTER_MS = 100;
/** The work of one thread for one message: about 1 ms of checking. */
const CHECKS_AT_ONCE = 24;

/** Memory in which blocks wait to be checked, and the bell of the thread that takes them out then. */
export interface CheckedLane {
  readonly memory: LaneMemory;
  readonly bell: Bell;
}

/** Checks that a thread was asked for. */
interface Asked {
  readonly checks: readonly SignatureCheck[];
  readonly tries: number;
  readonly thread: number;
  readonly resolve: (areGood: readonly boolean[]) => void;
  readonly reject: (error: Error) => void;
}

/** The threads that check signatures, for all lanes; each starts again by itself should it die. */
export class Verifiers {
  readonly #log: Logger;
  readonly #bell = new Bell();
  readonly #lanes: CheckedLane[] = [];
  readonly #threads = new Map<number, Worker>();
  readonly #asked = new Map<number, Asked>();
  #nextId = 0;
  #stopping = false;

  /** Starts the threads; by default as many as the machine has cores, 1 to 4. */
  constructor(log: Logger, threads = Math.min(availableParallelism(), MAX_THREADS)) {
    this.#log = log;
    for (let thread = 0; thread < threads; thread += 1) this.#start(thread);
  }

  /** Checks what comes by a lane from now on. Lanes that were added before go first. */
  add(lane: CheckedLane): void {
    this.#lanes.push(lane);
    for (const worker of this.#threads.values()) this.#give(worker, lane);
    this.#bell.ring();
  }

  /** Checks signatures beside the lanes; resolves with which are good. Rejects where threads failed on them. */
  async check(checks: readonly SignatureCheck[]): Promise<readonly boolean[]> {
    const parts: Promise<readonly boolean[]>[] = [];
    for (let from = 0; from < checks.length; from += CHECKS_AT_ONCE) {
      const part = checks.slice(from, from + CHECKS_AT_ONCE);
      parts.push(new Promise((resolve, reject) => this.#ask({ checks: part, tries: 0, thread: 0, resolve, reject })));
    }
    return (await Promise.all(parts)).flat();
  }

  /** How many threads have nothing to do. */
  get idle(): number {
    // One that died in its sleep is still counted by the bell.
    return Math.min(this.#bell.waiting, this.#threads.size);
  }

  /** Call this when there is something to check, with how many threads could share it. */
  wake(chunks: number): void {
    this.#bell.ring(chunks);
  }

  /** The threads' workers, for tests of their crash. */
  get workers(): Worker[] {
    return [...this.#threads.values()];
  }

  async close(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }

  #start(thread: number): void {
    const file = import.meta.url.endsWith('.ts') ? './verify-worker.ts' : './verify-worker.js';
    const worker = new Worker(new URL(file, import.meta.url), {
      name: 'verifier',
      workerData: { thread, bell: this.#bell.memory } satisfies VerifierData,
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    worker.on('error', (error) => this.#log.error({ err: error }, 'verifier thread failed'));
    worker.on('message', (reply: CheckReply) => this.#onReply(reply));
    worker.on('exit', () => this.#onExit(thread));
    for (const lane of this.#lanes) this.#give(worker, lane);
    this.#threads.set(thread, worker);
  }

  #ask(asked: Asked): void {
    if (this.#stopping) {
      asked.reject(new Error('the verifier threads are stopped'));
      return;
    }
    const threads = [...this.#threads];
    const found = threads[this.#nextId % threads.length];
    if (found === undefined) {
      // All have died, and start again soon.
      setTimeout(() => this.#ask(asked), RESTART_AFTER_MS);
      return;
    }
    const id = this.#nextId;
    this.#nextId += 1;
    this.#asked.set(id, { ...asked, tries: asked.tries + 1, thread: found[0] });
    found[1].postMessage({ id, checks: asked.checks } satisfies CheckRequest);
    this.#bell.ring();
  }

  #onReply({ id, areGood }: CheckReply): void {
    this.#asked.get(id)?.resolve(areGood);
    this.#asked.delete(id);
  }

  /** Asks again what a thread that has ended was asked. */
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
   * The chunk of a thread that ended waits for the one that replaces it. Threads that go down together end one after
   * the other; a chunk that one of them took over at once would run out of tries without having harmed any.
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

function giveUp(memory: LaneMemory, ticket: number): void {
  const { blocks, count } = memory.chunk(ticket);
  for (let index = 0, at = 0; index < count; index += 1, at = blocks.endOf(at)) {
    if (blocks.fateOf(at) === Fate.UNCHECKED) blocks.setFate(at, Fate.FAILED);
  }
  memory.markChecked(ticket);
}
