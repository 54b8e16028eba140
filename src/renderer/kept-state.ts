import { Subscribers } from '../shared/subscribers.ts';

const all: { forget(): void }[] = [];

/** Reads every kept value from the storage again when it is next asked for, as after a reload. */
export function readKeptAgain(): void {
  for (const each of all) each.forget();
}

/** A value that this browser keeps, as JSON in its local storage; `get` and `subscribe` fit `useSyncExternalStore`. */
export class KeptState<T> {
  readonly #key: string;
  readonly #parse: (text: string | null) => T;
  readonly #subscribers = new Subscribers();
  #value: T | undefined;

  /** `parse` makes sense of whatever an earlier version kept under the key; null: nothing. */
  constructor(key: string, parse: (text: string | null) => T) {
    this.#key = key;
    this.#parse = parse;
    all.push(this);
  }

  /** Forgets what was read; the storage keeps it. */
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
