import { type RefusedDevice, RefusedDevices } from '../../intake/refused-devices.ts';

/**
 * The number of readings that a device may send at once: a device that had no network for months sends its buffer in
 * such a burst.
 */
const BURST = 5000;
/**
 * More devices than a home has. The device with the oldest reading is dropped first, and then has a full burst again.
 */
const MAX_DEVICES = 10_000;

interface Device {
  /** The number of readings that the device may still send. Below 0 if batches overlapped. */
  left: number;
  refilledAt: number;
}

export interface DeviceBudgetsDependencies {
  /** Readings per second; 0 means no limit. */
  readonly perSecond: number;
  /** Milliseconds of a monotonic clock. */
  readonly steady?: () => number;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Called when a further device is refused. */
  readonly onOver: () => void;
}

/**
 * Limits the new readings of each device: a rate per second, with a burst. Only stored readings count. They have the
 * device's own signature, so nobody else can use up its budget, and repeated readings cost nothing.
 */
export class DeviceBudgets {
  perSecond: number;
  readonly #steady: () => number;
  /** In order of use. */
  readonly #devices = new Map<string, Device>();
  readonly #refused: RefusedDevices;

  constructor(dependencies: DeviceBudgetsDependencies) {
    this.#refused = new RefusedDevices(dependencies.now, dependencies.onOver);
    this.perSecond = dependencies.perSecond;
    this.#steady = dependencies.steady ?? (() => performance.now());
  }

  /** The devices that were refused within the last day, latest last. */
  get over(): readonly RefusedDevice[] {
    return this.#refused.list;
  }

  /** Returns those of `ids` that may not send now, each with the seconds until it may, and records them as refused. */
  waits(ids: Iterable<string>): Map<string, number> {
    const waits = new Map<string, number>();
    if (this.perSecond === 0) return waits;
    for (const id of ids) {
      const device = this.#devices.get(id);
      if (device === undefined || this.#refill(device) >= 1) continue;
      waits.set(id, Math.ceil((1 - device.left) / this.perSecond));
      this.#refused.note(id);
    }
    return waits;
  }

  /** Call this for each reading of a device that was stored. */
  take(id: string): void {
    if (this.perSecond === 0) return;
    const device = this.#devices.get(id) ?? { left: BURST, refilledAt: this.#steady() };
    this.#refill(device);
    device.left -= 1;
    this.#devices.delete(id);
    this.#devices.set(id, device);
    const oldest = this.#devices.size > MAX_DEVICES ? this.#devices.keys().next() : null;
    if (oldest !== null && !oldest.done) this.#devices.delete(oldest.value);
  }

  #refill(device: Device): number {
    const now = this.#steady();
    device.left = Math.min(BURST, device.left + ((now - device.refilledAt) / 1000) * this.perSecond);
    device.refilledAt = now;
    return device.left;
  }
}
