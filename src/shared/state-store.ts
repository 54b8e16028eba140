import { Subscribers } from './subscribers.ts';

/** A value with subscribers. `get` and `subscribe` fit React's `useSyncExternalStore`. */
export class StateStore<T> {
  #value: T;
  readonly #subscribers = new Subscribers();

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  /** Adds a function that is called with every `set`. Returns a function that removes it. */
  readonly subscribe = (subscriber: () => void): (() => void) => this.#subscribers.add(subscriber);

  set(value: T): void {
    this.#value = value;
    this.#subscribers.tell();
  }
}
