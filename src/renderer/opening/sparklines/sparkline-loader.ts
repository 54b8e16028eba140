import type { OwnerApi } from '../../../shared/owner-api/contract.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { openRange } from '../open-range.ts';
import type { OpenedStore } from '../opened-store.ts';

/**
 * The shortest time between two refreshes of a sparkline, in milliseconds. New readings hardly change the hourly means.
 */
const EVERY_MS = 60_000;
/** Readings may arrive late, so this much of the earlier time is read again, in milliseconds. */
const BACK_MS = 15 * 60_000;

type Device = Pick<DeviceSummary, 'id' | 'ownerPubkey' | 'newest' | 'sparkline' | 'clockNotSet' | 'lastReceivedAt'>;

interface Loaded {
  readonly at: number;
  readonly lastReceivedAt: number | null;
}

/** Returns whether any of a device's newest values is sealed. */
export function hasSealed(newest: DeviceSummary['newest']): boolean {
  return Object.values(newest).some((value) => value !== null && typeof value.value !== 'number');
}

/** Opens the last day of devices one after another, so that it delays nothing else. */
export class SparklineLoader {
  readonly #store: OpenedStore;
  readonly #api: Pick<OwnerApi, 'call'>;
  readonly #loaded = new Map<string, Loaded>();
  readonly #wanted = new Map<string, Device>();
  #controller = new AbortController();
  #isRunning = false;

  constructor(store: OpenedStore, api: Pick<OwnerApi, 'call'>) {
    this.#store = store;
    this.#api = api;
  }

  /** Opens the new readings of a device's last day. `now` is in Unix milliseconds of the node's clock. */
  want(device: Device, now: number): void {
    if (!hasSealed(device.newest)) return;
    const loaded = this.#loaded.get(device.id);
    if (loaded !== undefined && (loaded.lastReceivedAt === device.lastReceivedAt || now - loaded.at < EVERY_MS)) return;
    this.#wanted.set(device.id, device);
    if (!this.#isRunning) void this.#run(now);
  }

  /** Call it after a device's values were dropped: its last day is opened again. */
  forget(deviceId: string): void {
    this.#loaded.delete(deviceId);
  }

  /** Aborts the running load and forgets what was loaded. Call it after the keys changed. */
  reset(): void {
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#loaded.clear();
    this.#wanted.clear();
  }

  async #run(now: number): Promise<void> {
    this.#isRunning = true;
    for (;;) {
      const [next] = this.#wanted.values();
      if (next === undefined) break;
      this.#wanted.delete(next.id);
      await this.#load(next, now);
    }
    this.#isRunning = false;
  }

  async #load(device: Device, now: number): Promise<void> {
    const { signal } = this.#controller;
    const { startAt } = device.sparkline;
    const before = this.#loaded.get(device.id);
    this.#loaded.set(device.id, { at: now, lastReceivedAt: device.lastReceivedAt });
    const axis = device.clockNotSet ? 'received' : 'timestamp';
    const from = before === undefined ? startAt : Math.max(startAt, before.at - BACK_MS);
    try {
      await openRange({ device, axis, from, to: null }, this.#store, this.#api, signal, () => {});
    } catch {
      // The keys were locked, or the node did not answer. Components that show the device retry with its next reading.
      if (!signal.aborted) this.#loaded.delete(device.id);
    }
  }
}
