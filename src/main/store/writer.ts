import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { StorageUnavailable } from './storage-unavailable.ts';
import type { WriteJob, WriteOutcome, WriteResults } from './write-jobs.ts';
import type { WriterOptions } from './writer-connection.ts';
import type { GroupMessage, GroupReply } from './writer-worker.ts';

/**
 * A second group is handed in while one is being committed, so that the thread need not wait for the next, but only when it
 * is worth a commit of its own.
 */
const MIN_ROWS_OF_SECOND_GROUP = 6;
/** Bounds how long one transaction keeps another store of the same thread waiting. */
const MAX_GROUP_ROWS = 200;
const RESTART_AFTER_MS = 500;
/** A full disk refuses every write: one line a minute says so. */
const LOG_EVERY_MS = 60_000;

interface Waiting {
  readonly job: WriteJob;
  /** When it was handed in, by performance.now(). */
  readonly since: number;
  readonly resolve: (outcome: WriteOutcome) => void;
}

/** The writer thread as the node sees it; starts again by itself should the thread die. */
export class WriterThread {
  readonly #log: Logger;
  readonly #stores: StoreWriter[] = [];
  #worker: Worker | null = null;
  #stopping = false;

  constructor(log: Logger) {
    this.#log = log;
    this.#start();
  }

  /** Opens a store that has been prepared, and resolves when it takes writes. */
  async open(options: WriterOptions): Promise<StoreWriter> {
    const writer = new StoreWriter(options, this.#log);
    const worker = this.#worker!;
    const gone = new Promise<never>((_, reject) => {
      worker.once('error', reject);
    });
    writer.connect(worker);
    await Promise.race([writer.ready, gone]);
    this.#stores.push(writer);
    return writer;
  }

  /** Closes every store once what was handed in is committed, then the thread. */
  async close(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#stores.map((store) => store.close()));
    await this.#worker?.terminate();
  }

  #start(): void {
    const file = import.meta.url.endsWith('.ts') ? './writer-worker.ts' : './writer-worker.js';
    const worker = new Worker(new URL(file, import.meta.url), {
      name: 'writer',
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    worker.on('error', (error) => this.#log.error({ err: error }, 'writer thread failed'));
    worker.on('exit', () => this.#restart());
    this.#worker = worker;
  }

  #restart(): void {
    if (this.#stopping) return;
    for (const store of this.#stores) store.disconnect();
    setTimeout(() => {
      if (this.#stopping) return;
      this.#start();
      for (const store of this.#stores) store.connect(this.#worker!);
    }, RESTART_AFTER_MS).unref();
  }
}

/** Hands jobs to one store. Jobs that wait at the same time are committed together. */
export class StoreWriter {
  readonly #options: WriterOptions;
  readonly #log: Logger;
  #port: MessagePort | null = null;
  #waiting: Waiting[] = [];
  #waitingRows = 0;
  #underWay: Waiting[][] = [];
  #flushPlanned = false;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #whenReady!: () => void;
  #whenClosed: (() => void) | null = null;
  /** Resolves when the thread has opened the store. */
  readonly ready = new Promise<void>((resolve) => {
    this.#whenReady = resolve;
  });

  constructor(options: WriterOptions, log: Logger) {
    this.#options = options;
    this.#log = log;
  }

  /** How many readings wait to be handed in. */
  get waitingRows(): number {
    return this.#waitingRows;
  }

  /** Resolves when the job is on disk. Rejects with StorageUnavailable, or with an Error where the job is at fault. */
  async write<Kind extends WriteJob['kind']>(job: Extract<WriteJob, { kind: Kind }>): Promise<WriteResults[Kind]> {
    const outcome = await new Promise<WriteOutcome>((resolve) => {
      this.#waiting.push({ job, since: performance.now(), resolve });
      this.#waitingRows += rowsOf(job);
      this.#planFlush();
    });
    if (outcome.ok) return outcome.result as WriteResults[Kind];
    if (outcome.storage) throw new StorageUnavailable(outcome.code, outcome.message);
    throw new Error(`${outcome.code}: ${outcome.message}`);
  }

  connect(worker: Worker): void {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (reply: GroupReply) => this.#onReply(reply));
    this.#port = port1;
    worker.postMessage({ options: this.#options, port: port2 }, [port2]);
    this.#flush();
  }

  /** The thread is gone: what was under way may or may not be on disk, so none of it is confirmed. */
  disconnect(): void {
    this.#port?.close();
    this.#port = null;
    const lost = [...this.#underWay.flat(), ...this.#waiting];
    this.#underWay = [];
    this.#waiting = [];
    this.#waitingRows = 0;
    for (const { resolve } of lost) {
      resolve({ ok: false, storage: true, code: 'WRITER_LOST', message: 'the writer thread stopped' });
    }
    this.#whenClosed?.();
  }

  /** Resolves when everything handed in is committed and the store is closed. */
  async close(): Promise<void> {
    while (this.#waiting.length > 0 || this.#underWay.length > 0) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    if (this.#port === null) return;
    const closed = new Promise<void>((resolve) => {
      this.#whenClosed = resolve;
    });
    this.#port.postMessage(null satisfies GroupMessage);
    await closed;
    this.#port?.close();
    this.#port = null;
  }

  /** Waits for the end of this turn of the event loop, so that all requests read in it share a commit. */
  #planFlush(): void {
    if (this.#flushPlanned) return;
    this.#flushPlanned = true;
    setImmediate(() => {
      this.#flushPlanned = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#port !== null && this.#mayHandIn()) {
      const group = this.#takeGroup();
      this.#underWay.push(group);
      const waitedMs = performance.now() - group[0]!.since;
      this.#port.postMessage({ jobs: group.map(({ job }) => job), waitedMs } satisfies GroupMessage);
    }
  }

  #mayHandIn(): boolean {
    if (this.#waiting.length === 0 || this.#underWay.length >= 2) return false;
    return this.#underWay.length === 0 || this.#waitingRows >= MIN_ROWS_OF_SECOND_GROUP;
  }

  #takeGroup(): Waiting[] {
    let rows = 0;
    let end = 0;
    while (end < this.#waiting.length && (end === 0 || rows < MAX_GROUP_ROWS)) {
      rows += rowsOf(this.#waiting[end]!.job);
      end += 1;
    }
    this.#waitingRows -= rows;
    return this.#waiting.splice(0, end);
  }

  #onReply(reply: GroupReply): void {
    if (typeof reply === 'string') {
      if (reply === 'ready') this.#whenReady();
      else this.#whenClosed?.();
      return;
    }
    const group = this.#underWay.shift() ?? [];
    for (const outcome of reply) if (!outcome.ok) this.#logRefusal(outcome);
    for (const [index, { resolve }] of group.entries()) resolve(reply[index]!);
    this.#flush();
  }

  #logRefusal({ code, message }: WriteOutcome & { ok: false }): void {
    const now = performance.now();
    if (now - this.#loggedAt < LOG_EVERY_MS) return;
    this.#loggedAt = now;
    this.#log.error({ store: this.#options.path, code, reason: message }, 'the store refuses writes');
  }
}

function rowsOf(job: WriteJob): number {
  return job.kind === 'append' ? job.rows.length : 1;
}
