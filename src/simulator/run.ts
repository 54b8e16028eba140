import { publicKeyOf } from '../shared/crypto/ed25519.ts';
import { createPhrase, firmwareSeed } from '../shared/crypto/phrase/phrase.ts';
import { BlockSource } from './block-source.ts';
import { SimulatedDevice } from './device.ts';
import { DeviceFeed, type Moment, pause } from './feed.ts';
import type { SimulatorOptions } from './options.ts';
import { shortId } from './problems.ts';
import { type DeviceState, SimulatorState } from './state.ts';
import { WireClient } from './wire-client.ts';

/** How long a stop waits for the answers of running requests, in milliseconds. */
const STOP_GRACE_MS = 2000;

/** The longest wait before a backfill tries again, in milliseconds. */
const MAX_RETRY_MS = 5000;

/** The number of consecutive tries without an answer that ends a run with `once`. */
const ONCE_MAX_FAILURES = 5;

/** The time between two status lines, in milliseconds: it doubles from the first to the last. */
const STATUS_MS = { first: 5000, last: 300_000 };

/** The dependencies of a run. */
export interface RunContext {
  /** Prints one line for the person at the terminal. */
  readonly print: (line: string) => void;
  /** Stops the run if it aborts. The run then still saves its state and prints a summary. */
  readonly signal: AbortSignal;
}

/** The result of a run. */
export interface RunResult {
  /** Whether every reading of the backfill was confirmed. */
  readonly isBackfilled: boolean;
}

/**
 * Runs the devices until the signal aborts, or with `once` until the backfill is done. Throws StateError if the state
 * file can't be used. Failures of the node are never thrown.
 */
export async function runSimulator(options: SimulatorOptions, context: RunContext): Promise<RunResult> {
  const { print } = context;
  const state = SimulatorState.open(options.state, options.devices, options.ownerPhrase, createPhrase);
  const client = new WireClient(options.url);
  const stop = new AbortController();
  const closeLate = () => setTimeout(() => client.close(), STOP_GRACE_MS).unref();
  const forward = () => stop.abort();
  stop.signal.addEventListener('abort', closeLate, { once: true });
  context.signal.addEventListener('abort', forward, { once: true });
  if (context.signal.aborted) stop.abort();
  try {
    const startedAt = Date.now();
    const feeds = buildFeeds(options, state, client, startedAt, print);
    print(`${feeds.length} device${feeds.length === 1 ? '' : 's'} -> ${options.url}`);
    print(`keys, seqs and the owner phrase: ${options.state}`);
    const run = new Run(options, startedAt, print, stop);
    const isBackfilled = (await run.each(feeds, (feed) => run.backfill(feed))).every(Boolean);
    if (!stop.signal.aborted && !options.once) await run.live(feeds);
    printSummary(feeds, print);
    return { isBackfilled };
  } finally {
    context.signal.removeEventListener('abort', forward);
    client.close();
    state.close();
  }
}

function buildFeeds(
  options: SimulatorOptions,
  state: SimulatorState,
  client: WireClient,
  startedAt: number,
  print: (line: string) => void,
): DeviceFeed[] {
  const { publishTo } = options;
  return state.devices.slice(0, options.devices).map((kept) => {
    const source = sourceOf(options, state, kept, startedAt);
    return new DeviceFeed(client, source, source.device.registration({ publishTo }), print);
  });
}

/** Returns the source of blocks for a device of the state file, in a run that began at a time in Unix milliseconds. */
export function sourceOf(
  options: SimulatorOptions,
  state: SimulatorState,
  kept: DeviceState,
  startedAt: number,
): BlockSource {
  const ownerSeed = firmwareSeed(state.ownerPhrase);
  const ownerPubkey = Buffer.from(publicKeyOf(ownerSeed)).toString('hex');
  // A device without a clock booted one interval before its first reading.
  const bootedAt = options.hasClock ? null : startedAt - options.backfill * options.intervalMs;
  const { keyVersion, encrypt } = options;
  const { mac, name } = kept;
  const device = new SimulatedDevice({ seed: Buffer.from(kept.seed, 'hex'), mac, name, ownerPubkey });
  const drift = { fields: options.drift, from: startedAt };
  return new BlockSource(device, () => state.takeSeq(kept), { ownerSeed, keyVersion, encrypt, bootedAt, drift });
}

/** One run of all devices: the two phases and their times. */
class Run {
  readonly #options: SimulatorOptions;
  readonly #startedAt: number;
  readonly #print: (line: string) => void;
  readonly #stop: AbortController;
  readonly #periodMs: number;

  constructor(options: SimulatorOptions, startedAt: number, print: (line: string) => void, stop: AbortController) {
    this.#options = options;
    this.#startedAt = startedAt;
    this.#print = print;
    this.#stop = stop;
    this.#periodMs = options.intervalMs / options.speed;
  }

  /** Runs all devices concurrently. If one throws, it stops the others and then throws the same error. */
  async each<T>(feeds: readonly DeviceFeed[], work: (feed: DeviceFeed, index: number) => Promise<T>): Promise<T[]> {
    const running = feeds.map(async (feed, index) => {
      try {
        return await work(feed, index);
      } catch (error) {
        this.#stop.abort();
        throw error;
      }
    });
    await Promise.allSettled(running);
    return Promise.all(running);
  }

  async backfill(feed: DeviceFeed): Promise<boolean> {
    const { backfill, once, url } = this.#options;
    if (backfill === 0) return true;
    const patience = {
      retryMs: Math.min(this.#periodMs, MAX_RETRY_MS),
      maxFailures: once ? ONCE_MAX_FAILURES : Number.POSITIVE_INFINITY,
    };
    const isDone = await feed.backfill(this.#past(), patience, this.#stop.signal);
    const { id, name } = feed.source.device;
    this.#print(`${name}: device ${id}, ${feed.sent} past readings sent, ${feed.confirmed} confirmed`);
    this.#print(`  curl -s ${url}/v1/devices/${id}/telemetry`);
    return isDone;
  }

  /** Yields the moments of the backfill, oldest first, one interval apart; the last is now. */
  *#past(): Generator<Moment> {
    const { backfill, intervalMs } = this.#options;
    for (let age = backfill - 1; age >= 0; age -= 1) {
      const time = this.#startedAt - age * intervalMs;
      yield { measuredAt: time, datedAt: time };
    }
  }

  async live(feeds: readonly DeviceFeed[]): Promise<void> {
    this.#print(`live: a reading per device every ${Number(this.#periodMs.toPrecision(3)) / 1000} s; Ctrl-C stops`);
    const status = this.#status(feeds);
    await this.each(feeds, (feed, index) => this.#liveDevice(feed, index / feeds.length));
    await status;
  }

  /**
   * Runs one live device. `offset` (0 to below 1) is its place within a period, so that devices take turns. A missed
   * tick is left out.
   */
  async #liveDevice(feed: DeviceFeed, offset: number): Promise<void> {
    const { signal } = this.#stop;
    const began = performance.now() + offset * this.#periodMs;
    for (let tick = 1; ; ) {
      await pause(Math.max(0, began + tick * this.#periodMs - performance.now()), signal);
      if (signal.aborted) return;
      const now = Date.now();
      // The values follow the fast simulated time, but the date is the real one. Dates in the future would hide the
      // next run's readings from queries for the newest.
      const measuredAt = this.#startedAt + (now - this.#startedAt) * this.#options.speed;
      await feed.tick({ measuredAt, datedAt: now }, signal);
      tick = Math.max(tick + 1, Math.ceil((performance.now() - began) / this.#periodMs));
    }
  }

  async #status(feeds: readonly DeviceFeed[]): Promise<void> {
    const { signal } = this.#stop;
    for (let wait = STATUS_MS.first; ; wait = Math.min(2 * wait, STATUS_MS.last)) {
      await pause(wait, signal);
      if (signal.aborted) return;
      this.#print(`live: ${totals(feeds)}`);
    }
  }
}

function printSummary(feeds: readonly DeviceFeed[], print: (line: string) => void): void {
  for (const feed of feeds) print(`${shortId(feed.source.device.id)} ${feed.source.device.name}: ${totals([feed])}`);
}

function totals(feeds: readonly DeviceFeed[]): string {
  const sum = (count: (feed: DeviceFeed) => number) => feeds.reduce((total, feed) => total + count(feed), 0);
  const parts = [`${sum((feed) => feed.sent)} readings sent`, `${sum((feed) => feed.confirmed)} confirmed`];
  const waiting = sum((feed) => feed.waiting);
  const lost = sum((feed) => feed.lost);
  if (waiting > 0) parts.push(`${waiting} waiting`);
  if (lost > 0) parts.push(`${lost} lost`);
  return parts.join(', ');
}
