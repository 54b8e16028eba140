import type { StoreRefusal } from '../common/node-events.ts';
import { RefusedDevices } from './refused-devices.ts';
import type { StoreBudget } from './store-budget.ts';

/** The part of the public store that is reserved for the owner's devices. */
const KEPT_PART = 0.2;
/**
 * A check costs microseconds. It is so frequent that little can arrive between two checks compared with the reserved
 * part.
 */
const LOOK_EVERY_MS = 20;

export interface PublicShareDependencies {
  /** Returns the present size of the store in bytes. */
  readonly bytes: () => Promise<number>;
  /** The largest allowed size of the store in bytes. */
  readonly maxBytes: number;
  /** The part that is reserved for the owner's devices, between 0 and 1; a fifth by default. */
  readonly keptPart?: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Called when a further device is refused. */
  readonly onRefused: () => void;
  /**
   * Called when strangers' devices begin to be refused, with the reason, and with null when they are accepted again.
   */
  readonly onState: (refusal: StoreRefusal | null) => void;
}

/**
 * Reserves a fifth of the public store for the devices that the owner claimed. It does not read the owner's data:
 * `claim` passes the devices.
 */
export class PublicShare implements StoreBudget {
  readonly #dependencies: PublicShareDependencies;
  readonly #told: RefusedDevices;
  readonly #mostBytes: number;
  #claimed: ReadonlySet<string> = new Set();
  #isFull = false;
  #isLooking = false;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(dependencies: PublicShareDependencies) {
    this.#dependencies = dependencies;
    this.#mostBytes = Math.floor(dependencies.maxBytes * (1 - (dependencies.keptPart ?? KEPT_PART)));
    this.#told = new RefusedDevices(dependencies.now, dependencies.onRefused);
  }

  get refused() {
    return this.#told.list;
  }

  /** The reason why strangers' devices are refused now; null if they are accepted. */
  get refusal(): StoreRefusal | null {
    if (!this.#isFull) return null;
    return { code: 'limit', message: `the rest of the store is kept for the owner's devices` };
  }

  /** Replaces the set of devices that the owner claimed. */
  claim(deviceIds: Iterable<string>): void {
    this.#claimed = new Set(deviceIds);
  }

  isOver(deviceId: string): boolean {
    if (!this.#isFull) return false;
    this.#lookSoon();
    return !this.#claimed.has(deviceId);
  }

  note(deviceId: string): void {
    this.#told.note(deviceId);
  }

  stored(): void {
    this.#lookSoon();
  }

  registered(): void {
    void this.look();
  }

  close(): void {}

  /** Checks the store's size. Readings trigger it, too. Never rejects. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#lookedAt = performance.now();
    try {
      const wasFull = this.#isFull;
      this.#isFull = (await this.#dependencies.bytes()) >= this.#mostBytes;
      if (this.#isFull !== wasFull) this.#dependencies.onState(this.refusal);
    } catch {
      // A store that can't be read refuses blocks by itself.
    } finally {
      this.#isLooking = false;
    }
  }

  #lookSoon(): void {
    if (performance.now() - this.#lookedAt >= LOOK_EVERY_MS) void this.look();
  }
}
