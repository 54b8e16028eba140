import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OwnerErrorCode } from '../../shared/owner-api.ts';
import { readJson } from '../http/json-body.ts';
import type { JsonAnswer } from './answer.ts';
import { EventStreams } from './event-streams.ts';
import type { OwnerService } from './service.ts';
import type { UiFile } from './ui-files.ts';
import { COMMON_HEADERS, fileAnswer, indexAnswer, type UiAnswer } from './ui-page.ts';
import { bearerCheck } from './ui-token.ts';

/** What the browser home of the owner's view is made of. */
export interface WebParts {
  readonly service: OwnerService;
  readonly token: string;
  readonly files: ReadonlyMap<string, UiFile>;
}

const MAX_CALL_BYTES = 1024 ** 2;
const JSON_TYPE = 'application/json; charset=utf-8';

const STATUS: Readonly<Record<OwnerErrorCode, number>> = {
  invalid_input: 400,
  unauthorized: 401,
  unknown_method: 404,
  not_found: 404,
  conflict: 409,
  storage_unavailable: 503,
  internal_error: 500,
};

/**
 * Adds the owner's view to the local listener, whose guards apply: its files, owner calls by POST and events by SSE. The
 * files are open to whoever reaches the listener, since they say nothing of the owner; every call and the event stream
 * need the token as a bearer header. No cookie is set: it would be sent to every port of the host.
 */
export function uiRoutes(app: FastifyInstance, { service, token, files }: WebParts): void {
  const isOwner = bearerCheck(token);
  const streams = new EventStreams((onEvent) => service.listen(onEvent));
  app.addHook('preClose', async () => streams.close());

  /** Before the body is read: a stranger's body is not worth parsing. */
  const guard = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(COMMON_HEADERS).header('cache-control', 'no-store');
    if (isOwner(request.headers.authorization)) return;
    return sendAnswer(reply.header('www-authenticate', 'Bearer'), { ok: false, error: 'unauthorized' });
  };
  const onError = (error: { statusCode?: number }, _request: FastifyRequest, reply: FastifyReply) => {
    // Too long, of another type than JSON, or cut off: the router's own errors, with their statuses.
    const status = error.statusCode ?? 500;
    const code = status < 500 ? 'invalid_input' : 'internal_error';
    void sendAnswer(reply, { ok: false, error: code }, status);
  };

  app.get('/ui', (_request, reply) => reply.headers(COMMON_HEADERS).redirect('/ui/', 308));
  app.get('/ui/', (_request, reply) => {
    service.warmUp();
    return sendFile(reply, indexAnswer(files.get('index.html')!));
  });
  app.get<{ Params: { '*': string } }>('/ui/*', (request, reply) => {
    const name = request.params['*'];
    const file = files.get(name);
    if (file === undefined) return reply.callNotFound();
    return sendFile(reply, name === 'index.html' ? indexAnswer(file) : fileAnswer(file));
  });
  app.get('/ui/api/events', { onRequest: guard, errorHandler: onError }, (request, reply) => {
    if (!streams.open(request, reply)) {
      return sendAnswer(reply, { ok: false, error: 'conflict', details: 'too many event streams' }, 503);
    }
  });
  app.post<{ Params: { method: string } }>(
    '/ui/api/:method',
    { bodyLimit: MAX_CALL_BYTES, onRequest: guard, errorHandler: onError },
    async (request, reply) => {
      const body = readJson(request, JSON.parse);
      if (!body.ok) return sendAnswer(reply, { ok: false, error: 'invalid_input', details: 'the body is not JSON' });
      return sendAnswer(reply, await service.callJson(request.params.method, body.value));
    },
  );
}

const PREFIX = Buffer.from('{"ok":true,"value":');
const SUFFIX = Buffer.from('}');

function sendAnswer(reply: FastifyReply, answer: JsonAnswer, status?: number): FastifyReply {
  reply.header('content-type', JSON_TYPE);
  if (answer.ok) return reply.send(Buffer.concat([PREFIX, Buffer.from(answer.json as Uint8Array), SUFFIX]));
  return reply.code(status ?? STATUS[answer.error]).send(JSON.stringify(answer));
}

function sendFile(reply: FastifyReply, { headers, body }: UiAnswer): FastifyReply {
  return reply.headers(headers).send(body);
}
