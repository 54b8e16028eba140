import type { DeviceRegistration } from '../../../shared/protocol/device.ts';
import { countOf, firstToGo, type Unproven } from './crowd.ts';

const MAX_ATTEMPTS = 50;
/** Ids are easily invented: one address pushes out its own attempts, not everybody's. */
const MAX_ATTEMPTS_OF_ADDRESS = 8;
/** Registrations under one id with other contents: the first stays, and these are shown beside it. */
export const MAX_OF_ID = 4;

/** A registration that was not let in. Nothing of what it says is proven. */
export interface JoinAttempt extends Unproven {
  /** Names its contents: another registration under the same id has another. */
  readonly digest: string;
  readonly registration: DeviceRegistration;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Registrations that came while joining was closed, so that the owner learns of those devices. In memory alone. */
export class Attempts {
  /** By id and contents, in the order of their last attempt. */
  readonly #attempts = new Map<string, JoinAttempt>();

  get isEmpty(): boolean {
    return this.#attempts.size === 0;
  }

  /** The latest last. */
  get all(): JoinAttempt[] {
    return [...this.#attempts.values()];
  }

  /** The registrations of an id, the latest last. */
  of(id: string): JoinAttempt[] {
    return this.all.filter(({ registration }) => registration.id === id);
  }

  /** Takes note of one; returns whether it is listed. */
  note(registration: DeviceRegistration, digest: string, address: string, now: number): boolean {
    const { id } = registration;
    const key = keyOf(id, digest);
    const known = this.#attempts.get(key);
    const ofId = this.of(id);
    // Whoever came first is not pushed out by others under the same id.
    if (known === undefined && ofId.length >= MAX_OF_ID) return false;
    this.#attempts.delete(key);
    this.#attempts.set(key, {
      ...{ registration, digest, address, isSigned: ofId.some(({ isSigned }) => isSigned) },
      ...{ count: (known?.count ?? 0) + 1, firstAt: known?.firstAt ?? now, lastAt: now },
    });
    if (countOf(this.all, address) > MAX_ATTEMPTS_OF_ADDRESS) {
      const ofAddress = this.all.filter((attempt) => countOf([attempt], address) === 1);
      this.#drop(firstToGo(ofAddress)!);
    } else if (this.#attempts.size > MAX_ATTEMPTS) this.#drop(firstToGo(this.all)!);
    return true;
  }

  /** Takes note that a block with a valid signature came under an id; returns whether that is news. */
  signed(id: string): boolean {
    const unsigned = this.of(id).filter(({ isSigned }) => !isSigned);
    for (const attempt of unsigned) this.#attempts.set(keyOf(id, attempt.digest), { ...attempt, isSigned: true });
    return unsigned.length > 0;
  }

  /** Takes those of an id off the list, or the one with these contents; returns them. */
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
