/** The number of blocks in progress; callers may wait until it falls. */
export class Load {
  readonly #listeners = new Set<() => void>();
  #waiting = 0;

  /** The number of blocks that wait for a thread or the disk. */
  get waiting(): number {
    return this.#waiting;
  }

  began(blocks: number): void {
    this.#waiting += blocks;
  }

  ended(blocks: number): void {
    this.#waiting -= blocks;
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` each time the number falls; returns a function that removes the listener. */
  onProgress(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
