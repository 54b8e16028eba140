import type { Socket } from 'node:net';

/** The connections over which each pairing has sent calls, to be cut when it is revoked. */
export class CallConnections {
  readonly #byPairing = new Map<string, Set<Socket>>();

  add(pairing: string, socket: Socket): void {
    const sockets = this.#byPairing.get(pairing) ?? new Set();
    if (sockets.has(socket)) return;
    this.#byPairing.set(pairing, sockets.add(socket));
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0 && this.#byPairing.get(pairing) === sockets) this.#byPairing.delete(pairing);
    });
  }

  /** Ends them at once: a call whose body is still coming is never executed, and no more of an answer is sent. */
  destroy(pairing: string): void {
    for (const socket of this.#byPairing.get(pairing) ?? []) socket.destroy();
  }
}
