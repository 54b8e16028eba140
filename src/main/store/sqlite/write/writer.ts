import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { StoreRefusal } from '../../../common/node-events.ts';
import type { OnStoreState } from '../../engine.ts';
import type { Durability } from '../../port.ts';
import { StorageUnavailable } from '../../storage-unavailable.ts';
import { Bell } from '../../verifier/bell.ts';
import { LaneMemory, type Ticket } from '../../verifier/lane-memory.ts';
import type { LaneListener, StoreLane } from './lane.ts';
import type { GroupReply, JobMessage, OpenStore, StateReply, StoreReply } from './store-server.ts';
import type { WriteFailure, WriteJob, WriteOutcome, WriteResults } from './write-jobs.ts';
import { isBound, takesRoom, type WriterOptions } from './writer-connection.ts';
import type { WriterData } from './writer-worker.ts';

const RESTART_AFTER_MS = 500;
/** The id of a thread that has ended, as Node gives it. */
const ENDED = -1;
/** A full disk refuses every write: it is logged once a minute. */
const SAY_EVERY_MS = 60_000;
/** The maximum time of compacting: a store of many gigabytes on a slow card. */
const COMPACTING_MS = 2 * 3_600_000;

/** The node's side of the writer thread. If the thread dies, it is restarted. */
export class WriterThread {
  readonly #log: Logger;
  readonly #bell = new Bell();
  readonly #stores: StoreWriter[] = [];
  #worker: Worker | null = null;
  #stopping = false;

  constructor(log: Logger) {
    this.#log = log;
    this.#start();
  }

  /**
   * Opens a prepared store, and resolves when it accepts writes. Stores have priority in the order in which they were
   * opened. `onState` is called when the store refuses to write, once a minute while it refuses, and with null when it
   * accepts writes again. Rejects with the thread's error, or with StorageUnavailable if the thread has ended.
   */
  async open(options: WriterOptions, onState: OnStoreState = () => {}): Promise<StoreWriter> {
    const writer = new StoreWriter(options, { log: this.#log, bell: this.#bell, onState });
    const worker = this.#worker!;
    const gone = Promise.withResolvers<never>();
    const ended = () => new StorageUnavailable(LOST.code, LOST.message);
    const onExit = () => gone.reject(ended());
    worker.once('error', gone.reject);
    worker.once('exit', onExit);
    try {
      if (worker.threadId === ENDED) throw ended();
      writer.connect(worker);
      await Promise.race([writer.ready, gone.promise]);
    } finally {
      worker.off('error', gone.reject);
      worker.off('exit', onExit);
    }
    this.#stores.push(writer);
    return writer;
  }

  /** The worker of the thread, for tests of its crash. */
  get worker(): Worker | null {
    return this.#worker;
  }

  /** Closes every store after its pending jobs are committed, then the thread. */
  async close(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#stores.map((store) => store.close()));
    await this.#worker?.terminate();
  }

  #start(): void {
    const file = import.meta.url.endsWith('.ts') ? './writer-worker.ts' : './writer-worker.js';
    const worker = new Worker(new URL(file, import.meta.url), {
      name: 'writer',
      workerData: { bell: this.#bell.memory } satisfies WriterData,
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    worker.on('error', (error) => this.#log.error({ err: error }, 'writer thread failed'));
    worker.on('exit', () => this.#restart());
    this.#worker = worker;
  }

  #restart(): void {
    for (const store of this.#stores) store.disconnect();
    if (this.#stopping) return;
    setTimeout(() => {
      if (this.#stopping) return;
      this.#start();
      for (const store of this.#stores) store.connect(this.#worker!);
    }, RESTART_AFTER_MS).unref();
  }
}

interface Waiting {
  readonly resolve: (outcome: WriteOutcome) => void;
  readonly takesRoom: boolean;
}

interface StoreWriterDependencies {
  readonly log: Logger;
  readonly bell: Bell;
  readonly onState: OnStoreState;
}

/** The main thread's side of one store: sends jobs to the writer thread, and owns the lane for blocks. */
export class StoreWriter {
  readonly lane: StoreLane;
  #options: WriterOptions;
  readonly #dependencies: StoreWriterDependencies;
  readonly #memory = new LaneMemory();
  readonly #waiting = new Map<number, Waiting>();
  /** The callers that wait for the state of the store. */
  #asking: ((refusal: StoreRefusal | null) => void)[] = [];
  /** By performance.now(); null if no compacting is in progress. */
  #compactingSince: number | null = null;
  #listener: LaneListener | null = null;
  #port: MessagePort | null = null;
  #nextId = 0;
  /** All chunks before it are finished. */
  #end: Ticket = 0;
  /** Chunks before this one are skipped by a thread that starts now. */
  #from: Ticket = 0;
  #isRefusing = false;
  #isAtBound = false;
  #saidAt = Number.NEGATIVE_INFINITY;
  #whenReady!: () => void;
  #whenClosed: (() => void) | null = null;
  /** Resolves when the thread has opened the store. */
  readonly ready = new Promise<void>((resolve) => {
    this.#whenReady = resolve;
  });

  constructor(options: WriterOptions, dependencies: StoreWriterDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
    this.lane = {
      memory: this.#memory,
      bell: dependencies.bell,
      listen: (listener) => {
        if (this.#listener !== null) throw new Error('the lane has a listener already');
        this.#listener = listener;
      },
    };
  }

  /** Resolves when the job is on disk. Rejects with StorageUnavailable, or with an Error if the job is at fault. */
  async write<Kind extends WriteJob['kind']>(job: Extract<WriteJob, { kind: Kind }>): Promise<WriteResults[Kind]> {
    const isCompacting = job.kind === 'compact';
    if (isCompacting) this.#compactingSince = performance.now();
    const outcome = await new Promise<WriteOutcome>((resolve) => {
      if (this.#port === null) return resolve(LOST);
      const id = this.#nextId;
      this.#nextId += 1;
      this.#waiting.set(id, { resolve, takesRoom: takesRoom(job) });
      this.#send({ id, job });
    });
    if (isCompacting) this.#compactingSince = null;
    if (outcome.ok) return outcome.result as WriteResults[Kind];
    if (outcome.code !== null) throw new StorageUnavailable(outcome.code, outcome.message);
    throw new Error(`${outcome.engineCode ?? 'UNEXPECTED'}: ${outcome.message}`);
  }

  /** Sets whether each commit is synced from now on, also after a restart of the thread. */
  async setDurability(durability: Durability): Promise<void> {
    this.#options = { ...this.#options, durability };
    if (this.#port !== null) await this.write<'setDurability'>({ kind: 'setDurability', durability });
  }

  /** See Store.refusal. */
  refusal(): Promise<StoreRefusal | null> {
    if (this.#port === null) return Promise.resolve(refusalOf(LOST));
    // During compacting the thread does nothing else, however long it takes. After this time it is considered hanging.
    const isCompacting = performance.now() - (this.#compactingSince ?? Number.NEGATIVE_INFINITY) < COMPACTING_MS;
    if (isCompacting) return Promise.resolve(COMPACTING);
    return new Promise((resolve) => {
      this.#asking.push(resolve);
      if (this.#asking.length === 1) this.#send({ wasRefusing: this.#isRefusing });
    });
  }

  connect(worker: Worker): void {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (reply: StoreReply) => this.#onReply(reply));
    this.#port = port1;
    const message: OpenStore = {
      options: this.#options,
      port: port2,
      lane: this.#memory.shared,
      from: this.#from,
    };
    worker.postMessage(message, [port2]);
    this.#dependencies.bell.ring();
  }

  /** The thread has died. Jobs in progress may or may not be on disk, so they are not confirmed. */
  disconnect(): void {
    this.#port?.close();
    this.#port = null;
    this.#from = this.#memory.filled;
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { resolve } of lost) resolve(LOST);
    this.#answer(refusalOf(LOST));
    this.#listener?.onLost();
    this.#whenClosed?.();
  }

  /** Resolves when every job is committed and the store is closed. */
  async close(): Promise<void> {
    if (this.#port === null) return;
    const closed = new Promise<void>((resolve) => {
      this.#whenClosed = resolve;
    });
    this.#send(null);
    await closed;
    this.#port?.close();
    this.#port = null;
  }

  #send(message: JobMessage): void {
    this.#port!.postMessage(message);
    this.#dependencies.bell.ring();
  }

  #onReply(reply: StoreReply): void {
    if (reply === 'ready') this.#whenReady();
    else if (reply === 'closed') this.#whenClosed?.();
    else if (typeof reply === 'object' && 'refusal' in reply) this.#onState(reply);
    else this.#onGroup(typeof reply === 'number' ? { outcomes: [], end: reply, chunks: 'stored' } : reply);
  }

  #onState({ refusal }: StateReply): void {
    this.#noteState(refusal);
    this.#answer(refusalOf(refusal));
  }

  #answer(refusal: StoreRefusal | null): void {
    for (const resolve of this.#asking.splice(0)) resolve(refusal);
  }

  #onGroup({ outcomes, end, chunks }: GroupReply): void {
    for (const [id, outcome] of outcomes) {
      const waiting = this.#waiting.get(id);
      // The owner's writes succeed at a bound too, so they say nothing about devices.
      if (!outcome.ok || waiting?.takesRoom || !this.#isAtBound) this.#noteState(outcome.ok ? null : outcome);
      waiting?.resolve(outcome);
      this.#waiting.delete(id);
    }
    const failure = typeof chunks === 'string' ? null : chunks;
    if (chunks !== 'nothing') this.#noteState(failure);
    if (end === this.#end) return;
    this.#end = end;
    this.#listener?.onDone(end, refusalOf(failure));
  }

  #noteState(refusal: WriteFailure | null): void {
    const { onState, log } = this.#dependencies;
    if (refusal === null) {
      if (this.#isRefusing) onState(null);
      this.#isRefusing = false;
      this.#isAtBound = false;
      return;
    }
    const { code, message, engineCode } = refusal;
    const now = performance.now();
    const isDue = now - this.#saidAt >= SAY_EVERY_MS;
    if (isDue) {
      this.#saidAt = now;
      log.error({ store: this.#options.path, code, engineCode, reason: message }, 'the store refuses writes');
    }
    if (code === null || (this.#isRefusing && !isDue)) return;
    this.#isRefusing = true;
    this.#isAtBound = isBound(code);
    onState({ code, message });
  }
}

const LOST = { ok: false, code: 'unreachable', message: 'the writer thread stopped', engineCode: null } as const;
const COMPACTING: StoreRefusal = { code: 'busy', message: 'the store is being compacted' };

/** An internal fault of a job is reported like a fault of the store. */
function refusalOf(failure: WriteFailure | null): StoreRefusal | null {
  return failure === null ? null : { code: failure.code ?? 'unreachable', message: failure.message };
}
