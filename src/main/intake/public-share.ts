import type { StoreRefusal } from '../common/node-events.ts';
import { RefusedDevices } from './refused-devices.ts';
import type { StoreBudget } from './store-budget.ts';

/** The part of the public store that is kept for the owner's devices. */
const KEPT_PART = 0.2;
/** A look costs microseconds: so often that what comes between two looks is small beside what is kept. */
const LOOK_EVERY_MS = 20;

export interface PublicShareDependencies {
  /** The bytes that the store takes. */
  readonly bytes: () => Promise<number>;
  /** The bytes that it may take. */
  readonly maxBytes: number;
  /** The part of it that is kept for the owner's devices; a fifth where nothing is said. */
  readonly keptPart?: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Called where another device was refused. */
  readonly onRefused: () => void;
  /** Called with the reason why strangers are refused from now on; null if they are not any more. */
  readonly onState: (refusal: StoreRefusal | null) => void;
}

/**
 * Keeps a fifth of the public store for the devices that the owner claimed. It reads nothing of the owner's: which devices
 * these are is told to it.
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

  /** Why a stranger's device is refused now; null: it is not. */
  get refusal(): StoreRefusal | null {
    if (!this.#isFull) return null;
    return { code: 'limit', message: `the rest of the store is kept for the owner's devices` };
  }

  /** Takes the devices that the owner claimed, in place of those before. */
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

  /** Looks at the store's size; also called by itself. Never rejects. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#lookedAt = performance.now();
    try {
      const wasFull = this.#isFull;
      this.#isFull = (await this.#dependencies.bytes()) >= this.#mostBytes;
      if (this.#isFull !== wasFull) this.#dependencies.onState(this.refusal);
    } catch {
      // A store that can't be read now refuses by itself.
    } finally {
      this.#isLooking = false;
    }
  }

  #lookSoon(): void {
    if (performance.now() - this.#lookedAt >= LOOK_EVERY_MS) void this.look();
  }
}
