import type { OnEvent } from '../owner/api/events.ts';
import type { Node } from './node.ts';

/** Passes the events of the running node to listeners, also when another node replaces it. */
export class HostEvents {
  /** Listeners, each with the function that removes it from the running node. */
  readonly #listeners = new Map<OnEvent, () => void>();
  #node: Node | null = null;

  /** Adds a listener; returns a function that removes it. */
  listen(onEvent: OnEvent): () => void {
    this.#join(onEvent);
    return () => {
      this.#listeners.get(onEvent)?.();
      this.#listeners.delete(onEvent);
    };
  }

  /** Switches to the events of another node; null if none runs. */
  follow(node: Node | null): void {
    this.#node = node;
    for (const onEvent of this.#listeners.keys()) this.#join(onEvent);
  }

  /** Emits a change, through the node if one runs, so that browsers get it, too. */
  tell(what: 'settings' | 'backups'): void {
    const node = this.#node;
    if (node?.owner != null) node.events.emit(`${what}Changed`, () => ({}));
    else for (const onEvent of this.#listeners.keys()) onEvent(what, {});
  }

  #join(onEvent: OnEvent): void {
    this.#listeners.set(onEvent, this.#node?.owner?.listen(onEvent) ?? (() => {}));
  }
}
