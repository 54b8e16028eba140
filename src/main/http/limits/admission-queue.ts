import type { Socket } from 'node:net';
import type { Load } from '../../intake/load.ts';

/** About 50 ms of a verifier thread's work: enough to keep all threads busy from one turn of the event loop to the next. */
const MAX_CHECKS_WAITING = 500;
/** How long one turn of the event loop may begin batches before other work goes on. */
const TURN_MS = 3;
/** How much text of batches may wait. */
const MAX_BYTES_WAITING = 16 * 1024 ** 2;

interface Waiter {
  readonly socket: Socket;
  readonly bytes: number;
  readonly goOn: () => void;
}

/**
 * Lets the batches of strangers in as fast as their signatures are verified, and only a few in one turn of the event
 * loop, so that a flood of them neither fills the memory nor keeps local requests waiting. A connection whose batch waits
 * is not read from: what more it has stays with its sender.
 */
export class AdmissionQueue {
  readonly #load: Load;
  readonly #mostChecks: number;
  /** In the order of arrival. */
  readonly #waiting = new Set<Waiter>();
  /** How many of its batches wait, by connection. */
  readonly #held = new Map<Socket, number>();
  readonly #onClose: () => void;
  #bytes = 0;
  #turnBeganAt: number | null = null;
  #isPlanned = false;

  /** `mostChecks`: how many signatures may wait to be checked when another batch begins. */
  constructor(load: Load, mostChecks = MAX_CHECKS_WAITING) {
    this.#load = load;
    this.#mostChecks = mostChecks;
    load.onProgress(() => this.#next());
    this.#onClose = () => {
      for (const waiter of [...this.#waiting]) if (waiter.socket.destroyed) this.#leave(waiter);
    };
  }

  /**
   * `open`: the batch of so many bytes, from that connection, may go on at once. `full`: it may not. Else it may when the
   * promise resolves, which that of a connection that closes never does.
   */
  enter(socket: Socket, bytes: number): 'open' | 'full' | Promise<void> {
    if (this.#waiting.size === 0 && this.#mayEnter()) return 'open';
    if (this.#bytes + bytes > MAX_BYTES_WAITING) return 'full';
    this.#hold(socket);
    return new Promise((resolve) => {
      this.#waiting.add({ socket, bytes, goOn: resolve });
      this.#bytes += bytes;
      this.#plan();
    });
  }

  /** Reads no more from a connection until none of its batches waits. */
  #hold(socket: Socket): void {
    const held = this.#held.get(socket) ?? 0;
    this.#held.set(socket, held + 1);
    socket.pause();
    if (held === 0) socket.once('close', this.#onClose);
  }

  #leave(waiter: Waiter): void {
    const { socket, bytes } = waiter;
    this.#waiting.delete(waiter);
    this.#bytes -= bytes;
    const held = this.#held.get(socket)! - 1;
    if (held > 0) this.#held.set(socket, held);
    else {
      this.#held.delete(socket);
      socket.off('close', this.#onClose);
      socket.resume();
    }
  }

  #mayEnter(): boolean {
    if (this.#load.waiting >= this.#mostChecks) return false;
    if (this.#turnBeganAt !== null) return performance.now() - this.#turnBeganAt < TURN_MS;
    this.#turnBeganAt = performance.now();
    this.#plan();
    return true;
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#turnBeganAt = null;
      this.#next();
    });
  }

  /** One a turn: only after it has gone on is it known how long it took, and what it added to the checks. */
  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined || this.#turnBeganAt !== null || !this.#mayEnter()) return;
    this.#leave(first);
    first.goOn();
  }
}
