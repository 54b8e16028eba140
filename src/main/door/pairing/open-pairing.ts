import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { PAIRING_CODE_ALPHABET, PAIRING_CODE_LENGTH, readPairingCode } from '../../../shared/pairing-link.ts';
import type { Clock } from '../../common/clock.ts';
import type { NewPairing } from './pairings.ts';

/** The time in which a code can be used. */
const CODE_MS = 10 * 60_000;
/**
 * After this many wrong codes the right one is closed. One address alone can't try so many, since it must wait after
 * each.
 */
export const MAX_WRONG_TRIES = 100;

/** The rights that a code gives. The client itself says whether it is a browser or an app. */
export type OfferedPairing = Pick<NewPairing, 'name' | 'role' | 'devices' | 'mayUnlock' | 'mayLog'>;

interface Open {
  readonly code: string;
  readonly offered: OfferedPairing;
  /** The pairing that made the code; null if the machine itself did. */
  readonly madeBy: string | null;
  /** Time of the steady clock: the duration does not depend on the time of day. */
  readonly closesAt: number;
  wrongTries: number;
}

/** The state of the open code, for its owner. */
export interface OpenState {
  readonly offered: OfferedPairing;
  readonly leftMs: number;
  readonly wrongTries: number;
}

/**
 * The one code that can be open at a time: eight characters, valid for ten minutes and one use, or until a hundred
 * wrong tries. It is only in memory and ends with the node.
 */
export class OpenPairing {
  readonly #clock: Clock;
  readonly #changed: () => void;
  #open: Open | null = null;
  #timer: NodeJS.Timeout | null = null;
  #wasGuessed = false;

  /** `changed` is called when a code was made, tried, used or closed. */
  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  /** Whether the latest code was closed by wrong tries. */
  get wasGuessed(): boolean {
    return this.#wasGuessed;
  }

  get state(): OpenState | null {
    const open = this.#current();
    if (open === null) return null;
    return {
      offered: open.offered,
      leftMs: Math.ceil(open.closesAt - this.#clock.steady()),
      wrongTries: open.wrongTries,
    };
  }

  /**
   * Returns the open code for the machine itself (`by` is null), which may make any code, and for the pairing that made
   * it. Returns null for others, since the code may give more rights than they have.
   */
  codeFor(by: string | null): string | null {
    const open = this.#current();
    return open !== null && (by === null || by === open.madeBy) ? open.code : null;
  }

  /** Makes a code, which replaces an open one. `by` is the pairing that requests it; null for the machine itself. */
  open(offered: OfferedPairing, by: string | null): string {
    const characters = Array.from(
      { length: PAIRING_CODE_LENGTH },
      () => PAIRING_CODE_ALPHABET[randomInt(PAIRING_CODE_ALPHABET.length)]!,
    );
    const code = characters.join('');
    this.#open = { code, offered, madeBy: by, closesAt: this.#clock.steady() + CODE_MS, wrongTries: 0 };
    this.#wasGuessed = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close(), CODE_MS).unref();
    this.#changed();
    return code;
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#open === null) return;
    this.#open = null;
    this.#changed();
  }

  /** Closes the code if this pairing made it. */
  closeOf(madeBy: string): void {
    if (this.#open?.madeBy === madeBy) this.close();
  }

  /** Redeems a code, which can be used once. Returns the rights that it gives, or null if it is wrong or closed. */
  redeem(text: string): OfferedPairing | null {
    const open = this.#current();
    // The comparison runs even without an open code, so that its time reveals nothing.
    const isRight = isSame(readPairingCode(text) ?? '', open?.code ?? '\0');
    if (open === null) return null;
    if (isRight) {
      this.close();
      return open.offered;
    }
    open.wrongTries += 1;
    if (open.wrongTries === MAX_WRONG_TRIES) {
      this.#wasGuessed = true;
      this.close();
    } else this.#changed();
    return null;
  }

  #current(): Open | null {
    return this.#open !== null && this.#open.closesAt > this.#clock.steady() ? this.#open : null;
  }
}

/** Compares two texts in constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
