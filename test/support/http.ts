import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { parseJson64, stringifyJson64 } from '../../src/shared/protocol/json64.ts';

/** The firmware gives up after 8 s, so an answer that takes longer is none. */
const TIMEOUT_MS = 8_000;
const agent = new Agent({ keepAlive: true });

/** The ports of nodes that take requests in turn; the next one is first. */
const turns = new Map<string, string[]>();

/** From now on requests to the first node go to both in turn, as a balancer would have it. */
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

/** A response, as it came. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as it travelled. */
  readonly bytes: Buffer;
  /** The body as JSON; integers beyond 2^53 are bigints. Throws where it is no JSON. */
  readonly json: unknown;
}

/** The request that `send` sends. */
export interface RequestOptions {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** `application/json` by default where there is a body; null sends none. */
  readonly contentType?: string | null;
  /** Sends the body without a Content-Length. */
  readonly chunked?: boolean;
  /** The address that the connection comes from. */
  readonly localAddress?: string;
  /** How long to wait for an answer, in milliseconds; as long as the firmware does by default. */
  readonly timeoutMs?: number;
}

/** Sends one request and reads the whole response. Rejects when no answer came in time, or when the connection ends without a response. */
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
    // A node may answer and close before it has read all of a body; the answer is what counts then.
    outgoing.on('error', (error) => {
      if (!answered) reject(error);
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${timeoutMs} ms: ${method} ${url}`)));
    outgoing.end(body);
  });
}

/** Posts a value as JSON; a bigint goes out with all its digits. */
export function post(url: string, value: unknown, options: RequestOptions = {}): Promise<Reply> {
  return send(url, { method: 'POST', body: stringifyJson64(value), ...options });
}

/** Writes text to a bare connection and reads until the node closes it, or for at most 8 s. */
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
