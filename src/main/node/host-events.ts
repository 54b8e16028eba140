import type { OnEvent } from '../owner/api/events.ts';
import type { Node } from './node.ts';

/** Brings the events of whatever node runs to those who listen, from one node to the next. */
export class HostEvents {
  /** With what ends each listener's part in the node that runs. */
  readonly #listeners = new Map<OnEvent, () => void>();
  #node: Node | null = null;

  /** Returns what ends it. */
  listen(onEvent: OnEvent): () => void {
    this.#join(onEvent);
    return () => {
      this.#listeners.get(onEvent)?.();
      this.#listeners.delete(onEvent);
    };
  }

  /** Listens to this node from now on; null: none runs. */
  follow(node: Node | null): void {
    this.#node = node;
    for (const onEvent of this.#listeners.keys()) this.#join(onEvent);
  }

  /** Says that something changed: through the node where one runs, so that a browser hears it too. */
  tell(what: 'settings' | 'backups'): void {
    const node = this.#node;
    if (node?.owner != null) node.events.emit(`${what}Changed`, () => ({}));
    else for (const onEvent of this.#listeners.keys()) onEvent(what, {});
  }

  #join(onEvent: OnEvent): void {
    this.#listeners.set(onEvent, this.#node?.owner?.listen(onEvent) ?? (() => {}));
  }
}
