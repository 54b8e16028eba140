import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { COMPACT_ROOM_FACTOR } from '../../../shared/owner-api/limits.ts';
import type { Retention as Rules } from '../../../shared/owner-api/retention.ts';
import type { CareState } from '../../../shared/owner-api/space.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { NodeEvents } from '../../common/node-events.ts';
import { OwnerError } from '../../common/owner-error.ts';
import type { StoreLocations } from '../../store/engine.ts';
import { engineOf, readStores } from '../../store/engines.ts';
import type { Store } from '../../store/port.ts';
import { retentionOf, type ToDelete, toDelete } from './retention-rules.ts';

/** Bounds the delay that one step causes to arriving readings, to some milliseconds. */
const READINGS_AT_ONCE = 300;
const PAUSE_MS = 20;
/**
 * The pauses of a run, in which sums of old readings are computed: this happens while nothing is written, and an import
 * brings many.
 */
const SUMS_PAUSE_MS = 10_000;
/** A run ends after this time without a deletion; the next run continues. */
const SUMS_PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 3_600_000;
const RUN_EVERY_MS = 20 * LOOK_EVERY_MS;

export interface RetentionDependencies {
  /** Called at each run: the public store may be opened later. */
  readonly store: (name: StoreName) => Store | null;
  readonly locations: () => StoreLocations;
  readonly clock: { now(): number; readonly isSteady: boolean };
  readonly events: NodeEvents;
  readonly log: Logger;
}

/**
 * Deletes readings that are older than the owner's limit, once a day, in small steps next to ingestion; a part of the
 * node. The daily run waits until the clock is known to be right or was steady for an hour, so that a wrong date that is
 * corrected within that time deletes nothing. A clock that stays wrong is not detected. The owner's own order does not
 * wait: the page has shown how many readings it deletes.
 */
export class Retention {
  readonly name = 'retention';
  readonly #dependencies: RetentionDependencies;
  #timer: NodeJS.Timeout | null = null;
  #endClock = () => {};
  #run: Promise<void> | null = null;
  #isStopping = false;
  /** The changes of the rules that are being saved. A run ends as soon as there is one. */
  #changes = 0;
  #ranAt = Number.NEGATIVE_INFINITY;
  #deleted = 0;
  #lastDeletion: CareState['lastDeletion'] = null;
  #compacting: StoreName | null = null;

  constructor(dependencies: RetentionDependencies) {
    this.#dependencies = dependencies;
  }

  get state(): CareState {
    return {
      deleting: this.#run === null ? null : { readings: this.#deleted },
      lastDeletion: this.#lastDeletion,
      compacting: this.#compacting,
    };
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    this.#endClock = this.#dependencies.events.on('clockChanged', () => this.#look());
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#endClock();
    await this.#run;
  }

  /**
   * Saves the owner's rules and starts a run with them. A current run deletes nothing more while they are saved; if that
   * fails, the next look continues it. Rejects with StorageUnavailable.
   */
  async set(rules: Rules): Promise<void> {
    this.#changes += 1;
    try {
      await this.#dependencies.store('private')!.setChoice('retention', rules, this.#dependencies.clock.now());
      this.#dependencies.events.emit('chosen', () => ({ names: ['retention'] }));
      await this.#run;
    } finally {
      this.#changes -= 1;
    }
    if (!this.#isOutdated) this.#begin();
  }

  /** Deletes by the rules at once; returns the number of readings. For a folder without a running node. */
  async runNow(): Promise<number> {
    this.#deleted = 0;
    await this.#deleteAll();
    return this.#deleted;
  }

  /** Returns the unused bytes of a store to the disk. Rejects with OwnerError `conflict` and StorageUnavailable. */
  async compact(name: StoreName): Promise<{ readonly before: number; readonly after: number }> {
    const store = this.#dependencies.store(name);
    const location = this.#dependencies.locations()[name];
    if (store === null || location === null) throw new OwnerError('not_found', 'there is no such store');
    if (store.compact === undefined) throw new OwnerError('conflict', 'this store needs no compacting');
    if (this.#compacting !== null) throw new OwnerError('conflict', 'a store is being compacted already');
    const { bytes: before, room } = await engineOf(location).usage(location);
    const needed = Math.ceil(before * COMPACT_ROOM_FACTOR);
    if (room !== null && room.freeBytes < needed) {
      throw new OwnerError('conflict', `compacting needs ${needed} bytes of free room, and ${room.freeBytes} are free`);
    }
    this.#compacting = name;
    try {
      await store.compact();
    } finally {
      this.#compacting = null;
    }
    return { before, after: (await engineOf(location).usage(location)).bytes };
  }

  get #isOutdated(): boolean {
    return this.#changes > 0;
  }

  #look(): void {
    if (this.#dependencies.clock.isSteady && performance.now() - this.#ranAt >= RUN_EVERY_MS) this.#begin();
  }

  #begin(): void {
    if (this.#run !== null || this.#isStopping) return;
    this.#deleted = 0;
    this.#run = this.#deleteAll()
      .then(
        () => {
          if (this.#isStopping || this.#isOutdated) return;
          this.#ranAt = performance.now();
          if (this.#deleted > 0)
            this.#dependencies.log.info({ readings: this.#deleted }, 'retention deleted old readings');
          this.#lastDeletion = { at: this.#dependencies.clock.now(), readings: this.#deleted };
        },
        // The store may be full or locked; the next check tries again.
        (error: unknown) => this.#dependencies.log.warn({ err: error }, 'retention could not delete old readings'),
      )
      .finally(() => {
        this.#run = null;
      });
  }

  async #deleteAll(): Promise<void> {
    let left = await this.#whatToDelete();
    for (let idleSince = performance.now(); left.length > 0; await this.#waitForSums()) {
      const deleted = this.#deleted;
      const waiting: ToDelete[] = [];
      for (const each of left) {
        if (await this.#deleteOf(each)) waiting.push(each);
        if (this.#isStopping || this.#isOutdated) return;
      }
      if (this.#deleted > deleted) idleSince = performance.now();
      if (waiting.length === 0 || performance.now() - idleSince > SUMS_PATIENCE_MS) return;
      left = waiting;
    }
  }

  async #waitForSums(): Promise<void> {
    const until = performance.now() + SUMS_PAUSE_MS;
    while (performance.now() < until && !this.#isStopping && !this.#isOutdated) await delay(PAUSE_MS);
  }

  /** Deletes readings of one device; resolves with true if some of them wait for their sums. */
  async #deleteOf(each: ToDelete): Promise<boolean> {
    const store = this.#dependencies.store(each.store);
    if (store === null) return false;
    let isWaiting = false;
    for (let isDone = false; !isDone; ) {
      const step = await store.prune(each.id, each.before, READINGS_AT_ONCE);
      ({ isDone, isWaiting } = step);
      if (await this.#isToStop(each, step.readings)) return false;
    }
    for (let after: bigint | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const step = await store.pruneStrays(each.id, each.before, after, READINGS_AT_ONCE);
      after = step.next;
      if (await this.#isToStop(each, step.readings)) return false;
    }
    return isWaiting;
  }

  async #whatToDelete(): Promise<ToDelete[]> {
    return readStores(this.#dependencies.locations(), async (stores) =>
      toDelete(await retentionOf(stores), await stores.devices(), this.#dependencies.clock.now()),
    );
  }

  /** Emits the event of a step, pauses, and returns whether the run must stop. */
  async #isToStop({ store, id }: ToDelete, readings: number): Promise<boolean> {
    if (readings > 0) {
      this.#deleted += readings;
      this.#dependencies.events.emit('readingsDeleted', () => ({ store, deviceId: id }));
      await delay(PAUSE_MS);
    }
    return this.#isStopping || this.#isOutdated;
  }
}
