import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { FieldName } from '../../shared/protocol/fields.ts';
import type { ArrivalClock } from '../common/arrival-clock.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { HOUR_MS, type OutcomeCount, type Store, type WithheldCause, type WithheldCount } from '../store/port.ts';
import type { Refusal } from './rules.ts';
import type { UnregisteredDevices } from './unregistered-devices.ts';

/** How long a count may wait for the disk: what a power cut may take from the counts. */
const FLUSH_AFTER_MS = 1000;
/** Each device and cause is logged at most this often. */
const LOG_EVERY_MS = 60_000;
/** Strangers can make up ids; beyond these the rest is logged together. */
const MAX_LOGGED_KEYS = 1000;

/** What counters are made of. */
export interface CountersParts {
  readonly storeName: StoreName;
  readonly store: Pick<Store, 'addCounts'>;
  readonly clock: ArrivalClock;
  readonly unregistered: UnregisteredDevices;
  readonly events: NodeEvents;
  readonly log: Logger;
}

interface LogLine {
  readonly device: string;
  readonly cause: Refusal['cause'];
  blocks: number;
}

/**
 * Counts what was accepted without being kept, and what was refused: gathered in memory, written to the store within a
 * second, refusals logged in aggregate. Counts are no confirmation, so they wait for no disk.
 */
export class Counters {
  readonly #parts: CountersParts;
  #withheld = new Map<string, WithheldCount>();
  #outcomes = new Map<string, OutcomeCount>();
  #refused = new Map<string, LogLine>();
  #flushTimer: NodeJS.Timeout | null = null;
  readonly #logTimer: NodeJS.Timeout;

  constructor(parts: CountersParts) {
    this.#parts = parts;
    this.#logTimer = setInterval(() => this.#writeLog(), LOG_EVERY_MS).unref();
  }

  /** To be called when the list of unregistered devices changed. */
  unregisteredChanged(): void {
    this.#planFlush();
  }

  /** Counts a value (or, where the field is null, a block) that was accepted and not kept. */
  countWithheld(deviceId: string, cause: WithheldCause, field: FieldName | null): void {
    const key = `${deviceId} ${cause} ${field}`;
    const now = this.#parts.clock.now();
    const known = this.#withheld.get(key);
    this.#withheld.set(key, {
      deviceId,
      cause,
      field,
      count: (known?.count ?? 0) + 1,
      firstAt: known?.firstAt ?? now,
      lastAt: now,
    });
    this.#planFlush();
  }

  /** Counts readings that were stored. */
  countStored(count: number): void {
    this.#countOutcome('stored', count);
  }

  /** Counts a refused block; the id is empty where the block names no well-formed one. */
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
    this.#planFlush();
  }

  /** Writes everything that is pending; called last before the store closes. */
  async close(): Promise<void> {
    clearInterval(this.#logTimer);
    this.#writeLog();
    await this.#flush();
    if (this.#flushTimer !== null) clearTimeout(this.#flushTimer);
    this.#flushTimer = null;
  }

  #countOutcome(outcome: string, added: number): void {
    const hour = Math.floor(this.#parts.clock.now() / HOUR_MS);
    const key = `${hour} ${outcome}`;
    const count = (this.#outcomes.get(key)?.count ?? 0) + added;
    this.#outcomes.set(key, { hour, outcome, count });
    this.#planFlush();
  }

  #planFlush(): void {
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = null;
      void this.#flush();
    }, FLUSH_AFTER_MS).unref();
  }

  async #flush(): Promise<void> {
    const withheld = [...this.#withheld.values()];
    const outcomes = [...this.#outcomes.values()];
    const { storeName, store, events, log } = this.#parts;
    const unregistered = this.#parts.unregistered.takeChanged();
    if (withheld.length === 0 && outcomes.length === 0 && unregistered === null) return;
    this.#withheld = new Map();
    this.#outcomes = new Map();
    try {
      await store.addCounts({ withheld, outcomes, unregistered });
      if (outcomes.length > 0 || unregistered !== null) events.emit('countsWritten', () => ({ store: storeName }));
    } catch (error) {
      // The store refuses writes for now: the counts are lost, the readings they speak of were answered already.
      log.debug({ err: error }, 'counts not written');
    }
  }

  #writeLog(): void {
    for (const { device, cause, blocks } of this.#refused.values()) {
      this.#parts.log.warn({ device, cause, blocks }, 'blocks refused');
    }
    this.#refused = new Map();
  }
}
