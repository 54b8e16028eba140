import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { LaneMemory, type Ticket } from '../../verifier/lane-memory.ts';
import { Fate } from '../../verifier/packed-blocks.ts';
import {
  type ChunkJob,
  isLone,
  type LoneJob,
  type WriteFailure,
  type WriteJob,
  type WriteOutcome,
} from './write-jobs.ts';
import { busyOutcome, WriterConnection, type WriterOptions } from './writer-connection.ts';

/** Makes the writer thread open a store. Its jobs arrive on the port, its blocks in the lane. */
export interface OpenStore {
  readonly options: WriterOptions;
  readonly port: MessagePort;
  readonly lane: SharedArrayBuffer;
  /** Chunks before this one were given up and are skipped. */
  readonly from: Ticket;
}

/** A job with its number, or a question; null closes the store after all earlier jobs. */
export type JobMessage = { readonly id: number; readonly job: WriteJob } | StateQuestion | null;

/** Asks whether the store would accept a reading now. */
export interface StateQuestion {
  /** Whether the last write was refused: then the thread tries a write. */
  readonly wasRefusing: boolean;
}

/** The answer to a StateQuestion; null: the store would accept a reading. */
export interface StateReply {
  readonly refusal: WriteFailure | null;
}

/** The outcomes of jobs, and of chunks of the lane. */
export interface GroupReply {
  readonly outcomes: readonly (readonly [id: number, WriteOutcome])[];
  /** All chunks before it are finished. */
  readonly end: Ticket;
  /**
   * `stored`: their readings are on disk; `nothing`: they had nothing to store; else the reason why nothing was stored.
   */
  readonly chunks: 'stored' | 'nothing' | WriteFailure;
}

/** A number: there were no jobs, and all chunks before it are stored. */
export type StoreReply = GroupReply | StateReply | Ticket | 'ready' | 'closed';

const BUSY_RETRY_MS = 25;
/**
 * Counted from when a job was sent, so that a device gets the answer within its 8 s, however many jobs wait before it.
 */
const BUSY_GIVE_UP_MS = 4000;
/** Limits how long one transaction delays another store of the same thread. */
const MAX_GROUP_ROWS = 200;
/** How often complete hours are summed up, and for how long: longer if no readings arrive. */
const SUM_UP_EVERY_MS = 1000;
const SUM_UP_BESIDE_WRITES_MS = 5;
const SUM_UP_IDLE_MS = 40;
const FIND_HOURS_EVERY_MS = 300_000;

interface Waiting {
  readonly id: number;
  readonly job: WriteJob;
  readonly since: number;
}

/** A job that waits to be written together with others. */
interface Rider extends Waiting {
  readonly until: number;
}

/** The jobs and chunks that are committed together. */
interface Group {
  readonly jobs: readonly Waiting[];
  readonly chunks: readonly ChunkJob[];
  /** The first chunk that is not in the group. */
  readonly end: Ticket;
  readonly since: number;
  readonly isToSync: boolean;
}

/** One store on the writer thread: commits waiting jobs and chunks, one group at a time. */
export class StoreServer {
  #options: WriterOptions;
  readonly #port: MessagePort;
  readonly #lane: LaneMemory;
  readonly #from: Ticket;
  #connection: WriterConnection;
  #jobs: Waiting[] = [];
  #riders: Rider[] = [];
  /** A group that another process prevents from being written. */
  #held: Group | null = null;
  #retryAt = 0;
  #isClosing = false;
  #lastGroupAt = Number.NEGATIVE_INFINITY;
  #sumUpAt = performance.now() + SUM_UP_EVERY_MS;
  #findHoursAt = performance.now() + FIND_HOURS_EVERY_MS;

  constructor({ options, port, lane, from }: OpenStore) {
    this.#options = options;
    this.#port = port;
    this.#lane = new LaneMemory(lane);
    this.#from = from;
    this.#connection = new WriterConnection(options);
    this.#reply('ready');
  }

  /** When the next timed work is due, by performance.now(). */
  get dueAt(): number {
    const ridersAt = this.#riders[0]?.until ?? this.#sumUpAt;
    return this.#held === null ? Math.min(this.#sumUpAt, ridersAt) : Math.min(this.#sumUpAt, this.#retryAt);
  }

  /** Receives the jobs that were sent. */
  receive(): void {
    for (let next = receiveMessageOnPort(this.#port); next !== undefined; next = receiveMessageOnPort(this.#port)) {
      const message = next.message as JobMessage;
      if (message === null) this.#isClosing = true;
      else if ('wasRefusing' in message) this.#reply(this.#answer(message));
      else this.#take({ ...message, since: performance.now() });
    }
  }

  /** Commits a group. Returns false if there is nothing to commit now. */
  writeGroup(): boolean {
    if (this.#held !== null && performance.now() < this.#retryAt) return false;
    const group = this.#held ?? this.#takeGroup();
    if (group === null) return false;
    this.#held = null;
    this.#lastGroupAt = performance.now();
    this.#commit(group);
    return true;
  }

  /** Sums up hours, if that is due. */
  sumUp(): void {
    const now = performance.now();
    if (now >= this.#findHoursAt) {
      this.#connection.findHoursThatAreOver();
      this.#findHoursAt = now + FIND_HOURS_EVERY_MS;
    }
    if (now < this.#sumUpAt) return;
    const isIdle = now - this.#lastGroupAt > SUM_UP_EVERY_MS;
    const hasMore = this.#connection.sumUp(isIdle ? SUM_UP_IDLE_MS : SUM_UP_BESIDE_WRITES_MS);
    this.#sumUpAt = performance.now() + (isIdle && hasMore ? SUM_UP_IDLE_MS : SUM_UP_EVERY_MS);
  }

  /** Closes the store if this was requested and all work is done. Returns whether it is closed. */
  close(): boolean {
    if (!this.#isClosing || this.#jobs.length + this.#riders.length > 0 || this.#held !== null) return false;
    this.#connection.close();
    this.#reply('closed');
    this.#port.close();
    return true;
  }

  #answer({ wasRefusing }: StateQuestion): StateReply {
    const refused = this.#connection.refusal(wasRefusing);
    if (refused === null) return { refusal: null };
    if (isReadOnly(refused)) this.#reopen();
    return { refusal: refused };
  }

  #takeGroup(): Group | null {
    const jobs = this.#jobs.splice(0, jobsTogether(this.#jobs));
    const { done } = this.#lane;
    if (jobs[0] !== undefined && isLone(jobs[0].job)) {
      return { jobs, chunks: [], end: done, since: jobs[0].since, isToSync: true };
    }
    const chunks: ChunkJob[] = [];
    let end = this.#lane.done;
    for (let rows = jobs.length; rows < MAX_GROUP_ROWS && this.#lane.isChecked(end); end = (end + 1) | 0) {
      const chunk = this.#lane.chunk(end);
      rows += chunk.count;
      chunks.push({ kind: 'chunk', chunk });
    }
    if (jobs.length === 0 && chunks.length === 0) return this.#takeRiders();
    const times = [jobs[0]?.since, chunks.length > 0 ? this.#lane.since(done) : undefined];
    const since = Math.min(...times.filter((time) => time !== undefined));
    // A group that stores nothing does not wait for the disk either, so riders are not added to it.
    const isWritten = jobs.length > 0 || chunks.some((chunk, index) => this.#isToStore(chunk, (done + index) | 0));
    if (this.#riders.length > 0 && isWritten) jobs.unshift(...this.#riders.splice(0));
    return { jobs, chunks, end, since, isToSync: true };
  }

  /** Takes the jobs that have waited long enough to be committed alone. */
  #takeRiders(): Group | null {
    const now = performance.now();
    if (this.#riders.length === 0 || (now < this.#riders[0]!.until && !this.#isClosing)) return null;
    return { jobs: this.#riders.splice(0), chunks: [], end: this.#lane.done, since: now, isToSync: false };
  }

  #take(waiting: Waiting): void {
    const { job, since } = waiting;
    if (job.kind === 'count' && job.rideMs !== undefined) this.#riders.push({ ...waiting, until: since + job.rideMs });
    else this.#jobs.push(waiting);
  }

  #commit(group: Group): void {
    const chunks = group.chunks.filter((job, index) => this.#isToStore(job, (this.#lane.done + index) | 0));
    const jobs = [...group.jobs.map(({ job }) => job), ...chunks];
    const outcomes = this.#run(jobs, group.isToSync);
    if (outcomes === null && performance.now() - group.since < BUSY_GIVE_UP_MS) {
      this.#held = group;
      this.#retryAt = performance.now() + BUSY_RETRY_MS;
      return;
    }
    const ended = outcomes ?? jobs.map(() => busyOutcome);
    if (ended.some(isReadOnly)) this.#reopen();
    this.#finish(group, ended.slice(0, group.jobs.length), chunks, ended.slice(group.jobs.length));
  }

  #run(jobs: readonly (WriteJob | ChunkJob)[], isToSync: boolean): WriteOutcome[] | null {
    if (jobs.length === 0) return [];
    const [first] = jobs;
    return first !== undefined && isLone(first) ? [this.#runLone(first)] : this.#connection.runGroup(jobs, isToSync);
  }

  #runLone(job: LoneJob): WriteOutcome {
    if (job.kind === 'compact') return this.#connection.compact();
    this.#options = { ...this.#options, durability: job.durability };
    return this.#connection.setDurability(job.durability);
  }

  #isToStore({ chunk: { blocks, count } }: ChunkJob, ticket: Ticket): boolean {
    if (((ticket - this.#from) | 0) < 0) return false;
    for (let index = 0, at = 0; index < count; index += 1, at = blocks.endOf(at)) {
      if (blocks.fateOf(at) === Fate.GOOD && blocks.hasReading(at)) return true;
    }
    return false;
  }

  /** Writes the outcomes of the group into its chunks, and sends them to the main thread. */
  #finish(
    { jobs, end }: Group,
    outcomes: readonly WriteOutcome[],
    chunks: readonly ChunkJob[],
    chunkOutcomes: readonly WriteOutcome[],
  ): void {
    let stored: GroupReply['chunks'] = chunks.length === 0 ? 'nothing' : 'stored';
    for (const [index, job] of chunks.entries()) {
      const outcome = chunkOutcomes[index]!;
      markFates(job, outcome);
      if (!outcome.ok) stored = outcome;
    }
    this.#lane.finish(end);
    if (jobs.length === 0 && stored === 'stored') this.#reply(end);
    else this.#reply({ outcomes: outcomes.map((outcome, index) => [jobs[index]!.id, outcome]), end, chunks: stored });
  }

  #reply(reply: StoreReply): void {
    this.#port.postMessage(reply);
  }

  /** SQLite opens a file read-only if it can't be written at that time, and never retries by itself. */
  #reopen(): void {
    try {
      const fresh = new WriterConnection(this.#options);
      this.#connection.close();
      this.#connection = fresh;
    } catch {
      // It is still read-only: the next refusal tries again.
    }
  }
}

/** Returns how many of the waiting jobs are committed together. */
function jobsTogether(waiting: readonly Waiting[]): number {
  const lone = waiting.findIndex(({ job }) => isLone(job));
  return lone < 0 ? MAX_GROUP_ROWS : Math.min(Math.max(lone, 1), MAX_GROUP_ROWS);
}

function isReadOnly(outcome: WriteOutcome): boolean {
  return !outcome.ok && outcome.code === 'read_only';
}

function markFates({ chunk: { blocks, count } }: ChunkJob, outcome: WriteOutcome): void {
  const fates = outcome.ok ? (outcome.result as Uint8Array) : null;
  const refused = outcome.ok || outcome.code !== null ? Fate.NOT_STORED : Fate.FAILED;
  for (let index = 0, at = 0; index < count; index += 1, at = blocks.endOf(at)) {
    if (fates !== null) blocks.setFate(at, fates[index] as Fate);
    else if (blocks.fateOf(at) === Fate.GOOD && blocks.hasReading(at)) blocks.setFate(at, refused);
  }
}
