import { type RefusedDevice, RefusedDevices } from '../../intake/refused-devices.ts';

/** How much a device may send at once: the buffers of months without a network come in such bursts. */
const BURST = 5000;
/** More devices than a home has; the one that sent longest ago is forgotten first, and then has a full burst again. */
const MAX_DEVICES = 10_000;

interface Device {
  /** How many readings it may still send; below 0 where its batches crossed. */
  left: number;
  refilledAt: number;
}

export interface DeviceBudgetsDependencies {
  /** Readings a second; 0: no limit. */
  readonly perSecond: number;
  /** Milliseconds of a clock that nobody sets. */
  readonly steady?: () => number;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Called where another device was refused. */
  readonly onOver: () => void;
}

/**
 * How many new readings each device may send: so many a second, with a burst. Only readings that were stored count: their
 * signature is the device's own, so nobody else can use up its budget, and what it sends again costs nothing.
 */
export class DeviceBudgets {
  perSecond: number;
  readonly #steady: () => number;
  /** In the order of use. */
  readonly #devices = new Map<string, Device>();
  readonly #refused: RefusedDevices;

  constructor(dependencies: DeviceBudgetsDependencies) {
    this.#refused = new RefusedDevices(dependencies.now, dependencies.onOver);
    this.perSecond = dependencies.perSecond;
    this.#steady = dependencies.steady ?? (() => performance.now());
  }

  /** The devices that were refused within a day, the latest last. */
  get over(): readonly RefusedDevice[] {
    return this.#refused.list;
  }

  /**
   * Returns the devices among these that may not send now, each with the seconds until it may, and notes them as
   * refused.
   */
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
