import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import type { NodeEvents } from '../common/node-events.ts';
import type { MovedTo } from '../store/arrival-move.ts';
import type { Store } from '../store/port.ts';
import type { Shift } from './clock-file.ts';

/** Bounds the delay that one step causes to arriving readings, to some milliseconds. */
const READINGS_AT_ONCE = 300;
const PAUSE_MS = 20;
/** The delay before another attempt at a store that refuses writes. */
const RETRY_MS = 60_000;
const STORES: readonly StoreName[] = ['private', 'public'];

export interface ArrivalMovesDependencies {
  readonly clock: { readonly shifts: readonly Shift[] };
  /** Called at each move: the public store may be opened later. */
  readonly store: (name: StoreName) => Store | null;
  readonly events: NodeEvents;
  readonly log: Logger;
}

/**
 * Corrects the arrival times of a wrong clock in all stores; a part of the node. Each run requests all moves of this
 * boot in order; a store skips those that it has done.
 */
export class ArrivalMoves {
  readonly name = 'arrival moves';
  readonly #dependencies: ArrivalMovesDependencies;
  readonly #runs = new SerialQueue();
  #ends: (() => void)[] = [];
  #retry: NodeJS.Timeout | null = null;
  #isStopping = false;

  constructor(dependencies: ArrivalMovesDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    const { events } = this.#dependencies;
    this.#ends = [events.on('clockMoved', () => this.#begin()), events.on('storeOpened', () => this.#begin())];
    this.#begin();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const end of this.#ends.splice(0)) end();
    if (this.#retry !== null) clearTimeout(this.#retry);
    await this.#runs.settled();
  }

  #begin(): void {
    void this.#runs.run(async () => {
      for (const name of STORES) await this.#moveOrRetry(name);
    });
  }

  /** Never rejects: a store that refuses writes must not keep the other one from being corrected. */
  async #moveOrRetry(name: StoreName): Promise<void> {
    try {
      await this.#moveAll(name);
    } catch (error) {
      // The disk or the store may be full.
      this.#dependencies.log.warn({ err: error, store: name }, 'times of arrival could not be moved');
      if (this.#isStopping) return;
      if (this.#retry !== null) clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#begin(), RETRY_MS).unref();
    }
  }

  async #moveAll(name: StoreName): Promise<void> {
    const { clock, store: find, events, log } = this.#dependencies;
    for (const shift of clock.shifts) {
      const store = find(name);
      if (store === null) return;
      const moved = new Set<string>();
      for (let after: MovedTo | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
        if (this.#isStopping) return;
        const { devices, next } = await store.moveArrivals(shift, after, READINGS_AT_ONCE);
        after = next;
        for (const id of devices) moved.add(id);
        for (const deviceId of devices) events.emit('arrivalsMoved', () => ({ store: name, deviceId }));
        if (after !== null) await delay(PAUSE_MS);
      }
      if (this.#isStopping) return;
      events.emit('timesMoved', () => ({ store: name }));
      if (moved.size > 0) log.info({ store: name, devices: moved.size, byMs: shift.by }, 'times of arrival were moved');
    }
  }
}
