import { X509Certificate } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type OwnCertificate, ownCertificate } from './certificate.ts';

/** A server that answers over TLS with its own certificate and records every byte that it receives. */
export class ListeningImpostor {
  readonly certificate: OwnCertificate;
  heard = '';
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(certificate: OwnCertificate, alsoShown: string) {
    this.certificate = certificate;
    this.#server = createServer({ cert: certificate.cert + alsoShown, key: certificate.key }, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true,"value":{}}');
    });
    this.#server.on('secureConnection', (socket) => {
      this.#sockets.add(socket);
      socket.on('data', (data: Buffer) => {
        this.heard += data.toString('latin1');
      });
      socket.on('error', () => {});
    });
  }

  /** `alsoShown`: certificates of others that it sends after its own. */
  static async open({
    port = 0,
    certificate = ownCertificate(['127.0.0.1']),
    alsoShown = '',
  }: {
    port?: number;
    certificate?: OwnCertificate;
    alsoShown?: string;
  } = {}): Promise<ListeningImpostor> {
    const impostor = new ListeningImpostor(certificate, alsoShown);
    await new Promise<void>((resolve, reject) => {
      impostor.#server.once('error', reject);
      impostor.#server.listen(port, '127.0.0.1', resolve);
    });
    return impostor;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get fingerprint(): string {
    return new X509Certificate(this.certificate.cert).fingerprint256.replaceAll(':', '').toLowerCase();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
