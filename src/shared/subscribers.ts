/** Functions that are told when something happens. */
export class Subscribers<Args extends readonly unknown[] = []> {
  readonly #functions = new Set<(...args: Args) => void>();

  get size(): number {
    return this.#functions.size;
  }

  /** Adds one; returns what removes it. */
  add(subscriber: (...args: Args) => void): () => void {
    this.#functions.add(subscriber);
    return () => {
      this.#functions.delete(subscriber);
    };
  }

  /** Tells each that was there when this was called. */
  tell(...args: Args): void {
    for (const subscriber of [...this.#functions]) subscriber(...args);
  }

  clear(): void {
    this.#functions.clear();
  }
}
