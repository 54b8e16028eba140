import { Agent, request } from 'node:https';
import { connect } from 'node:tls';
import { WebSocket } from 'ws';
import type { Answer, Input, MethodName, Output } from '../../src/shared/owner-api/contract.ts';
import type { OpenedPairing, PairAnswer, PairRequest } from '../../src/shared/owner-api/door.ts';
import { EVENTS_PATH, type SocketMessage } from '../../src/shared/owner-api/socket.ts';
import { PAIR_PATH } from '../../src/shared/pairing-link.ts';
import type { RunningNode } from './node-process.ts';
import { call, closeCode } from './owner-client.ts';

/** An answer to a client of the door. */
export interface DoorReply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

interface DoorRequest {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  /** The trusted certificate in PEM; if missing, any certificate is accepted. */
  readonly ca?: string;
  /** The local address of the connection. */
  readonly from?: string;
}

const TIMEOUT_MS = 20_000;
const agent = new Agent({ keepAlive: true });

/** The variables that, with `--ui`, give a node a door on loopback. */
export const DOOR_ENV = { DOOR_ADDRESS: '127.0.0.1', DOOR_PORT: '0' } as const;

/** Returns the address of a node's door, such as `https://127.0.0.1:3443`. */
export async function doorOf(node: RunningNode): Promise<string> {
  const { door } = await call(node, 'door', {});
  if (door.state !== 'listening') throw new Error(`the door is not open: ${JSON.stringify(door)}`);
  return `https://${door.address}:${door.port}`;
}

/** Sends one request over TLS. */
export function sendToDoor(
  url: string,
  { method = 'GET', body, headers = {}, ca, from }: DoorRequest = {},
): Promise<DoorReply> {
  return new Promise((resolve, reject) => {
    const trust = ca === undefined ? { rejectUnauthorized: false, agent } : { ca };
    const source = from === undefined ? {} : { localAddress: from };
    const outgoing = request(url, { method, headers, timeout: TIMEOUT_MS, ...trust, ...source }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode!,
          headers: incoming.headers,
          text: Buffer.concat(parts).toString('utf8'),
        }),
      );
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Opens a pairing as somebody at the machine itself. */
export function openPairing(node: RunningNode, input: Partial<Input<'openPairing'>> = {}): Promise<OpenedPairing> {
  return call(node, 'openPairing', { name: 'Phone', role: 'owner', devices: null, mayUnlock: false, ...input });
}

/** Sends a pairing code, as the page does. */
export function givePairingCode(
  door: string,
  code: string,
  as: PairRequest['as'],
  { headers, from }: Pick<DoorRequest, 'headers' | 'from'> = {},
) {
  const origin: Record<string, string> = as === 'browser' ? { origin: door } : {};
  return sendToDoor(`${door}${PAIR_PATH}`, {
    method: 'POST',
    body: JSON.stringify({ code, as }),
    headers: { ...JSON_TYPE, ...origin, ...headers },
    ...(from === undefined ? {} : { from }),
  });
}

/** A paired client: its requests have its token or cookie. */
export class DoorClient {
  readonly door: string;
  readonly headers: Record<string, string>;
  readonly answer: PairAnswer | null;

  constructor(door: string, headers: Record<string, string>, answer: PairAnswer | null = null) {
    this.door = door;
    this.headers = headers;
    this.answer = answer;
  }

  /** Pairs as an app or as a browser. */
  static async pair(
    node: RunningNode,
    as: PairRequest['as'],
    input: Partial<Input<'openPairing'>> = {},
  ): Promise<DoorClient> {
    const door = await doorOf(node);
    const { code } = await openPairing(node, input);
    const reply = await givePairingCode(door, code, as);
    if (reply.status !== 200) throw new Error(`not paired: ${reply.status} ${reply.text}`);
    const { value } = JSON.parse(reply.text) as { value: PairAnswer };
    if (as === 'app') return new DoorClient(door, { authorization: `Bearer ${value.token}` }, value);
    return new DoorClient(door, { cookie: cookieOf(reply), origin: door }, value);
  }

  /** Calls a method. Returns the answer, also if it is an error. */
  async ask(method: string, input: unknown): Promise<{ status: number; answer: Answer<MethodName> }> {
    const reply = await sendToDoor(`${this.door}/ui/api/${method}`, {
      method: 'POST',
      body: JSON.stringify(input),
      headers: { ...JSON_TYPE, ...this.headers },
    });
    return { status: reply.status, answer: JSON.parse(reply.text) as Answer<MethodName> };
  }

  /** Calls a method that must succeed. */
  async call<M extends MethodName>(method: M, input: Input<M>): Promise<Output<M>> {
    const { status, answer } = await this.ask(method, input);
    if (!answer.ok) throw new Error(`${method} answered ${status} ${JSON.stringify(answer)}`);
    return answer.value as Output<M>;
  }

  /** Opens the events. The result has the received messages and the code that they end with. */
  events(headers: Record<string, string> = this.headers): DoorEvents {
    return new DoorEvents(this.door, headers);
  }
}

/** The events of a door as a client receives them. */
export class DoorEvents {
  readonly messages: SocketMessage[] = [];
  /** Resolves when the node has accepted the token; rejects if the node closes first. */
  readonly ready: Promise<void>;
  readonly ended: Promise<number>;
  readonly socket: WebSocket;

  constructor(door: string, headers: Record<string, string>, token = '') {
    this.socket = new WebSocket(`${door.replace('https', 'wss')}${EVENTS_PATH}`, {
      headers,
      rejectUnauthorized: false,
    });
    this.socket.on('error', () => {});
    this.ended = closeCode(this.socket);
    const ready = Promise.withResolvers<void>();
    this.ready = ready.promise;
    this.ready.catch(() => {});
    void this.ended.then((code) => ready.reject(new Error(`closed with ${code}`)));
    this.socket.on('open', () => this.socket.send(JSON.stringify({ token })));
    this.socket.on('message', (data) => {
      const message = JSON.parse(data.toString()) as SocketMessage;
      this.messages.push(message);
      if (message.kind === 'ready') ready.resolve();
    });
  }

  /** The devices in the events so far. */
  get devices(): string[] {
    return this.messages.flatMap((message) =>
      message.kind === 'event' && message.event === 'readings'
        ? (message.payload as { devices: string[] }).devices
        : [],
    );
  }
}

/** Returns the cookie of an answer in the form that a browser sends back. */
export function cookieOf({ headers }: DoorReply): string {
  const [cookie = ''] = [headers['set-cookie'] ?? []].flat();
  return cookie.split(';')[0]!;
}

/** Returns the certificate chain of a door, its own certificate first. */
export function chainOf(door: string): Promise<{ fingerprint: string; pem: string }[]> {
  const { hostname, port } = new URL(door);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      const chain = [];
      let certificate = socket.getPeerCertificate(true);
      for (;;) {
        const base64 = certificate.raw
          .toString('base64')
          .match(/.{1,64}/g)!
          .join('\n');
        chain.push({
          fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
          pem: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
        });
        if (certificate.issuerCertificate === undefined || certificate.issuerCertificate === certificate) break;
        certificate = certificate.issuerCertificate;
      }
      socket.end();
      resolve(chain);
    });
    socket.on('error', reject);
  });
}
