import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many bytes of answers a listener keeps for clients that have not read them yet. */
const MAX_BYTES_WAITING = 32 * 1024 ** 2;
/** The cost of an answer besides its body, so that many small ones count too. */
const ANSWER_BYTES = 4096;
/** How long a client may take none of what is there for it. */
const STALLED_AFTER_MS = 30_000;
const CHECK_EVERY_MS = 1000;

interface Reader {
  bytes: number;
  answers: number;
  /** When it last took something, by performance.now(). */
  progressAt: number;
  /** The bytes that the system held then. */
  queued: number;
}

/**
 * Bounds the answers that clients are slow to read, or never read. A connection that takes nothing for half a minute is
 * cut off; where too much waits in all, those go first that took nothing for longest.
 */
export class AnswerBudget {
  /** Connections with answers not written yet, in the order of their last progress. */
  readonly #readers = new Map<Socket, Reader>();
  #bytes = 0;
  #checks: NodeJS.Timeout | null = null;

  /** Takes note of an answer that is about to be sent, with a body of so many bytes, until it is written. */
  take(response: ServerResponse, socket: Socket, bodyBytes: number): void {
    const bytes = bodyBytes + ANSWER_BYTES;
    const reader = this.#readers.get(socket) ?? { bytes: 0, answers: 0, progressAt: performance.now(), queued: 0 };
    reader.bytes += bytes;
    reader.answers += 1;
    this.#readers.set(socket, reader);
    this.#bytes += bytes;
    this.#checks ??= setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
    response.once('close', () => this.#written(socket, reader, bytes));
    if (this.#bytes > MAX_BYTES_WAITING) this.#makeRoom();
  }

  #written(socket: Socket, reader: Reader, bytes: number): void {
    if (this.#readers.get(socket) !== reader) return;
    this.#bytes -= bytes;
    reader.bytes -= bytes;
    reader.answers -= 1;
    if (reader.answers === 0) this.#readers.delete(socket);
    else this.#progressed(socket, reader);
  }

  /** Inserted again: the map's order is that of progress. */
  #progressed(socket: Socket, reader: Reader): void {
    reader.progressAt = performance.now();
    reader.queued = queuedBytes(socket);
    this.#readers.delete(socket);
    this.#readers.set(socket, reader);
  }

  #makeRoom(): void {
    for (const socket of this.#readers.keys()) {
      if (this.#bytes <= MAX_BYTES_WAITING) return;
      this.#cutOff(socket);
    }
  }

  #check(): void {
    const now = performance.now();
    for (const [socket, reader] of [...this.#readers]) {
      if (queuedBytes(socket) !== reader.queued) this.#progressed(socket, reader);
      else if (now - reader.progressAt >= STALLED_AFTER_MS) this.#cutOff(socket);
    }
    if (this.#readers.size > 0 || this.#checks === null) return;
    clearInterval(this.#checks);
    this.#checks = null;
  }

  #cutOff(socket: Socket): void {
    this.#bytes -= this.#readers.get(socket)!.bytes;
    this.#readers.delete(socket);
    socket.destroy();
  }
}

/**
 * The bytes of the present write that the system has not taken yet. Node's own idle timer asks the handle too: the
 * public `writableLength` stays the same until a whole body is through, which a slow but sound client may need minutes
 * for.
 */
function queuedBytes(socket: Socket): number {
  const handle = (socket as unknown as { _handle?: { writeQueueSize?: number } | null })._handle;
  return handle?.writeQueueSize ?? socket.writableLength;
}
