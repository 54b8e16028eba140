import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ErrorText, ValidationIssue } from '../../shared/protocol/errors.ts';
import { EMPTY_BODY } from './errors.ts';

/** A body read as JSON, or what its sender is told. */
export type JsonBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ErrorText; readonly details?: readonly ValidationIssue[] };

/** Takes bodies as text: each route parses its own, since only some need all the digits of large integers. */
export function acceptJsonText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  // Anything else passes when it turns out to be empty, for then there is no body whose type could be wrong.
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') done(null, '');
    else done(Object.assign(new Error('not JSON'), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 }));
  });
}

/** Parses the body of a request. Text nested too deeply for the parser counts as malformed. */
export function readJson(request: FastifyRequest, parse: (text: string) => unknown): JsonBody {
  const text = request.body;
  // The request lives until it is answered; its text need not.
  request.body = undefined;
  if (typeof text !== 'string' || text === '') return { ok: false, error: 'validation_error', details: EMPTY_BODY };
  try {
    return { ok: true, value: parse(text) };
  } catch {
    return { ok: false, error: 'invalid_json' };
  }
}
