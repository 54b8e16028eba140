import type { DeviceRegistration } from '../../../shared/protocol/device.ts';
import { countOf, firstToGo, type Unproven } from './crowd.ts';

const MAX_ATTEMPTS = 50;
/** Ids are easily invented, so an address that exceeds its limit pushes out its own attempts only. */
const MAX_ATTEMPTS_OF_ADDRESS = 8;
/**
 * The number of registrations with different contents under one id. The first one stays; the others are shown with it.
 */
export const MAX_OF_ID = 4;

/** A registration that was refused because joining was closed. None of its claims are proven. */
export interface JoinAttempt extends Unproven {
  /** Identifies the contents: another registration under the same id has another digest. */
  readonly digest: string;
  readonly registration: DeviceRegistration;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/**
 * The registrations that came while joining was closed, so that the owner can see those devices. Kept in memory only.
 */
export class Attempts {
  /** By id and digest, in the order of their last attempt. */
  readonly #attempts = new Map<string, JoinAttempt>();

  get isEmpty(): boolean {
    return this.#attempts.size === 0;
  }

  /** All attempts, latest last. */
  get all(): JoinAttempt[] {
    return [...this.#attempts.values()];
  }

  /** Returns the registrations under an id, latest last. */
  of(id: string): JoinAttempt[] {
    return this.all.filter(({ registration }) => registration.id === id);
  }

  /** Records an attempt. */
  note(registration: DeviceRegistration, digest: string, address: string, now: number): void {
    const { id } = registration;
    const key = keyOf(id, digest);
    const known = this.#attempts.get(key);
    const ofId = this.of(id);
    // Later registrations do not push out the first ones under the same id.
    if (known === undefined && ofId.length >= MAX_OF_ID) return;
    this.#attempts.delete(key);
    this.#attempts.set(key, {
      ...{ registration, digest, address, isSigned: ofId.some(({ isSigned }) => isSigned) },
      ...{ count: (known?.count ?? 0) + 1, firstAt: known?.firstAt ?? now, lastAt: now },
    });
    if (countOf(this.all, address) > MAX_ATTEMPTS_OF_ADDRESS) {
      const ofAddress = this.all.filter((attempt) => countOf([attempt], address) === 1);
      this.#drop(firstToGo(ofAddress)!);
    } else if (this.#attempts.size > MAX_ATTEMPTS) this.#drop(firstToGo(this.all)!);
  }

  /** Records that a block with a valid signature came under an id; returns whether that is news. */
  signed(id: string): boolean {
    const unsigned = this.of(id).filter(({ isSigned }) => !isSigned);
    for (const attempt of unsigned) this.#attempts.set(keyOf(id, attempt.digest), { ...attempt, isSigned: true });
    return unsigned.length > 0;
  }

  /** Removes the attempts under an id, or only the one with this digest; returns them. */
  take(id: string, digest: string | null = null): JoinAttempt[] {
    const taken = this.of(id).filter((attempt) => digest === null || attempt.digest === digest);
    for (const attempt of taken) this.#drop(attempt);
    return taken;
  }

  #drop({ registration, digest }: JoinAttempt): void {
    this.#attempts.delete(keyOf(registration.id, digest));
  }
}

function keyOf(id: string, digest: string): string {
  return `${id} ${digest}`;
}
