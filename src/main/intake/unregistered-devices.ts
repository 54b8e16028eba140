import type { Block } from '../../shared/protocol/block.ts';
import type { ArrivalClock } from '../common/clock.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import type { UnregisteredDevice } from '../store/counts.ts';
import type { SignatureCheck } from '../store/reading.ts';
import { hasSignatureLength } from './rules.ts';

const MAX_REMEMBERED = 100;
const CHECKS_PER_SECOND = 5;

export interface UnregisteredDevicesDependencies {
  /** Resolves with true if the signature is valid. */
  readonly isGood: (check: SignatureCheck) => Promise<boolean>;
  readonly clock: ArrivalClock;
  /** Called for each recorded attempt. */
  readonly onKnock: (device: UnregisteredDevice) => void;
}

/**
 * Remembers devices that send blocks to a store in which they are not registered. The firmware registers only at its
 * start, so after a lost or restored store such a device would go silent unnoticed. A stranger can claim any id, so an
 * attempt counts only if its signature fits the id; only a few attempts per second are checked.
 */
export class UnregisteredDevices {
  readonly #dependencies: UnregisteredDevicesDependencies;
  /** By id, in the order of their last attempt. */
  readonly #devices = new Map<string, UnregisteredDevice>();
  #changed = false;
  #windowStart = 0;
  #checksInWindow = 0;

  constructor(dependencies: UnregisteredDevicesDependencies, known: readonly UnregisteredDevice[]) {
    this.#dependencies = dependencies;
    for (const device of known) this.#devices.set(device.id, device);
  }

  /** Records a refused block. Returns at once; the signature is checked in the background. */
  note(block: Block, error: string): void {
    if (!this.#mayCheck() || !hasSignatureLength(block)) return;
    const id = block.deviceId.toLowerCase();
    const check = { publicKey: Buffer.from(id, 'hex'), signature: block.signature, message: block.raw };
    void this.#dependencies.isGood(check).then((isGood) => {
      if (isGood) this.#remember(id, error);
    });
  }

  /** Call this when a device has been registered here. */
  registered(id: string): void {
    this.#devices.delete(id);
  }

  /** Returns all remembered devices, latest last. */
  list(): UnregisteredDevice[] {
    return [...this.#devices.values()];
  }

  /** Moves the times between `from` and `to` by `by` milliseconds; returns whether the list changed. */
  move({ by, from, to }: NodeEventMap['clockMoved']): boolean {
    const moved = (at: number) => (at >= from && at <= to ? at + by : at);
    for (const [id, device] of this.#devices) {
      const [firstAt, lastAt] = [moved(device.firstAt), moved(device.lastAt)];
      if (firstAt === device.firstAt && lastAt === device.lastAt) continue;
      // A first attempt before the moved span stays as it is.
      this.#devices.set(id, { ...device, firstAt: Math.min(firstAt, lastAt), lastAt });
      this.#changed = true;
    }
    return this.#changed;
  }

  /** Returns the list if it changed since the last call, else null. */
  takeChanged(): UnregisteredDevice[] | null {
    if (!this.#changed) return null;
    this.#changed = false;
    return this.list();
  }

  /** Makes the next `takeChanged()` return the list again, since it could not be written. */
  keepChanged(): void {
    this.#changed = true;
  }

  #mayCheck(): boolean {
    const now = performance.now();
    if (now - this.#windowStart >= 1000) {
      this.#windowStart = now;
      this.#checksInWindow = 0;
    }
    this.#checksInWindow += 1;
    return this.#checksInWindow <= CHECKS_PER_SECOND;
  }

  #remember(id: string, lastError: string): void {
    const now = this.#dependencies.clock.now();
    const known = this.#devices.get(id);
    this.#devices.delete(id);
    const attempts = (known?.attempts ?? 0) + 1;
    const device = { id, attempts, firstAt: known?.firstAt ?? now, lastAt: now, lastError };
    this.#devices.set(id, device);
    const [oldest] = this.#devices.keys();
    if (this.#devices.size > MAX_REMEMBERED) this.#devices.delete(oldest!);
    this.#changed = true;
    this.#dependencies.onKnock(device);
  }
}
