import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { RegisteredDevice, Store } from '../../store/port.ts';

/** One step of this size takes some milliseconds of the database. */
const READINGS_AT_ONCE = 300;
const DEVICES_AT_ONCE = 100;
const PAUSE_MS = 20;
const DAY_MS = 24 * 3_600_000;
const LOOK_EVERY_MS = 3_600_000;
const RUN_EVERY_MS = 20 * LOOK_EVERY_MS;
/** Another node takes over this long after a node has disappeared. */
const LEASE_MS = 60_000;
const RENEW_AFTER_MS = 20_000;
const LEASE = 'retention';

export interface SharedRetentionDependencies {
  readonly store: () => Store | null;
  /** The number of days that readings are kept; 0 means for ever. */
  readonly keepDays: number;
  readonly clock: { now(): number; readonly isSteady: boolean };
  readonly log: Logger;
}

/**
 * Deletes old readings of a shared store, once a day by one of the nodes, in small steps; a part of the node. Like the
 * owner's retention, it waits for a clock that is right or was steady for an hour.
 */
export class SharedRetention {
  readonly name = 'retention of the shared store';
  readonly #dependencies: SharedRetentionDependencies;
  #timer: NodeJS.Timeout | null = null;
  #run: Promise<void> | null = null;
  #isStopping = false;
  #leasedAt = Number.NEGATIVE_INFINITY;
  /** When this node finished a run, by performance.now(). A lease keeps only other nodes from the next one. */
  #ranAt = Number.NEGATIVE_INFINITY;

  constructor(dependencies: SharedRetentionDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    if (this.#dependencies.keepDays > 0) this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#run;
  }

  /** Deletes old readings unless another node does so or did within 20 hours; returns the number of readings. */
  async runNow(): Promise<number> {
    const store = this.#dependencies.store();
    if (store?.shared === undefined) return 0;
    const before = this.#dependencies.clock.now() - this.#dependencies.keepDays * DAY_MS;
    let deleted = 0;
    for (let after: string | null = null; ; ) {
      const devices: readonly RegisteredDevice[] | null = (await this.#mayGoOn(store))
        ? await store.devices({ after, limit: DEVICES_AT_ONCE })
        : null;
      if (devices === null) return deleted;
      for (const { id } of devices) {
        for (let isDone = false; !isDone; ) {
          if (!(await this.#mayGoOn(store))) return deleted;
          const pruned = await store.prune(id, before, READINGS_AT_ONCE);
          deleted += pruned.readings;
          isDone = pruned.isDone;
          if (pruned.readings > 0) await delay(PAUSE_MS);
        }
      }
      if (devices.length < DEVICES_AT_ONCE) break;
      after = devices.at(-1)!.id;
    }
    await store.shared.lease(LEASE, RUN_EVERY_MS);
    this.#ranAt = performance.now();
    return deleted;
  }

  #look(): void {
    if (this.#run !== null || this.#isStopping || !this.#dependencies.clock.isSteady) return;
    if (performance.now() - this.#ranAt < RUN_EVERY_MS) return;
    const { log } = this.#dependencies;
    this.#run = this.runNow()
      .then(
        (readings) => {
          if (readings > 0) log.info({ readings }, 'retention deleted old readings of the public store');
        },
        (error: unknown) => log.warn({ err: error }, 'retention could not delete old readings of the public store'),
      )
      .finally(() => {
        this.#run = null;
      });
  }

  async #mayGoOn(store: Store): Promise<boolean> {
    if (this.#isStopping) return false;
    if (performance.now() - this.#leasedAt < RENEW_AFTER_MS) return true;
    const isMine = await store.shared!.lease(LEASE, LEASE_MS);
    this.#leasedAt = isMine ? performance.now() : Number.NEGATIVE_INFINITY;
    return isMine;
  }
}
