import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { SharedStore } from '../bridge/shared-store.ts';
import type { Clock } from '../common/clock.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { VERSION } from '../common/version.ts';
import { SharedLog } from '../proof/shared-log.ts';
import { engineOf } from '../store/engines.ts';
import type { PostedCount } from '../store/operator.ts';
import type { Store } from '../store/port.ts';
import type { Intakes } from './intakes.ts';
import type { NodeFolder } from './node-folder.ts';
import type { Part } from './part.ts';
import type { Stores } from './stores.ts';

const BEAT_MS = 15_000;
/** Counts of devices are written after this many beats, since each device is a row of a statement. */
const BEATS_PER_FLUSH = 4;
const DEVICES_PER_STATEMENT = 5000;
/**
 * The limit of devices with pending counts: if the database is unavailable for long, further counts are not worth the
 * memory.
 */
const MAX_DEVICES = 200_000;
const DAY_MS = 24 * 3_600_000;

export interface SharedReportDependencies {
  readonly store: () => Store | null;
  readonly events: NodeEvents;
  readonly log: Logger;
  readonly now: () => number;
  readonly url: () => string | null;
  /** Blocks that wait for a thread or the database. */
  readonly waitingBlocks: () => number;
}

/**
 * Reports to a shared store that this node runs, and the number of readings of each device; for the operator. Counts
 * that are not reported yet are lost if the node is killed.
 */
export class SharedReport implements Part {
  readonly name = 'report to the shared store';
  readonly #dependencies: SharedReportDependencies;
  readonly #posted = new Map<string, { readings: number; lastAt: number }>();
  #day = 0;
  #startedAt = 0;
  #timer: NodeJS.Timeout | null = null;
  #run: Promise<void> = Promise.resolve();
  #beats = 0;
  #endCounting = () => {};

  constructor(dependencies: SharedReportDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    const { store, events, now } = this.#dependencies;
    this.#startedAt = now();
    this.#day = Math.floor(now() / DAY_MS);
    this.#endCounting = events.on('stored', ({ store: name, readings }) => {
      if (name === 'public' && store()?.shared !== undefined)
        for (const { deviceId, receivedAt } of readings) this.#count(deviceId, receivedAt);
    });
    // By then, the listeners that start after this part have their addresses.
    this.#timer = setInterval(() => this.#look(), BEAT_MS).unref();
    setTimeout(() => this.#look(), 1000).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    this.#endCounting();
    await this.#run;
    try {
      await this.#flush();
      await this.#dependencies.store()?.shared?.ended();
    } catch {
      // The database is unavailable, and drops this node after a timeout.
    }
  }

  #count(deviceId: string, receivedAt: number): void {
    const known = this.#posted.get(deviceId);
    if (known !== undefined) {
      known.readings += 1;
      known.lastAt = Math.max(known.lastAt, receivedAt);
    } else if (this.#posted.size < MAX_DEVICES) this.#posted.set(deviceId, { readings: 1, lastAt: receivedAt });
  }

  #look(): void {
    this.#run = this.#run.then(async () => {
      if (this.#timer === null) return;
      try {
        await this.#beat();
        this.#beats += 1;
        const day = Math.floor(this.#dependencies.now() / DAY_MS);
        if (day !== this.#day || this.#beats % BEATS_PER_FLUSH === 0) await this.#flush();
        this.#day = day;
      } catch (error) {
        this.#dependencies.log.debug({ err: error }, 'the report to the shared store failed');
      }
    });
  }

  async #beat(): Promise<void> {
    const { store, url, waitingBlocks } = this.#dependencies;
    const shared = store()?.shared;
    await shared?.beat({
      ...{ host: hostname(), version: VERSION, url: url(), startedAt: this.#startedAt },
      ...{ rssBytes: process.memoryUsage.rss(), waitingBlocks: waitingBlocks(), connections: shared.connections() },
    });
  }

  async #flush(): Promise<void> {
    const shared = this.#dependencies.store()?.shared;
    while (shared !== undefined && this.#posted.size > 0) {
      const some = [...this.#posted].slice(0, DEVICES_PER_STATEMENT);
      for (const [id] of some) this.#posted.delete(id);
      const counts = some.map(([deviceId, told]): PostedCount => ({ deviceId, day: this.#day, ...told }));
      await shared.addPosted(counts);
    }
  }
}

/** Returns the report of a node. */
export function sharedReportOf(
  parts: { readonly stores: Stores; readonly intakes: Intakes } & Pick<
    SharedReportDependencies,
    'events' | 'log' | 'url'
  > & {
      readonly clock: { now(): number };
    },
): SharedReport {
  const { stores, intakes, events, log, url, clock } = parts;
  return new SharedReport({
    ...{ store: () => stores.find('public'), events, log, url, now: () => clock.now() },
    waitingBlocks: () => waitingBlocks(intakes),
  });
}

/** Returns the shared store of a node, for metrics and the operator's page. */
export function sharedStoreOf({
  folder,
  stores,
  intakes,
}: {
  readonly folder: NodeFolder;
  readonly stores: Stores;
  readonly intakes: Intakes;
}): SharedStore {
  const location = folder.locations.public;
  return new SharedStore({
    open: () => engineOf(location).openOperator!(location),
    connections: () => stores.find('public')?.shared?.connections() ?? null,
    waitingBlocks: () => waitingBlocks(intakes),
  });
}

/** Returns the log of a node's shared store. */
export function sharedLogOf({
  folder,
  stores,
  clock,
  log,
}: {
  readonly folder: NodeFolder;
  readonly stores: Stores;
  readonly clock: Clock;
  readonly log: Logger;
}): SharedLog {
  const location = folder.locations.public;
  return new SharedLog({
    ...{ dataDir: () => folder.path, store: () => stores.find('public'), clock, log },
    openLog: () => engineOf(location).openLog!(location),
  });
}

/** Returns the blocks in progress. All intakes of a node share one load. */
function waitingBlocks(intakes: Intakes): number {
  return intakes.all[0]?.load.waiting ?? 0;
}
