import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';

/** Answers a request. Returns false to answer it with 404. */
export type Answering = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Another program of this machine that uses a node's port and records everything that it receives. */
export class Impostor {
  readonly #heard: string[];
  readonly #close: () => Promise<void>;

  private constructor(heard: string[], close: () => Promise<void>) {
    this.#heard = heard;
    this.#close = close;
  }

  static start(port: number, answering: Answering): Promise<Impostor> {
    const heard: string[] = [];
    const server = createServer(async (request, response) => {
      heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${await text(request)}`);
      if (!answering(request, response)) response.writeHead(404).end('{}');
    });
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket, request) => {
      heard.push(`a socket to ${request.url}`);
      socket.on('message', (data) => heard.push(`said: ${data.toString()}`));
    });
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        const close = (): Promise<void> => {
          for (const socket of sockets.clients) socket.terminate();
          server.closeAllConnections();
          return new Promise((closed) => server.close(() => closed()));
        };
        resolve(new Impostor(heard, close));
      });
    });
  }

  /** All received data as one text. */
  get heard(): string {
    return this.#heard.join('\n');
  }

  close(): Promise<void> {
    return this.#close();
  }
}
