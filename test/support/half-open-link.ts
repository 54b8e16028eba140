import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP link to a server's socket that can become silent, like a network that loses every packet. */
export class HalfOpenLink {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isSilent = false;

  private constructor(socketPath: string) {
    this.#server = createServer((socket) => {
      const behind = connect(socketPath);
      for (const each of [socket, behind]) {
        this.#sockets.add(each);
        each.on('error', () => {}).on('close', () => this.#sockets.delete(each));
      }
      const pass = (from: Socket, to: Socket) => {
        from.on('data', (bytes) => {
          if (!this.#isSilent) to.write(bytes);
        });
        from.on('close', () => {
          if (!this.#isSilent) to.destroy();
        });
      };
      pass(socket, behind);
      pass(behind, socket);
    });
  }

  static async to(socketPath: string): Promise<HalfOpenLink> {
    const link = new HalfOpenLink(socketPath);
    await once(link.#server.listen(0, '127.0.0.1'), 'listening');
    return link;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Stops forwarding without closing a connection. */
  goSilent(): void {
    this.#isSilent = true;
  }

  /** Forwards new connections again. Data sent in the meantime is lost. */
  comeBack(): void {
    this.#isSilent = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
