/** Functions that are called when something happens. */
export class Subscribers<Args extends readonly unknown[] = []> {
  readonly #functions = new Set<(...args: Args) => void>();

  get size(): number {
    return this.#functions.size;
  }

  /** Adds a function. Returns a function that removes it. */
  add(subscriber: (...args: Args) => void): () => void {
    this.#functions.add(subscriber);
    return () => {
      this.#functions.delete(subscriber);
    };
  }

  /** Calls each function that was there at the time of this call. */
  tell(...args: Args): void {
    for (const subscriber of [...this.#functions]) subscriber(...args);
  }

  clear(): void {
    this.#functions.clear();
  }
}
