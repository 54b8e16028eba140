import { setTimeout as delay } from 'node:timers/promises';
import type { DeviceRegistrationInput } from '../shared/protocol/device.ts';
import { MAX_BLOCKS_PER_BATCH } from '../shared/protocol/limits.ts';
import type { BlockSource } from './block-source.ts';
import type { BlockInput } from './device.ts';
import { describeNoAnswer, describeRefusal, describeStatus, shortId } from './problems.ts';
import type { WireClient } from './wire-client.ts';

/** The most unconfirmed readings in the firmware's buffer; a further one replaces the oldest. */
export const BUFFER_SIZE = 50;

/** How often the same backfill may be refused without any progress before it is given up. */
const MAX_REFUSALS = 3;

/** The times of a reading's measurement and of its date, in Unix milliseconds. */
export interface Moment {
  readonly measuredAt: number;
  readonly datedAt: number;
}

/** The retries of a backfill. */
export interface BackfillPatience {
  readonly retryMs: number;
  /** The most consecutive tries without an answer or with the node unavailable. */
  readonly maxFailures: number;
}

/** The result of one post. */
interface Outcome {
  /** The blocks that the node has not confirmed. */
  readonly open: BlockInput[];
  /** The problem, for people; null if all blocks are confirmed. */
  readonly problem: string | null;
  /** Whether the node judged the blocks, so that a retry will likely fail again. */
  readonly isRefusal: boolean;
}

/** Registers, posts and re-sends for one device as the field firmware does. */
export class DeviceFeed {
  readonly source: BlockSource;
  /** The number of distinct readings that were posted at least once. */
  sent = 0;
  /** The number of readings that the node confirmed. */
  confirmed = 0;
  /** The number of readings that were dropped from the full buffer, or given up. */
  lost = 0;
  readonly #client: WireClient;
  readonly #registration: DeviceRegistrationInput;
  readonly #print: (line: string) => void;
  #isRegistered = false;
  #lastProblem: string | null = null;
  #buffer: BlockInput[] = [];
  readonly #posted = new WeakSet<BlockInput>();

  constructor(
    client: WireClient,
    source: BlockSource,
    registration: DeviceRegistrationInput,
    print: (line: string) => void,
  ) {
    this.#client = client;
    this.source = source;
    this.#registration = registration;
    this.#print = (line) => print(`${shortId(source.device.id)} ${line}`);
  }

  /** Whether the latest request succeeded. */
  get isConfirmed(): boolean {
    return this.#isRegistered && this.#lastProblem === null;
  }

  /** The number of buffered readings. */
  get waiting(): number {
    return this.#buffer.length;
  }

  /**
   * Sends past readings in batches of 100 and repeats unconfirmed ones. Resolves with whether every reading was
   * confirmed; early if the signal aborts.
   */
  async backfill(moments: Iterable<Moment>, patience: BackfillPatience, signal: AbortSignal): Promise<boolean> {
    const past = moments[Symbol.iterator]();
    let pending: BlockInput[] = [];
    let failures = 0;
    let refusals = 0;
    while (!signal.aborted) {
      pending.push(...this.#take(past, MAX_BLOCKS_PER_BATCH - pending.length));
      if (pending.length === 0) return true;
      if (await this.#register()) {
        if (!signal.aborted) {
          const { open, isRefusal } = await this.#post(pending);
          const hasProgress = open.length < pending.length;
          failures = hasProgress || isRefusal ? 0 : failures + 1;
          refusals = hasProgress ? 0 : refusals + (isRefusal ? 1 : 0);
          pending = open;
          if (hasProgress) continue;
        }
      } else failures += 1;
      if (refusals >= MAX_REFUSALS || failures >= patience.maxFailures) break;
      await pause(patience.retryMs, signal);
    }
    this.lost += pending.length;
    return false;
  }

  /**
   * Runs one interval of a live device: posts the new reading and keeps it if it is not confirmed. Then re-sends the
   * readings that were buffered before, oldest first, up to the first failure.
   */
  async tick(moment: Moment, signal: AbortSignal): Promise<void> {
    await this.send(this.source.next(moment.measuredAt, moment.datedAt), signal);
  }

  /** Like `tick`, with a given reading: a device with several servers sends the same one to each. */
  async send(block: BlockInput, signal: AbortSignal): Promise<void> {
    const earlier = [...this.#buffer];
    if (!(await this.#register())) {
      this.#keep(block);
      return;
    }
    const { open } = await this.#post([block]);
    if (open.length > 0) this.#keep(block);
    for (const kept of earlier) {
      if (signal.aborted) return;
      // The new reading may have dropped it from the buffer.
      if (!this.#buffer.includes(kept)) continue;
      const again = await this.#post([kept]);
      if (again.open.length > 0) return;
      this.#buffer = this.#buffer.filter((entry) => entry !== kept);
    }
  }

  #take(past: Iterator<Moment>, count: number): BlockInput[] {
    const blocks: BlockInput[] = [];
    while (blocks.length < count) {
      const moment = past.next();
      if (moment.done) break;
      blocks.push(this.source.next(moment.value.measuredAt, moment.value.datedAt));
    }
    return blocks;
  }

  #keep(block: BlockInput): void {
    this.#buffer.push(block);
    if (this.#buffer.length > BUFFER_SIZE) {
      this.#buffer.shift();
      this.lost += 1;
    }
  }

  /** Registers unless this run has done so. The firmware does it once per boot, and again after a post got a 404. */
  async #register(): Promise<boolean> {
    if (this.#isRegistered) return true;
    try {
      const response = await this.#client.register(this.#registration);
      this.#isRegistered = [200, 201, 409].includes(response.status);
      if (!this.#isRegistered) {
        this.#tell(`registration failed: ${describeStatus(response)}`);
        return false;
      }
      this.#tell(null);
      this.#print(response.status === 409 ? 'was registered before: its first registration stands' : 'registered');
    } catch (error) {
      this.#tell(describeNoAnswer(error));
    }
    return this.#isRegistered;
  }

  /** Posts one batch and updates the counts. */
  async #post(blocks: BlockInput[]): Promise<Outcome> {
    this.sent += blocks.filter((block) => !this.#posted.has(block)).length;
    for (const block of blocks) this.#posted.add(block);
    const outcome = await this.#attempt(blocks);
    this.confirmed += blocks.length - outcome.open.length;
    this.#tell(outcome.problem);
    return outcome;
  }

  async #attempt(blocks: BlockInput[]): Promise<Outcome> {
    try {
      const response = await this.#client.post(blocks);
      const { status, accepted, errors } = response;
      if (status === 404) this.#isRegistered = false;
      if (status === 200) return { open: [], problem: null, isRefusal: false };
      if (status !== 207) {
        return { open: blocks, problem: describeStatus(response), isRefusal: status < 500 && status !== 429 };
      }
      const failed = new Set(errors.map(({ seq }) => seq));
      const open = blocks.filter(({ seq }) => failed.has(seq));
      // If the errors do not match the batch, they can't be assigned by seq. Then no block counts as confirmed, since
      // sending a stored reading again does no harm.
      const addsUp = open.length > 0 && open.length === errors.length && accepted === blocks.length - open.length;
      return {
        open: addsUp ? open : blocks,
        problem: describeRefusal(errors[0]?.error ?? 'an error without text'),
        isRefusal: true,
      };
    } catch (error) {
      return { open: blocks, problem: describeNoAnswer(error), isRefusal: false };
    }
  }

  /** Prints a problem once, until it changes or is over. */
  #tell(problem: string | null): void {
    if (problem === this.#lastProblem) return;
    this.#lastProblem = problem;
    this.#print(problem ?? 'works again');
  }
}

/** Waits; returns at once if the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch {
    // Aborted: the caller checks the signal.
  }
}
