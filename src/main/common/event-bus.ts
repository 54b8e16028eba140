import type { Logger } from 'pino';

type Listener = (payload: never) => void;

/**
 * Tells listeners what happens. Payloads are made only where somebody listens, so an event costs nothing while nobody
 * does. Listeners are called at once, in the order in which they were added; they must not take long.
 */
export class EventBus<Events extends object> {
  readonly #log: Logger;
  readonly #listeners = new Map<keyof Events, Set<Listener>>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Calls `listener` with each payload from now on; returns what ends that. */
  on<E extends keyof Events>(event: E, listener: (payload: Events[E]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners);
    // A function of its own, so that adding one listener twice is ended twice.
    const own: Listener = (payload) => listener(payload);
    listeners.add(own);
    return () => listeners.delete(own);
  }

  /** Whether anybody listens. */
  isHeard(event: keyof Events): boolean {
    return (this.#listeners.get(event)?.size ?? 0) > 0;
  }

  /** Tells all listeners; `make` is called where there are any. A listener that throws keeps no other from hearing it. */
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
