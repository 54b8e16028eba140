const RINGS = 0;
const WAITING = 1;

/**
 * Wakes idle threads. A thread reads `heard`, looks for work, then calls `wait`; a ring in between ends the wait at
 * once, so the thread misses no job. Much cheaper than a message, which goes through the thread's event loop.
 */
export class Bell {
  /** The shared memory: each thread makes its own Bell of it. */
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
  }

  /** Wakes at most `threads` of the waiting threads; without a number, all. */
  ring(threads?: number): void {
    Atomics.add(this.#words, RINGS, 1);
    if (this.waiting > 0) Atomics.notify(this.#words, RINGS, threads);
  }

  /** The number of waiting threads. */
  get waiting(): number {
    return Atomics.load(this.#words, WAITING);
  }

  /** The value to pass to `wait` after looking for work. */
  get heard(): number {
    return Atomics.load(this.#words, RINGS);
  }

  /**
   * Sleeps until the bell rings or the timeout ends; returns at once if it has rung since `heard`. Not for the main
   * thread.
   */
  wait(heard: number, timeoutMs?: number): void {
    Atomics.add(this.#words, WAITING, 1);
    Atomics.wait(this.#words, RINGS, heard, timeoutMs);
    Atomics.sub(this.#words, WAITING, 1);
  }
}
