import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { FieldName } from '../../shared/protocol/fields.ts';
import type { ArrivalClock } from '../common/clock.ts';
import type { NodeEvents } from '../common/node-events.ts';
import type { Counts, WithheldCause } from '../store/counts.ts';
import type { Store } from '../store/port.ts';
import { PendingCounts } from './pending-counts.ts';
import type { Refusal } from './rules.ts';
import type { UnregisteredDevices } from './unregistered-devices.ts';

/**
 * Counts wait `KEEP_MS` in memory, then up to `RIDE_MS` for a reading that they are written with. A power cut loses at
 * most the counts of both together.
 */
const KEEP_MS = 45_000;
const RIDE_MS = 15_000;
/** The delay of the `countsChanged` event. */
const TELL_AFTER_MS = 1000;
/** Each pair of device and cause is logged at most this often. */
const LOG_EVERY_MS = 60_000;
/** Strangers can invent ids. Beyond this number of keys, refusals are logged together. */
const MAX_LOGGED_KEYS = 1000;

export interface CountersDependencies {
  readonly storeName: StoreName;
  readonly store: Pick<Store, 'addCounts'>;
  readonly clock: ArrivalClock;
  readonly unregistered: Pick<UnregisteredDevices, 'takeChanged' | 'keepChanged'>;
  readonly events: NodeEvents;
  readonly log: Logger;
}

interface LogLine {
  readonly device: string;
  readonly cause: Refusal['cause'];
  blocks: number;
}

/**
 * Counts accepted values that are not kept, and blocks by outcome. Counts are gathered in memory and written to the
 * store within a minute, with a reading if one comes; refusals are logged in aggregate. Counts confirm nothing to a
 * device, so they need no sync of their own: it would double the wear of a memory card.
 */
export class Counters {
  readonly #dependencies: CountersDependencies;
  #pending = new PendingCounts();
  /** The counts that are being written to the store. */
  #sent: readonly Omit<Counts, 'unregistered'>[] = [];
  #refused = new Map<string, LogLine>();
  #flushTimer: NodeJS.Timeout | null = null;
  #tellTimer: NodeJS.Timeout | null = null;
  readonly #logTimer: NodeJS.Timeout;

  constructor(dependencies: CountersDependencies) {
    this.#dependencies = dependencies;
    this.#logTimer = setInterval(() => this.#writeLog(), LOG_EVERY_MS).unref();
  }

  /** Call this when the list of unregistered devices changed. */
  unregisteredChanged(): void {
    this.#changed();
  }

  /** Counts a value, or a whole block if `field` is null, that was accepted and not kept. */
  countWithheld(deviceId: string, cause: WithheldCause, field: FieldName | null): void {
    this.#pending.addWithheld(deviceId, cause, field, this.#dependencies.clock.now());
    this.#changed();
  }

  /** Counts readings that were stored. */
  countStored(count: number): void {
    this.#countOutcome('stored', count);
  }

  /** Counts a refused block. `deviceId` is empty if the block has no well-formed device id. */
  countRefused(deviceId: string, cause: Refusal['cause']): void {
    this.#countOutcome(cause, 1);
    const known = `${deviceId} ${cause}`;
    const key = this.#refused.has(known) || this.#refused.size < MAX_LOGGED_KEYS ? known : ` ${cause}`;
    const line = this.#refused.get(key);
    if (line !== undefined) line.blocks += 1;
    else {
      const device = key === known && deviceId !== '' ? deviceId : 'various';
      this.#refused.set(key, { device, cause, blocks: 1 });
    }
  }

  /** Call this when the node's time was corrected. The store moves the times of the counts that it has by then. */
  timesMoved(): void {
    void this.#flush();
  }

  /** The counts that the store does not have yet. */
  get pending(): Omit<Counts, 'unregistered'> {
    const all = new PendingCounts();
    for (const counts of [...this.#sent, this.#pending.counts]) all.addAll(counts);
    return all.counts;
  }

  /** Writes everything that is pending. Call it last, before the store closes. */
  async close(): Promise<void> {
    clearInterval(this.#logTimer);
    this.#writeLog();
    for (const timer of [this.#flushTimer, this.#tellTimer]) clearTimeout(timer ?? undefined);
    await this.#flush();
  }

  #countOutcome(outcome: string, added: number): void {
    this.#pending.addOutcome(outcome, added, this.#dependencies.clock.now());
    this.#changed();
  }

  #changed(): void {
    this.#tellTimer ??= setTimeout(() => {
      this.#tellTimer = null;
      this.#tell();
    }, TELL_AFTER_MS).unref();
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = null;
      void this.#flush(RIDE_MS);
    }, KEEP_MS).unref();
  }

  #tell(): void {
    this.#dependencies.events.emit('countsChanged', () => ({ store: this.#dependencies.storeName }));
  }

  /** Writes the pending counts. If the write fails, they go with the next one. */
  async #flush(rideMs?: number): Promise<void> {
    const { store, log } = this.#dependencies;
    const unregistered = this.#dependencies.unregistered.takeChanged();
    const counts = this.#pending.counts;
    if (this.#pending.isEmpty && unregistered === null && this.#sent.length === 0) return;
    this.#pending = new PendingCounts();
    this.#sent = [...this.#sent, counts];
    let isWritten = false;
    try {
      await store.addCounts({ ...counts, unregistered }, rideMs);
      isWritten = true;
    } catch (error) {
      log.debug({ err: error }, 'counts not written');
    }
    this.#sent = this.#sent.filter((each) => each !== counts);
    if (isWritten) return;
    // The store refuses writes now, so the counts go with the next write.
    this.#pending.addAll(counts);
    if (unregistered !== null) this.#dependencies.unregistered.keepChanged();
  }

  #writeLog(): void {
    for (const { device, cause, blocks } of this.#refused.values()) {
      this.#dependencies.log.warn({ device, cause, blocks }, 'blocks refused');
    }
    this.#refused = new Map();
  }
}
