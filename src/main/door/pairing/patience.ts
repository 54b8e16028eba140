import { clientKey } from '../../common/client-key.ts';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** After this time without a wrong try, an address starts over. */
const FORGET_AFTER_MS = 15 * 60_000;
const MAX_ADDRESSES = 1000;

interface Tries {
  wrong: number;
  lastAt: number;
}

/** Slows down guessing: after each wrong try, an address must wait twice as long. */
export class Patience {
  readonly #now: () => number;
  /** In order of the last wrong try. */
  readonly #byAddress = new Map<string, Tries>();

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns the seconds that an address must wait before its next try; 0 if it need not. */
  wait(address: string): number {
    const tries = this.#tries(address);
    if (tries === null) return 0;
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries.wrong - 1));
    return Math.max(0, Math.ceil((tries.lastAt + waitMs - this.#now()) / 1000));
  }

  /** Call this after a wrong try. */
  wrong(address: string): void {
    const wrong = (this.#tries(address)?.wrong ?? 0) + 1;
    const key = clientKey(address);
    this.#byAddress.delete(key);
    this.#byAddress.set(key, { wrong, lastAt: this.#now() });
    const [oldest] = this.#byAddress.keys();
    if (this.#byAddress.size > MAX_ADDRESSES) this.#byAddress.delete(oldest!);
  }

  /** Call this after a right try. */
  right(address: string): void {
    this.#byAddress.delete(clientKey(address));
  }

  #tries(address: string): Tries | null {
    const tries = this.#byAddress.get(clientKey(address));
    return tries === undefined || this.#now() - tries.lastAt > FORGET_AFTER_MS ? null : tries;
  }
}
