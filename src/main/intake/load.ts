/** How many blocks are on their way to the stores, for those who would rather wait with more. */
export class Load {
  readonly #listeners = new Set<() => void>();
  #waiting = 0;

  /** Blocks that wait for a thread or the disk. */
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

  /** Calls `listener` each time fewer wait; returns what ends that. */
  onProgress(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
