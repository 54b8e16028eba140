import type { Block } from '../../shared/protocol/block.ts';
import type { Destination } from '../../shared/protocol/codes.ts';
import type { UnregisteredDevice } from '../store/write-jobs.ts';
import type { VerifierPool } from './verifier-pool.ts';

const MAX_REMEMBERED = 100;
const CHECKS_PER_SECOND = 5;

/**
 * Remembers devices that post to an endpoint without being registered there: the firmware registers only at its start,
 * so after a lost or restored store such a device would go silent unnoticed. A stranger can claim any id, so an attempt
 * counts only where its signature fits the id it claims; only a few attempts a second are looked at.
 */
export class UnregisteredDevices {
  /** Called when there is something new to write. */
  onChange: () => void = () => {};
  readonly #destination: Destination;
  readonly #verifier: VerifierPool;
  /** By id, in the order of their last attempt. */
  readonly #devices = new Map<string, UnregisteredDevice>();
  #changed = false;
  #windowStart = 0;
  #checksInWindow = 0;

  constructor(destination: Destination, verifier: VerifierPool, known: readonly UnregisteredDevice[]) {
    this.#destination = destination;
    this.#verifier = verifier;
    for (const device of known) this.#devices.set(device.id, device);
  }

  /** Takes note of a refused block. Answers at once; the signature is checked in the background. */
  note(block: Block, error: string): void {
    if (!this.#mayCheck()) return;
    const id = block.deviceId.toLowerCase();
    const check = { publicKey: Buffer.from(id, 'hex'), signature: block.signature, message: block.raw };
    this.#verifier.verify([check], this.#destination).then(
      ({ verdicts }) => {
        if (verdicts[0] === 1) this.#remember(id, error);
      },
      () => {},
    );
  }

  /** To be called when a device has been registered here. */
  registered(id: string): void {
    this.#devices.delete(id);
  }

  /** All that are remembered, the latest last. */
  list(): UnregisteredDevice[] {
    return [...this.#devices.values()];
  }

  /** The list where it changed since the last call, else null. */
  takeChanged(): UnregisteredDevice[] | null {
    if (!this.#changed) return null;
    this.#changed = false;
    return this.list();
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
    const now = Date.now();
    const known = this.#devices.get(id);
    this.#devices.delete(id);
    this.#devices.set(id, {
      id,
      attempts: (known?.attempts ?? 0) + 1,
      firstAt: known?.firstAt ?? now,
      lastAt: now,
      lastError,
    });
    const oldest = this.#devices.size > MAX_REMEMBERED ? this.#devices.keys().next() : null;
    if (oldest !== null && !oldest.done) this.#devices.delete(oldest.value);
    this.#changed = true;
    this.onChange();
  }
}
