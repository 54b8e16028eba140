const RINGS = 0;
const WAITING = 1;

/**
 * Wakes threads that have nothing to do. A thread looks for work after `heard` and before `wait`; a ring in between ends
 * the wait at once, so none is missed. Cheaper by far than a message, which goes through the thread's event loop.
 */
export class Bell {
  /** The memory that threads share: each makes a Bell of it. */
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
  }

  /** Wakes at most so many of the threads that wait; all where left out. */
  ring(threads?: number): void {
    Atomics.add(this.#words, RINGS, 1);
    if (this.waiting > 0) Atomics.notify(this.#words, RINGS, threads);
  }

  /** How many threads wait. */
  get waiting(): number {
    return Atomics.load(this.#words, WAITING);
  }

  /** The value to give to `wait` after looking for work. */
  get heard(): number {
    return Atomics.load(this.#words, RINGS);
  }

  /** Sleeps until the bell rings, unless it has since `heard`, or for so long. Not for the main thread. */
  wait(heard: number, timeoutMs?: number): void {
    Atomics.add(this.#words, WAITING, 1);
    Atomics.wait(this.#words, RINGS, heard, timeoutMs);
    Atomics.sub(this.#words, WAITING, 1);
  }
}
