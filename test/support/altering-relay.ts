import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { WebSocket, WebSocketServer } from 'ws';
import { doorOf } from './door.ts';
import type { RunningNode } from './node-process.ts';

/** The changes that a relay makes to the answers of its node. */
export interface Alterations {
  /** Changes the value of a call's answer. */
  value: (method: string, value: unknown) => unknown;
  /** Changes a message of the events: returns the messages to send in its place. */
  message: (message: { kind: string; event?: string; payload?: object }) => readonly unknown[];
}

/**
 * A relay in front of a node's door. It has that door's own certificate and changes the node's answers, as a node of
 * another version might answer.
 */
export class AlteringRelay {
  readonly alters: Alterations = { value: (_method, value) => value, message: (message) => [message] };
  readonly #server: Server;
  readonly #sockets = new Set<WebSocket>();

  private constructor(door: string, certificate: { cert: string; key: string }) {
    this.#server = createServer(certificate, (incoming, response) => {
      const { method, url, headers } = incoming;
      const onward = { method, headers: { ...headers, host: new URL(door).host }, rejectUnauthorized: false };
      const upstream = request(new URL(url!, door), onward, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const text = this.#altered(url!, Buffer.concat(parts).toString());
          response.writeHead(answer.statusCode!, { 'content-type': 'application/json' }).end(text);
        });
      });
      upstream.on('error', () => response.destroy());
      incoming.pipe(upstream);
    });
    const sockets = new WebSocketServer({ server: this.#server });
    sockets.on('connection', (near, { url, headers: { authorization = '' } }) => {
      const far = new WebSocket(new URL(url!, door.replace('https', 'wss')), {
        headers: { authorization },
        rejectUnauthorized: false,
      });
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
      }
      near.on('message', (data) => {
        if (far.readyState === WebSocket.OPEN) far.send(String(data));
        else far.once('open', () => far.send(String(data)));
      });
      far.on('message', (data) => {
        for (const message of this.alters.message(JSON.parse(String(data)))) near.send(JSON.stringify(message));
      });
      near.on('close', () => far.terminate());
      far.on('close', () => near.terminate());
    });
  }

  static async open(node: RunningNode): Promise<AlteringRelay> {
    const { authority, leaf } = JSON.parse(readFileSync(join(node.dataDir, 'door-certificate.json'), 'utf8')) as {
      authority: { cert: string };
      leaf: { cert: string; key: string };
    };
    const relay = new AlteringRelay(await doorOf(node), { cert: leaf.cert + authority.cert, key: leaf.key });
    await new Promise<void>((resolve, reject) => {
      relay.#server.once('error', reject);
      relay.#server.listen(0, '127.0.0.1', resolve);
    });
    return relay;
  }

  /** Returns the same link through the relay. */
  by(link: string): string {
    const through = new URL(link);
    through.port = String((this.#server.address() as AddressInfo).port);
    return through.href;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #altered(url: string, text: string): string {
    const answer = JSON.parse(text) as { ok?: boolean; value?: unknown };
    if (answer.ok !== true) return text;
    return JSON.stringify({ ...answer, value: this.alters.value(url.replace('/ui/api/', ''), answer.value) });
  }
}
