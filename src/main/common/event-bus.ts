import type { Logger } from 'pino';

type Listener = (payload: never) => void;

/**
 * Passes events to listeners. A payload is made only if the event has a listener, so other events cost nothing.
 * Listeners are called synchronously, in the order in which they were added; they must not take long.
 */
export class EventBus<Events extends object> {
  readonly #log: Logger;
  readonly #listeners = new Map<keyof Events, Set<Listener>>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Calls `listener` with each payload from now on; returns a function that removes it. */
  on<E extends keyof Events>(event: E, listener: (payload: Events[E]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners);
    // A new function for each call, so that a listener that was added twice can be removed twice.
    const own: Listener = (payload) => listener(payload);
    listeners.add(own);
    return () => listeners.delete(own);
  }

  /** Returns whether an event has listeners. */
  isHeard(event: keyof Events): boolean {
    return (this.#listeners.get(event)?.size ?? 0) > 0;
  }

  /** Calls all listeners; `make` is called only if there are any. A listener that throws does not affect the others. */
  emit<E extends keyof Events>(event: E, make: () => Events[E]): void {
    if (!this.isHeard(event)) return;
    const payload = make() as never;
    for (const listener of [...this.#listeners.get(event)!]) {
      try {
        listener(payload);
      } catch (error) {
        this.#log.error({ err: error, event }, 'a listener to an event failed');
      }
    }
  }
}
