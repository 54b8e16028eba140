import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { PAIRING_CODE_ALPHABET, PAIRING_CODE_LENGTH, readPairingCode } from '../../../shared/pairing-link.ts';
import type { Clock } from '../../common/clock.ts';
import type { NewPairing } from './pairings.ts';

/** How long a code can be used. */
const CODE_MS = 10 * 60_000;
/** So many wrong codes close the right one: no address can try as many by itself, as it has to wait after each. */
export const MAX_WRONG_TRIES = 100;

/** The kind of client that a code pairs, a browser or an app; it says itself which one it is. */
export type OfferedPairing = Pick<NewPairing, 'name' | 'role' | 'devices' | 'mayUnlock' | 'mayLog'>;

interface Open {
  readonly code: string;
  readonly offered: OfferedPairing;
  /** The pairing that made it; null: the machine itself did. */
  readonly madeBy: string | null;
  /** By the steady clock: the time of day says nothing of how long a code is open. */
  readonly closesAt: number;
  wrongTries: number;
}

/** The pairing that is open, as its owner sees it. */
export interface OpenState {
  readonly offered: OfferedPairing;
  readonly leftMs: number;
  readonly wrongTries: number;
}

/**
 * The one pairing that can be open at a time: a code of eight characters, for ten minutes and one use, or until it was
 * guessed at a hundred times. It is only in memory: a node that ends forgets it.
 */
export class OpenPairing {
  readonly #clock: Clock;
  readonly #changed: () => void;
  #open: Open | null = null;
  #timer: NodeJS.Timeout | null = null;
  #wasGuessed = false;

  /** `changed` is called when a code was made, tried, used or is over. */
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
   * The code that is open, for the machine itself (`by` is null), which may make any code, and for the pairing that made it;
   * null for others: it may give more than they have.
   */
  codeFor(by: string | null): string | null {
    const open = this.#current();
    return open !== null && (by === null || by === open.madeBy) ? open.code : null;
  }

  /** Makes a code, in place of one that is open. `by` is the pairing that asks; null: the machine itself. */
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

  /** Ends the code that this pairing made, if it is open. */
  closeOf(madeBy: string): void {
    if (this.#open?.madeBy === madeBy) this.close();
  }

  /** Takes the pairing of a code, once: the code is gone then. null if there is none, or none any more. */
  redeem(text: string): OfferedPairing | null {
    const open = this.#current();
    // Compared also where none is open, so that the time tells nothing.
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

/** Takes as long for a wrong text as for the right one. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
