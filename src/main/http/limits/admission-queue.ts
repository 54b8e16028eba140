import type { Socket } from 'node:net';
import type { Load } from '../../intake/load.ts';

/** About 50 ms of work for a verifier thread: enough to keep all threads busy between two turns of the event loop. */
const MAX_CHECKS_WAITING = 500;
/** The time in one turn of the event loop in which batches may begin. */
const TURN_MS = 3;
/** The largest total size of waiting batches. */
const MAX_BYTES_WAITING = 16 * 1024 ** 2;

interface Waiter {
  readonly socket: Socket;
  readonly bytes: number;
  readonly goOn: () => void;
}

/**
 * Admits strangers' batches at the speed at which signatures are verified, and only a few per turn of the event loop,
 * so that a flood neither fills the memory nor delays local requests. The queue does not read from a connection while
 * one of its batches waits: further data stays at the sender.
 */
export class AdmissionQueue {
  readonly #load: Load;
  readonly #mostChecks: number;
  /** In order of arrival. */
  readonly #waiting = new Set<Waiter>();
  /** The number of waiting batches, by connection. */
  readonly #held = new Map<Socket, number>();
  readonly #onClose: () => void;
  #bytes = 0;
  #turnBeganAt: number | null = null;
  #isPlanned = false;

  /** `mostChecks`: no batch begins while this many signatures wait for their check. */
  constructor(load: Load, mostChecks = MAX_CHECKS_WAITING) {
    this.#load = load;
    this.#mostChecks = mostChecks;
    load.onProgress(() => this.#next());
    this.#onClose = () => {
      for (const waiter of [...this.#waiting]) if (waiter.socket.destroyed) this.#leave(waiter);
    };
  }

  /**
   * Returns `open` if the batch (`bytes` long) may continue at once, `full` if it is refused, else a promise that
   * resolves when the batch may continue. If its connection closes, the promise never resolves.
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

  /** Stops reading from a connection until none of its batches waits. */
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

  /** Starts one batch per turn: only afterwards are its duration and its number of checks known. */
  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined || this.#turnBeganAt !== null || !this.#mayEnter()) return;
    this.#leave(first);
    first.goOn();
  }
}
