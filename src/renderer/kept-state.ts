import { Subscribers } from '../shared/subscribers.ts';

const all: { forget(): void }[] = [];

/** Makes every kept value read the storage again at the next access, as after a reload. */
export function readKeptAgain(): void {
  for (const each of all) each.forget();
}

/** A value that this browser keeps, as JSON in its local storage; `get` and `subscribe` fit `useSyncExternalStore`. */
export class KeptState<T> {
  readonly #key: string;
  readonly #parse: (text: string | null) => T;
  readonly #subscribers = new Subscribers();
  #value: T | undefined;

  /** `parse` must accept any text that an earlier version stored under the key; it gets null if there is none. */
  constructor(key: string, parse: (text: string | null) => T) {
    this.#key = key;
    this.#parse = parse;
    all.push(this);
  }

  /** Forgets the value in memory. The storage keeps it. */
  forget(): void {
    this.#value = undefined;
  }

  readonly get = (): T => {
    this.#value ??= this.#parse(localStorage.getItem(this.#key));
    return this.#value;
  };

  readonly subscribe = (subscriber: () => void): (() => void) => this.#subscribers.add(subscriber);

  set(value: T): void {
    this.#value = value;
    localStorage.setItem(this.#key, JSON.stringify(value));
    this.#subscribers.tell();
  }
}
