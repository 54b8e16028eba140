import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The total size of answers that a listener keeps for clients that have not read them yet. */
const MAX_BYTES_WAITING = 32 * 1024 ** 2;
/** The cost of an answer in addition to its body, so that many small answers count, too. */
const ANSWER_BYTES = 4096;
/** The time that a client may read nothing while an answer waits for it. */
const STALLED_AFTER_MS = 30_000;
const CHECK_EVERY_MS = 1000;

interface Reader {
  bytes: number;
  answers: number;
  /** The time when the client last read something, by performance.now(). */
  progressAt: number;
  /** The bytes in the write queue at that time. */
  queued: number;
}

/**
 * Bounds the answers that clients read slowly or never. A connection that reads nothing for half a minute is closed. If
 * too much waits in total, the connections without progress for longest are closed first.
 */
export class AnswerBudget {
  /** Connections with unwritten answers, in order of their last progress. */
  readonly #readers = new Map<Socket, Reader>();
  #bytes = 0;
  #checks: NodeJS.Timeout | null = null;

  /** Counts an answer (with a body of `bodyBytes`) from now until it is written. */
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

  /** Inserting it again keeps the map in order of progress. */
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
 * Returns the bytes of the current write that the system has not accepted yet. Node's own idle timer reads the handle,
 * too: the public `writableLength` does not change until a whole body is written, which may take a slow client minutes.
 */
function queuedBytes(socket: Socket): number {
  const handle = (socket as unknown as { _handle?: { writeQueueSize?: number } | null })._handle;
  return handle?.writeQueueSize ?? socket.writableLength;
}
