import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { parseJson64, stringifyJson64 } from '../../src/shared/protocol/json64.ts';

/** The firmware gives up after 8 s, so a later answer does not count. */
const TIMEOUT_MS = 8_000;
const agent = new Agent({ keepAlive: true });

/** The ports of nodes that receive requests in turn; the next one is first. */
const turns = new Map<string, string[]>();

/** Makes requests to the first node go to both nodes in turn, as with a load balancer. */
export function takeTurns(url: string, other: string): void {
  const { port } = new URL(url);
  turns.set(port, [port, new URL(other).port]);
}

function inTurn(url: string): string {
  return url.replace(/(?<=^http:\/\/[^/]*:)\d+/, (port) => {
    const ports = turns.get(port);
    if (ports === undefined) return port;
    ports.push(ports.shift()!);
    return ports.at(-1)!;
  });
}

/** A response. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The bytes of the body. */
  readonly bytes: Buffer;
  /** The body as JSON; integers beyond 2^53 are bigints. Throws if it is not JSON. */
  readonly json: unknown;
}

/** The request that `send` sends. */
export interface RequestOptions {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** `application/json` by default if there is a body; null sends none. */
  readonly contentType?: string | null;
  /** Sends the body without a Content-Length. */
  readonly chunked?: boolean;
  /** The local address of the connection. */
  readonly localAddress?: string;
  /** The timeout for an answer, in milliseconds; by default that of the firmware. */
  readonly timeoutMs?: number;
}

/**
 * Sends one request and reads the whole response. Rejects if no answer arrives in time, or if the connection ends
 * without one.
 */
export function send(url: string, options: RequestOptions = {}): Promise<Reply> {
  const { method = 'GET', body, chunked = false, localAddress, timeoutMs = TIMEOUT_MS } = options;
  const headers: OutgoingHttpHeaders = { ...options.headers };
  const contentType = options.contentType === undefined ? 'application/json' : options.contentType;
  if (body !== undefined && contentType !== null) headers['content-type'] = contentType;
  if (body !== undefined && !chunked) headers['content-length'] = Buffer.byteLength(body);
  return new Promise((resolve, reject) => {
    let answered = false;
    const outgoing = request(
      inTurn(url),
      { method, headers, agent, timeout: timeoutMs, ...(localAddress === undefined ? {} : { localAddress }) },
      (incoming) => {
        answered = true;
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const bytes = Buffer.concat(parts);
          const text = bytes.toString('utf8');
          resolve({
            status: incoming.statusCode!,
            headers: incoming.headers,
            text,
            bytes,
            get json() {
              return parseJson64(text);
            },
          });
        });
      },
    );
    // A node may answer and close before it has read the whole body; the answer counts then.
    outgoing.on('error', (error) => {
      if (!answered) reject(error);
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${timeoutMs} ms: ${method} ${url}`)));
    outgoing.end(body);
  });
}

/** Posts a value as JSON. A bigint keeps all its digits. */
export function post(url: string, value: unknown, options: RequestOptions = {}): Promise<Reply> {
  return send(url, { method: 'POST', body: stringifyJson64(value), ...options });
}

/** Writes text to a plain connection and reads until the node closes it, for at most 8 s. */
export function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(inTurn(url));
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection stayed open; received: ${received}`));
    }, TIMEOUT_MS);
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      received += part;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
    socket.write(text);
  });
}
