import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server, ServerOptions } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { ListenerName } from '../../shared/protocol/codes.ts';
import { ERROR_STATUS, type ErrorText } from '../../shared/protocol/errors.ts';
import { isStorageFault } from '../store/storage-unavailable.ts';
import { fastifyErrorText, sendError, sendJson } from './errors.ts';
import { acceptJsonText } from './json-body.ts';
import { AnswerBudget } from './limits/answer-budget.ts';
import { BodyBudget } from './limits/body-budget.ts';
import { capConnections } from './limits/connections.ts';
import type { RateLimits } from './limits/rate-limits.ts';

/** The options of a listener, except its routes. */
export interface ListenerOptions {
  /** `door` and `metrics` do not serve the devices' protocol. */
  readonly name: ListenerName | 'door' | 'metrics';
  readonly log: Logger;
  /** Returns the error to refuse a request with, before any other check; null if it may continue. */
  readonly guard: (request: IncomingMessage) => ErrorText | null;
  /** Returns whether an address is a proxy whose X-Forwarded-For is trusted. Without it, no address is. */
  readonly isTrustedProxy?: (address: string) => boolean;
  /** Called before any route; returns whether it answered the request. */
  readonly intercept?: (request: FastifyRequest, reply: FastifyReply) => boolean;
  /** null if requests are not limited. */
  readonly rateLimits: RateLimits | null;
  readonly maxBodyBytes: number;
  /** Called for each answer with status 401, 403 or 429. */
  readonly onRefused?: (error: string, request: FastifyRequest) => void;
  /** Called for each answer with its status and its duration in milliseconds. */
  readonly onAnswered?: (status: number, ms: number) => void;
  /** If true, every unknown path and method is answered with 404, also another method of a known path. */
  readonly hidesTheRest?: boolean;
  /** Creates the server if it is not plain HTTP. Its creator also bounds its connections. */
  readonly createServer?: (options: ServerOptions, handler: RequestListener) => HttpsServer;
}

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const TIMEOUT_CHECK_MS = 1000;
/** Longer than the minute between two posts of a device. */
const KEEP_ALIVE_MS = 75_000;
const MAX_CONNECTIONS = 1024;
const LONGEST_PATH_PARAMETER = 16_384;
/**
 * Headers of every answer: a browser must not guess another content type, and must not give the answer to a page of
 * another origin.
 */
const GUARDED = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' } as const;

const REFUSED: ReadonlySet<number> = new Set([
  ERROR_STATUS.unauthorized,
  ERROR_STATUS.host_not_allowed,
  ERROR_STATUS.rate_limited,
]);

/** zod checks bodies, and answers are written as text. Without this, Fastify would load Ajv at every start. */
const NO_SCHEMAS = { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } };

function refuseSchema(): never {
  throw new Error('a route takes no Fastify schema: see http/routes/route.ts');
}

/** Creates the server of a listener. `addRoutes` adds its routes. The server does not listen yet. */
export function createListener(options: ListenerOptions, addRoutes: (app: FastifyInstance) => void): FastifyInstance {
  const makeServer = options.createServer;
  const methodsByPath = new Map<string, Set<string>>();
  const socketPaths = new Set<string>();
  const serverOptions: ServerOptions = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    // The guard refuses a request without Host, with its own error.
    requireHostHeader: false,
    // Other requests that offer an upgrade, such as curl's to HTTP/2, are answered as if they did not. So are requests
    // that the guard refuses, since the WebSocket plugin would leave their connections open, and faulty handshakes,
    // which the plugin would answer without our headers.
    shouldUpgradeCallback: (request) => {
      const { method, url = '' } = request;
      const isSocket = method === 'GET' && isHandshake(request.headers) && socketPaths.has(url);
      return isSocket && options.guard(request) === null;
    },
  };
  const app: FastifyInstance = fastify({
    logger: false,
    ...(options.isTrustedProxy !== undefined && { trustProxy: options.isTrustedProxy }),
    bodyLimit: options.maxBodyBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: NO_SCHEMAS,
    routerOptions: { maxParamLength: LONGEST_PATH_PARAMETER },
    ...(makeServer === undefined
      ? { http: serverOptions }
      : { serverFactory: (handler: RequestListener) => timed(makeServer(serverOptions, handler)) }),
    clientErrorHandler: answerMalformedRequest,
    frameworkErrors: (_error, request, reply) => {
      reply.headers(GUARDED);
      // The path can't be decoded, so it has no hex id. A request for a device is answered as for an unknown device.
      const refusal = options.guard(request.raw);
      if (refusal !== null) return sendError(reply, refusal);
      if (options.hidesTheRest === true) return sendError(reply, 'not_found');
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return answerUnknownRoute(request, reply, methodsByPath);
      if (/^\/v1\/devices\/[^/?]+\/telemetry(?:\?|$)/.test(request.url)) return sendJson(reply, '{"readings":[]}');
      return sendError(reply, /^\/v1\/devices\/[^/?]+(?:\?|$)/.test(request.url) ? 'Device not found' : 'not_found');
    },
  });
  const answers = new AnswerBudget();
  const bodies = new BodyBudget(options.maxBodyBytes);
  app.addHook('onRoute', ({ url, method, wsHandler }) => {
    if (wsHandler !== undefined) socketPaths.add(url);
    const methods = methodsByPath.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByPath.set(url, methods);
  });
  // The hook uses a callback: a promise for each request would cost more than the checks.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(GUARDED);
    const refusal = options.guard(request.raw);
    if (refusal !== null) return void sendError(reply, refusal);
    const wait = options.rateLimits?.takeRequest(request.ip) ?? 0;
    if (wait > 0) {
      // A new handshake costs the client more than another request.
      if (makeServer !== undefined) reply.header('connection', 'close');
      return void sendError(reply.header('retry-after', wait), 'rate_limited');
    }
    bodies.take(request.raw, reply.raw);
    if (options.intercept?.(request, reply) === true) return;
    if (request.is404) {
      return void (options.hidesTheRest
        ? sendError(reply, 'not_found')
        : answerUnknownRoute(request, reply, methodsByPath));
    }
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const { length = 0 } = (payload ?? '') as { length?: number };
    if (options.onRefused !== undefined && REFUSED.has(reply.statusCode)) options.onRefused(errorIn(payload), request);
    answers.take(reply.raw, request.raw.socket, length);
    done(null, payload);
  });
  const { onAnswered } = options;
  if (onAnswered !== undefined) {
    app.addHook('onResponse', (_request, reply, done) => {
      onAnswered(reply.statusCode, reply.elapsedTime);
      done();
    });
  }
  app.setNotFoundHandler((_request, reply) => sendError(reply, 'not_found'));
  app.setErrorHandler((error: Error & { code?: string; statusCode?: number }, _request, reply) => {
    if (isStorageFault(error)) return sendError(reply, 'storage_unavailable');
    const known = fastifyErrorText(error);
    if (known === undefined) options.log.error({ err: error, listener: options.name }, 'unexpected failure');
    return sendError(reply, known ?? 'internal_error');
  });
  acceptJsonText(app);
  if (makeServer === undefined) capConnections(app.server as Server, MAX_CONNECTIONS);
  // An unknown Expect header changes nothing: the request goes through the guards as usual.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  addRoutes(app);
  return app;
}

/** Returns whether the headers are a WebSocket handshake (RFC 6455) without a subprotocol, as the listener supports no subprotocols. */
function isHandshake(headers: IncomingHttpHeaders): boolean {
  return (
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-version'] === '13' &&
    headers['sec-websocket-protocol'] === undefined &&
    /^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')
  );
}

/** Returns the error text in an answer. */
function errorIn(payload: unknown): string {
  try {
    return String((JSON.parse(String(payload)) as { error?: unknown }).error);
  } catch {
    return '';
  }
}

/** Sets the timeouts that Fastify sets on a server of its own. */
function timed(server: HttpsServer): HttpsServer {
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

/** Answers 405 with the allowed methods if the path is known, else 404. */
function answerUnknownRoute(
  request: FastifyRequest,
  reply: FastifyReply,
  methodsByPath: ReadonlyMap<string, ReadonlySet<string>>,
): FastifyReply {
  const segments = request.url.replace(/\?.*$/, '').split('/');
  for (const [path, methods] of methodsByPath) {
    const pattern = path.split('/');
    const fits = pattern.every((part, index) =>
      part.startsWith(':') ? segments[index] !== '' : part === segments[index],
    );
    if (fits && pattern.length === segments.length) {
      return sendError(reply.header('allow', [...methods].sort().join(', ')), 'method_not_allowed');
    }
  }
  return sendError(reply, 'not_found');
}

/** Answers malformed requests: bytes that are not HTTP, oversized headers, a client that is too slow. */
function answerMalformedRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, text] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', 'request_timeout']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'headers_too_large']
        : [`${ERROR_STATUS.bad_request} Bad Request`, 'bad_request' satisfies ErrorText];
  const body = JSON.stringify({ error: text });
  const guards = Object.entries(GUARDED).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n${guards.join('')}` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
}
