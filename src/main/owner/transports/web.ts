import type { Socket } from 'node:net';
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MAX_KEYSTORE_BYTES } from '../../../shared/crypto/keystore/keystore-limits.ts';
import type { OwnerErrorCode } from '../../../shared/owner-api/contract.ts';
import { PROVE_PATH, type ProofRequest } from '../../../shared/owner-api/proof.ts';
import { EVENTS_PATH } from '../../../shared/owner-api/socket.ts';
import type { JsonAnswer } from '../api/calls.ts';
import type { OwnerService } from '../api/service.ts';
import { type Caller, LOCAL_CALLERS } from '../caller.ts';
import type { UiFiles } from '../page/ui-files.ts';
import { COMMON_HEADERS, type CodedAnswer, codedAnswer, indexAnswer } from '../page/ui-page.ts';
import { UiProof } from '../page/ui-proof.ts';
import { EventSockets, SOCKET_LIMITS } from './event-sockets.ts';

/** The pairings that have sent calls over each open connection, so that it can be closed when one of them is revoked. */
class CallConnections {
  readonly #pairingsOf = new Map<Socket, Set<string>>();

  add(pairing: string, socket: Socket): void {
    const known = this.#pairingsOf.get(socket);
    if (known !== undefined) return void known.add(pairing);
    this.#pairingsOf.set(socket, new Set([pairing]));
    // One listener for all pairings: the connection of a proxy has many.
    socket.once('close', () => this.#pairingsOf.delete(socket));
  }

  /**
   * Closes the connections at once. A call whose body is still arriving is never executed, and the rest of an answer is
   * not sent.
   */
  destroy(pairing: string): void {
    for (const [socket, pairings] of this.#pairingsOf) if (pairings.has(pairing)) socket.destroy();
  }
}

export interface WebOptions {
  readonly service: OwnerService;
  readonly files: UiFiles;
  readonly access: Access;
}

/** Identifies callers over a listener. */
export interface Access {
  /** Returns the sender of a request; null if it is unknown. */
  callerOf(request: FastifyRequest): Caller | null;
  /**
   * Returns the caller that opens a socket, by its request and the token in its first message; null if it is unknown.
   */
  ofSocket(request: FastifyRequest, given: string): Caller | null;
}

/** The clients that have the view open over a listener. */
export interface WebClients {
  /** Closes the event sockets of a deleted pairing. */
  closePairing(id: string): void;
  /** Closes the connections of a pairing's calls at once. */
  cutOff(id: string): void;
}

const MAX_CALL_BYTES = 1024 ** 2;
/** The size of a keystore in base64, with the JSON around it. */
const MAX_KEYSTORE_CALL_BYTES = Math.ceil(MAX_KEYSTORE_BYTES / 3) * 4 + 4096;
const MAX_PROVE_BYTES = 1024;
const JSON_TYPE = 'application/json; charset=utf-8';

const STATUS: Readonly<Record<OwnerErrorCode, number>> = {
  invalid_input: 400,
  unauthorized: 401,
  forbidden: 403,
  unknown_method: 404,
  not_found: 404,
  conflict: 409,
  too_many: 429,
  storage_unavailable: 503,
  internal_error: 500,
};

/**
 * Adds the owner's view to the local listener. Every call needs the page's proof (or the token) as a bearer header, and
 * every socket as its first message. There is no cookie, because browsers would send it to every port of the host.
 */
export function localUiRoutes(
  app: FastifyInstance,
  { token, ...options }: Omit<WebOptions, 'access'> & { token: string },
) {
  const proof = new UiProof(token);
  const access: Access = {
    callerOf: ({ headers, host }) => callerBy(proof.whoseHeader(headers.authorization, host)),
    ofSocket: ({ host }, given) => callerBy(proof.whose(given, host)),
  };
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  uiRoutes(app, { ...options, access });
  app.post(PROVE_PATH, { bodyLimit: MAX_PROVE_BYTES, errorHandler: onError }, async (request, reply) => {
    reply.headers(COMMON_HEADERS).header('cache-control', 'no-store');
    // A page that gets a proof now would trust any program that answers at this address next.
    if (isClosing) return sendAnswer(reply.header('connection', 'close'), { ok: false, error: 'storage_unavailable' });
    const answer = proof.answer(request.host, nonceIn(request.body));
    if (answer === null) return sendAnswer(reply, { ok: false, error: 'invalid_input' });
    return sendAnswer(reply, { ok: true, json: Buffer.from(JSON.stringify(answer)) });
  });
}

/**
 * Adds the owner's view to a listener, whose guards apply: its files, owner calls by POST and events over a WebSocket.
 * Anyone who reaches the listener can read the files, since they contain nothing of the owner's.
 */
export function uiRoutes(app: FastifyInstance, { service, files, access }: WebOptions): WebClients {
  const connections = new CallConnections();
  const sockets = new EventSockets({ listen: (onEvent) => service.listen(onEvent) });
  const callers = new WeakMap<FastifyRequest, Caller>();

  /** Runs before the body is read, so that bodies of unknown callers are never parsed. */
  const guard = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(COMMON_HEADERS).header('cache-control', 'no-store');
    const caller = access.callerOf(request);
    if (caller !== null) {
      if (caller.pairing !== null) connections.add(caller.pairing.id, request.raw.socket);
      return void callers.set(request, caller);
    }
    return sendAnswer(reply.header('www-authenticate', 'Bearer'), { ok: false, error: 'unauthorized' });
  };

  app.get('/ui', (_request, reply) => reply.headers(COMMON_HEADERS).redirect('/ui/', 308));
  app.get('/ui/', (_request, reply) => {
    service.warmUp();
    return sendFile(reply, indexAnswer(files().get('index.html')!));
  });
  app.get<{ Params: { '*': string } }>('/ui/*', (request, reply) => {
    const name = request.params['*'];
    const file = files().get(name);
    if (file === undefined) return reply.callNotFound();
    if (name === 'index.html') return sendFile(reply, indexAnswer(file));
    const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers;
    return sendFile(reply, codedAnswer(file, { acceptEncoding, ifNoneMatch }));
  });
  // The plugin checks every request of the scope that it is registered in, so it has its own scope.
  app.register(async (scope) => {
    await scope.register(websocket, {
      options: SOCKET_LIMITS,
      // The library has already answered a violation of the protocol or its limits with the right code.
      errorHandler: (_error, socket) => socket.close(),
      preClose: (done) => {
        sockets.close();
        done();
      },
    });
    // The library writes the answer to a handshake.
    scope.websocketServer.on('headers', (headers) => {
      for (const [name, value] of Object.entries(COMMON_HEADERS)) headers.push(`${name}: ${value}`);
    });
    scope.route({
      method: 'GET',
      url: EVENTS_PATH,
      onRequest: async (request, reply) => (request.ws ? undefined : guard(request, reply)),
      errorHandler: onError,
      handler: (_request, reply) => {
        reply.header('upgrade', 'websocket');
        return sendAnswer(reply, { ok: false, error: 'invalid_input', details: 'this is a WebSocket' }, 426);
      },
      wsHandler: (socket, request) => sockets.accept(socket, (given) => access.ofSocket(request, given)),
    });
  });
  const answerCalls = (path: string, bodyLimit: number, methodOf: (request: FastifyRequest) => string): void => {
    app.post(path, { bodyLimit, onRequest: guard, errorHandler: onError }, async (request, reply) => {
      let input: unknown;
      try {
        input = JSON.parse(String(request.body));
      } catch {
        return sendAnswer(reply, { ok: false, error: 'invalid_input', details: 'the body is not JSON' });
      }
      const caller = callers.get(request)!;
      return sendAnswer(reply, await service.calls.callJson(caller, methodOf(request), input, request.ip));
    });
  };
  answerCalls('/ui/api/:method', MAX_CALL_BYTES, ({ params }) => (params as { method: string }).method);
  answerCalls('/ui/api/writeKeystore', MAX_KEYSTORE_CALL_BYTES, () => 'writeKeystore');
  return {
    closePairing: (id) => sockets.closePairing(id),
    cutOff: (id) => connections.destroy(id),
  };
}

const callerBy = (whose: 'page' | 'command' | null): Caller | null => (whose === null ? null : LOCAL_CALLERS[whose]);

/** Answers the router's own errors with their statuses: a body that is too long, is not JSON or was cut off. */
function onError(error: { statusCode?: number }, _request: FastifyRequest, reply: FastifyReply): void {
  const status = error.statusCode ?? 500;
  const code = status < 500 ? 'invalid_input' : 'internal_error';
  void sendAnswer(reply, { ok: false, error: code }, status);
}

function nonceIn(body: unknown): unknown {
  try {
    return (JSON.parse(String(body)) as Partial<ProofRequest> | null)?.nonce;
  } catch {
    return null;
  }
}

const PREFIX = Buffer.from('{"ok":true,"value":');
const SUFFIX = Buffer.from('}');

/** Sends the answer of a call. */
export function sendAnswer(reply: FastifyReply, answer: JsonAnswer, status?: number): FastifyReply {
  reply.header('content-type', JSON_TYPE);
  if (answer.ok) return reply.send(Buffer.concat([PREFIX, Buffer.from(answer.json as Uint8Array), SUFFIX]));
  return reply.code(status ?? STATUS[answer.error]).send(JSON.stringify(answer));
}

function sendFile(reply: FastifyReply, { headers, body }: CodedAnswer): FastifyReply {
  return reply
    .code(body === null ? 304 : 200)
    .headers(headers)
    .send(body);
}
