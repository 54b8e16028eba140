import http from 'node:http';
import https from 'node:https';
import { parseJson64, stringifyJson64 } from '../shared/protocol/json64.ts';

/** How long the firmware waits for an answer, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 8000;

/** An answer of the node. */
export interface WireResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** Parsed JSON with 64-bit integers beyond 2^53 as bigint; the text if it is not JSON. */
  readonly body: unknown;
}

/**
 * The answer to a batch. Only status 200 confirms all of it; with 207, the blocks that are not in `errors` are stored.
 */
export interface PostResponse extends WireResponse {
  /** 0 if the status is neither 200 nor 207. */
  readonly accepted: number;
  readonly errors: { seq: string; error: string }[];
}

/**
 * The project's own client of the wire protocol. Every method rejects if there is no complete answer within the timeout
 * (refused, reset, too slow), and resolves with any HTTP status.
 */
export class WireClient {
  readonly #base: URL;
  readonly #timeoutMs: number;
  readonly #agent: http.Agent;

  /** Throws TypeError if the base URL is not http: or https:. A path in it is kept as a prefix. */
  constructor(baseUrl: string, options: { timeoutMs?: number } = {}) {
    this.#base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
    if (!/^https?:$/.test(this.#base.protocol)) throw new TypeError(`not an http URL: ${baseUrl}`);
    this.#timeoutMs = options.timeoutMs ?? REQUEST_TIMEOUT_MS;
    this.#agent = new (this.#base.protocol === 'https:' ? https : http).Agent({ keepAlive: true });
  }

  /** `POST /v1/devices`. */
  register(body: unknown): Promise<WireResponse> {
    return this.request('POST', '/v1/devices', body);
  }

  /** `POST /v1/telemetry` with these blocks as one batch. */
  async post(blocks: readonly unknown[]): Promise<PostResponse> {
    const response = await this.request('POST', '/v1/telemetry', { blocks });
    return { ...response, ...batchResult(response) };
  }

  /** `GET /health`. */
  health(): Promise<WireResponse> {
    return this.request('GET', '/health');
  }

  /** `GET /v1/devices`. */
  devices(): Promise<WireResponse> {
    return this.request('GET', '/v1/devices');
  }

  /** `GET /v1/devices/:id`. */
  device(id: string): Promise<WireResponse> {
    return this.request('GET', `/v1/devices/${encodeURIComponent(id)}`);
  }

  /** `GET /v1/devices/:id/telemetry`. */
  readings(id: string): Promise<WireResponse> {
    return this.request('GET', `/v1/devices/${encodeURIComponent(id)}/telemetry`);
  }

  /** Sends any request. The body is written as JSON, bigints with all their digits. */
  request(method: string, path: string, body?: unknown, headers: http.OutgoingHttpHeaders = {}): Promise<WireResponse> {
    const url = new URL(path.replace(/^\//, ''), this.#base);
    const text = body === undefined ? undefined : stringifyJson64(body);
    const transport = url.protocol === 'https:' ? https : http;
    const { promise, resolve, reject } = Promise.withResolvers<WireResponse>();
    const request = transport.request(url, {
      method,
      agent: this.#agent,
      // The timeout is for the whole exchange, not only for silence between two bytes, as in the firmware.
      signal: AbortSignal.timeout(this.#timeoutMs),
      headers: {
        accept: 'application/json',
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...headers,
      },
    });
    request.on('error', (error) => reject(asTimeout(error, this.#timeoutMs)));
    request.on('response', (response) => {
      readText(response).then(
        (received) => resolve({ status: response.statusCode!, headers: response.headers, body: parseBody(received) }),
        (error) => reject(asTimeout(error, this.#timeoutMs)),
      );
    });
    request.end(text);
    return promise;
  }

  /** Closes the kept connections; running requests fail. */
  close(): void {
    this.#agent.destroy();
  }
}

async function readText(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parseBody(text: string): unknown {
  try {
    return parseJson64(text);
  } catch {
    return text;
  }
}

/** Replaces the error of an aborted request by one that names the timeout. */
function asTimeout(error: Error, timeoutMs: number): Error {
  return error.name === 'AbortError' ? new Error(`no answer within ${timeoutMs / 1000} s`, { cause: error }) : error;
}

function batchResult({ status, body }: WireResponse): Pick<PostResponse, 'accepted' | 'errors'> {
  const empty = { accepted: 0, errors: [] };
  if ((status !== 200 && status !== 207) || typeof body !== 'object' || body === null) return empty;
  const { accepted, errors } = body as { accepted?: unknown; errors?: unknown };
  return {
    accepted: typeof accepted === 'number' ? accepted : 0,
    errors: Array.isArray(errors) ? errors.filter(isBlockError) : [],
  };
}

function isBlockError(value: unknown): value is { seq: string; error: string } {
  const error = value as { seq?: unknown; error?: unknown } | null;
  return typeof error?.seq === 'string' && typeof error.error === 'string';
}
