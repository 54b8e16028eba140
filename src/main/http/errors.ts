import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { ERROR_STATUS, type ErrorBody, type ErrorText, type ValidationIssue } from '../../shared/protocol/errors.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** The time after which a device tries again: shorter than its minute between posts. */
const RETRY_AFTER_SECONDS = 10;

/** Sends text that is already JSON. */
export function sendJson(reply: FastifyReply, body: string | Buffer, status = 200): FastifyReply {
  return reply.code(status).header('content-type', JSON_TYPE).send(body);
}

/** Sends an error response. The error determines the status. */
export function sendError(reply: FastifyReply, error: ErrorText, details?: readonly ValidationIssue[]): FastifyReply {
  const status = ERROR_STATUS[error];
  if (status === 503 || status === 429) {
    if (!reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER_SECONDS);
  }
  const body: ErrorBody = details === undefined ? { error } : { error, details };
  return sendJson(reply, JSON.stringify(body), status);
}

/** Returns the issues of a failed schema in the form of `details`. */
export function toIssues(error: z.ZodError): ValidationIssue[] {
  return error.issues.map(({ code, path, message }) => ({
    code: String(code),
    path: path.map((part) => (typeof part === 'number' ? part : String(part))),
    message,
  }));
}

/** The `details` for a request without a body. */
export const EMPTY_BODY: readonly ValidationIssue[] = [
  { code: 'invalid_type', path: [], message: 'must be a JSON object; the body is empty' },
];

const FASTIFY_ERRORS: Readonly<Record<string, ErrorText>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_BAD_URL: 'not_found',
};

/** Returns the text for an error that Fastify itself raised; undefined if it is unexpected. */
export function fastifyErrorText(error: { code?: string; statusCode?: number }): ErrorText | undefined {
  const known = FASTIFY_ERRORS[error.code ?? ''];
  if (known !== undefined) return known;
  return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
    ? 'bad_request'
    : undefined;
}
