import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { Bell } from '../common/bell.ts';
import type { LaneMemory } from '../store/lane/lane-memory.ts';
import { Fate } from '../store/lane/packed-blocks.ts';
import type { StoreLane } from '../store/lane/store-lane.ts';
import type { OpenLane, VerifierData } from './verify-worker.ts';

const MAX_THREADS = 4;
/** A chunk that took a thread down with it twice is not tried again. */
const MAX_TRIES = 2;
const RESTART_AFTER_MS = 100;

/** The threads that check signatures, for all lanes; each starts again by itself should it die. */
export class Verifiers {
  readonly #log: Logger;
  readonly #bell = new Bell();
  readonly #lanes: StoreLane[] = [];
  readonly #threads = new Map<number, Worker>();
  #stopping = false;

  /** Starts the threads; by default as many as the machine has cores, 1 to 4. */
  constructor(log: Logger, threads = Math.min(availableParallelism(), MAX_THREADS)) {
    this.#log = log;
    for (let thread = 0; thread < threads; thread += 1) this.#start(thread);
  }

  /** Checks what comes by a lane from now on. Lanes that were added before go first. */
  add(lane: StoreLane): void {
    this.#lanes.push(lane);
    for (const worker of this.#threads.values()) this.#give(worker, lane);
    this.#bell.ring();
  }

  /** How many threads have nothing to do. */
  get idle(): number {
    // One that died in its sleep is still counted by the bell.
    return Math.min(this.#bell.waiting, this.#threads.size);
  }

  /** To be called when there is something to check, with how many threads could share it. */
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
    worker.on('exit', () => this.#onExit(thread));
    for (const lane of this.#lanes) this.#give(worker, lane);
    this.#threads.set(thread, worker);
  }

  #give(worker: Worker, lane: StoreLane): void {
    worker.postMessage({ lane: lane.memory.shared, bell: lane.bell.memory } satisfies OpenLane);
  }

  /**
   * What the thread had in hand waits for the one that replaces it. Threads that go down together end one after the
   * other; a chunk that one of them took over at once would run out of tries without having harmed any.
   */
  #onExit(thread: number): void {
    this.#threads.delete(thread);
    if (this.#stopping) return;
    setTimeout(() => {
      if (this.#stopping) return;
      for (const lane of this.#lanes) this.#release(thread, lane);
      this.#start(thread);
      this.#bell.ring();
    }, RESTART_AFTER_MS);
  }

  #release(thread: number, { memory, bell }: StoreLane): void {
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
