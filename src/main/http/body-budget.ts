import type { IncomingMessage, ServerResponse } from 'node:http';

/** How many bytes of bodies a listener holds at a time: a thousand clients that upload slowly must not fill the memory. */
const MAX_BYTES_IN_FLIGHT = 64 * 1024 ** 2;

/** Counts the bodies that a listener is receiving or working on. */
export class BodyBudget {
  readonly #maxBodyBytes: number;
  #inFlight = 0;

  constructor(maxBodyBytes: number) {
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** Makes room for a request's body until its response is done. Returns false where there is none. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'POST') return true;
    const announced = Number(request.headers['content-length']);
    const bytes = announced <= this.#maxBodyBytes ? announced : this.#maxBodyBytes;
    if (this.#inFlight > 0 && this.#inFlight + bytes > MAX_BYTES_IN_FLIGHT) return false;
    this.#inFlight += bytes;
    response.once('close', () => {
      this.#inFlight -= bytes;
    });
    return true;
  }
}
