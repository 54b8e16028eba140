import type { IncomingMessage, ServerResponse } from 'node:http';

/** The total size of bodies that a listener holds: a thousand slow uploads must not fill the memory. */
const MAX_BYTES_IN_FLIGHT = 64 * 1024 ** 2;

interface Upload {
  readonly request: IncomingMessage;
  /** The largest size that the body may reach. */
  readonly bytes: number;
  /** The socket's `bytesRead` when the headers had been read. */
  readonly bytesReadBefore: number;
}

/**
 * Bounds the bodies that a listener is receiving. The bytes that have arrived count, not the announced length. If they
 * are too many, the oldest unfinished uploads are closed in favour of the new one, so that slow clients keep nobody
 * out.
 */
export class BodyBudget {
  readonly #maxBodyBytes: number;
  /** In order of their start. */
  readonly #uploads = new Set<Upload>();
  #announced = 0;

  constructor(maxBodyBytes: number) {
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** Counts a request from before its body is read until its response is done. */
  take(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== 'POST') return;
    const announced = Number(request.headers['content-length']);
    const bytes = announced <= this.#maxBodyBytes ? announced : this.#maxBodyBytes;
    const upload: Upload = { request, bytes, bytesReadBefore: request.socket.bytesRead };
    this.#uploads.add(upload);
    this.#announced += bytes;
    response.once('close', () => this.#release(upload));
    if (this.#announced > MAX_BYTES_IN_FLIGHT) this.#makeRoom();
  }

  #release(upload: Upload): void {
    if (this.#uploads.delete(upload)) this.#announced -= upload.bytes;
  }

  #makeRoom(): void {
    const arrived = ({ request, bytesReadBefore }: Upload) => request.socket.bytesRead - bytesReadBefore;
    let held = 0;
    for (const upload of this.#uploads) held += arrived(upload);
    for (const upload of this.#uploads) {
      if (held <= MAX_BYTES_IN_FLIGHT) return;
      if (upload.request.complete) continue;
      held -= arrived(upload);
      this.#release(upload);
      upload.request.socket.destroy();
    }
  }
}
