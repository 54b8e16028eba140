import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ErrorText, ValidationIssue } from '../../shared/protocol/errors.ts';
import { EMPTY_BODY } from './errors.ts';

/** A parsed JSON body, or the error for its sender. */
export type JsonBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ErrorText; readonly details?: readonly ValidationIssue[] };

/** Makes Fastify keep bodies as text. Each route parses its own, since only some need all digits of large integers. */
export function acceptJsonText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  // Any other type is accepted if the body is empty, since then there is no body whose type could be wrong.
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') done(null, '');
    else done(Object.assign(new Error('not JSON'), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 }));
  });
}

/** Parses the body of a request. Text nested too deeply for the parser counts as malformed. */
export function readJson(request: FastifyRequest, parse: (text: string) => unknown): JsonBody {
  const text = request.body;
  // The request object stays until the answer; its text can be freed now.
  request.body = undefined;
  if (typeof text !== 'string' || text === '') return { ok: false, error: 'validation_error', details: EMPTY_BODY };
  try {
    return { ok: true, value: parse(text) };
  } catch {
    return { ok: false, error: 'invalid_json' };
  }
}
