import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { OwnCertificate } from './certificate.ts';

/** A received request. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Returns the answer to a request; undefined if it has sent the response itself. */
type Answer = (request: Received, response: ServerResponse) => { status: number; json: unknown } | undefined;

/** A small HTTP server on this machine that records its requests. */
export class AlertServer {
  readonly requests: Received[] = [];
  readonly #server: Server;
  readonly #origin: string;
  answer: Answer;

  private constructor(server: Server, origin: string, answer: Answer) {
    this.#server = server;
    this.#origin = origin;
    this.answer = answer;
    server.on('request', (request, response) => void this.#take(request, response));
  }

  static async start(answer: Answer = () => ({ status: 204, json: null }), tls?: OwnCertificate): Promise<AlertServer> {
    const server = tls === undefined ? createServer() : createSecureServer(tls);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new AlertServer(server, `http${tls === undefined ? '' : 's'}://127.0.0.1:${port}`, answer);
  }

  /** Its address, without a slash at the end. */
  get origin(): string {
    return this.#origin;
  }

  get bodies(): unknown[] {
    return this.requests.map(({ body }) => JSON.parse(body));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url = '', headers } = request;
    const received = { method, path: url, headers, body: Buffer.concat(parts).toString('utf8') };
    this.requests.push(received);
    const answer = this.answer(received, response);
    if (answer === undefined) return;
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(answer.json === null ? '' : JSON.stringify(answer.json));
  }
}

/** The schema of "publish as JSON": https://docs.ntfy.sh/publish/#publish-as-json */
const NTFY_FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  topic: (value) => typeof value === 'string' && /^[-_A-Za-z0-9]{1,64}$/.test(value),
  message: isText,
  title: isText,
  tags: (value) => Array.isArray(value) && value.every(isText),
  priority: (value) => [1, 2, 3, 4, 5].includes(value as number),
  click: (value) => isText(value) && URL.canParse(value as string),
  sequence_id: (value) => typeof value === 'string' && /^[-_A-Za-z0-9]{1,64}$/.test(value),
};

/**
 * Answers like ntfy and refuses everything that its documentation does not have. `token`: null if anyone may publish.
 */
export function asNtfy(token: string | null): Answer {
  const refuse = (http: number, code: number, error: string) => {
    return { status: http, json: { code, http, error, link: 'https://ntfy.sh/docs/publish/' } };
  };
  return ({ method, path, headers, body }) => {
    if (method !== 'POST' && method !== 'PUT') return refuse(404, 40401, 'page not found');
    // JSON must be published to the root.
    if (path !== '/') return refuse(400, 40009, 'invalid request: topic invalid');
    if (token !== null && headers.authorization === undefined) return refuse(403, 40301, 'forbidden');
    if (token !== null && headers.authorization !== `Bearer ${token}`) return refuse(401, 40101, 'unauthorized');
    const message = parsed(body);
    const isKnown = Object.entries(message).every(([name, value]) => NTFY_FIELDS[name]?.(value) === true);
    if (!isKnown || message.topic === undefined) return refuse(400, 40024, 'invalid request: body must be valid JSON');
    const { topic, title, message: text, priority, tags } = message;
    const time = Math.floor(Date.now() / 1000);
    return {
      status: 200,
      json: {
        id: 'wZ22cjyKXw1F',
        time,
        expires: time + 43_200,
        event: 'message',
        topic,
        title,
        message: text,
        priority,
        tags,
      },
    };
  };
}

/** Answers sendMessage like Telegram and refuses unknown parameters: https://core.telegram.org/bots/api */
export function asTelegram(token: string, chat: number | string): Answer {
  const refuse = (error_code: number, description: string) => {
    return { status: error_code, json: { ok: false, error_code, description } };
  };
  const optional: Readonly<Record<string, (value: unknown) => boolean>> = {
    link_preview_options: (value) => isDeepStrictEqual(value, { is_disabled: true }),
    disable_notification: (value) => typeof value === 'boolean',
  };
  return ({ method, path, headers, body }) => {
    const [, bot, called] = /^\/bot([^/]*)\/(\w+)$/.exec(path) ?? [];
    if (bot === undefined) return refuse(404, 'Not Found');
    if (bot !== token) return refuse(401, 'Unauthorized');
    if (called !== 'sendMessage' || method !== 'POST') return refuse(404, 'Not Found');
    if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
      return refuse(400, 'Bad Request: message text is empty');
    const { chat_id, text, ...others } = parsed(body);
    if (chat_id !== chat) return refuse(400, 'Bad Request: chat not found');
    if (!isText(text) || (text as string).length === 0) return refuse(400, 'Bad Request: message text is empty');
    if ((text as string).length > 4096) return refuse(400, 'Bad Request: message is too long');
    const isKnown = Object.entries(others).every(([name, value]) => optional[name]?.(value) === true);
    if (!isKnown) return refuse(400, 'Bad Request: unknown parameter');
    return {
      status: 200,
      json: { ok: true, result: { message_id: 7, date: 1, chat: { id: chat, type: 'private' }, text } },
    };
  };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function parsed(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return {};
  }
}
