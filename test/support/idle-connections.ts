import { connect as connectTcp, type Socket } from 'node:net';
import { connect } from 'node:tls';

/** Connections to a door that say nothing more. */
export class IdleConnections {
  readonly #held = new Set<Socket>();

  /** Connects from an address: without a handshake, or up to after it. */
  open(port: number, localAddress: string, hasHandshake: boolean): Socket {
    const raw = connectTcp({ host: '127.0.0.1', port, localAddress });
    raw.on('error', () => {});
    this.#held.add(raw);
    raw.on('close', () => this.#held.delete(raw));
    if (hasHandshake) connect({ socket: raw, rejectUnauthorized: false }).on('error', () => {});
    return raw;
  }

  /** Closes all of them, without their listeners. */
  close(): void {
    for (const socket of this.#held) socket.removeAllListeners('close').destroy();
    this.#held.clear();
  }
}
