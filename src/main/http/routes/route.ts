import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ErrorText, ValidationIssue } from '../../../shared/protocol/errors.ts';
import { sendError, sendJson, toIssues } from '../errors.ts';
import { readJson } from '../json-body.ts';

/** A request; the only path parameter of any route is the device's id. */
export type RouteRequest = FastifyRequest<{ Params: { readonly id: string } }>;

/** An error answer. `retryAfter` is in seconds. */
export interface Failure<Errors extends ErrorText = ErrorText> {
  readonly error: Errors;
  readonly details?: readonly ValidationIssue[];
  readonly retryAfter?: number;
}

/** The answer of a route: JSON text with one of the route's statuses, or one of its errors. */
export type RouteAnswer<Statuses = number, Errors extends ErrorText = ErrorText> =
  | {
      readonly status: Statuses;
      readonly json: string | Buffer;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | Failure<Errors>;

/** The body that a route accepts. */
export interface RouteBody<Body = unknown> {
  readonly schema: z.ZodType<Body>;
  /** Parses the text for the schema: JSON.parse, or a parser that keeps all digits of long integers. */
  readonly parse: (text: string) => unknown;
  readonly maxBytes: number;
  /** The schema for the OpenAPI document, if it says more than `schema`. */
  readonly describedBy?: z.ZodType;
}

/** One answer in the OpenAPI document. */
interface AnswerDescription {
  readonly description: string;
  readonly schema: z.ZodType;
}

/** One route: its handler, and the data for its OpenAPI description. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** With `:id` for the parameter. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly body: RouteBody | null;
  /** The query parameters; null if the route has none. Others are ignored. */
  readonly query: z.ZodObject | null;
  /** The answers by status. */
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  /** The errors of this route in addition to those of every route; includes errors of reading a body. */
  readonly errors: readonly ErrorText[];
  readonly handle: (request: RouteRequest) => RouteAnswer | Promise<RouteAnswer>;
}

/** The errors of any route that reads a body. */
const BODY_ERRORS = [
  'validation_error',
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
] as const satisfies readonly ErrorText[];

interface Described<Statuses extends number, Errors extends ErrorText>
  extends Pick<Route, 'path' | 'operationId' | 'summary'> {
  readonly answers: Readonly<Record<Statuses, AnswerDescription>>;
  readonly errors: readonly Errors[];
}

/** Creates a route that only reads. An answer or an error that the description lacks does not compile. */
export function getRoute<Statuses extends number, Errors extends ErrorText>(
  description: Described<Statuses, Errors>,
  handle: (request: RouteRequest) => RouteAnswer<Statuses, Errors> | Promise<RouteAnswer<Statuses, Errors>>,
): Route {
  return { ...description, method: 'GET', body: null, query: null, handle };
}

/** Creates a GET route with query parameters, which are validated for `handle`: a wrong one gives status 400. */
export function queryRoute<Statuses extends number, Errors extends ErrorText, Query extends z.ZodObject>(
  description: Described<Statuses, Errors> & { readonly query: Query },
  handle: (
    query: z.infer<Query>,
    request: RouteRequest,
  ) => RouteAnswer<Statuses, Errors> | Promise<RouteAnswer<Statuses, Errors>>,
): Route {
  const { errors, query, ...rest } = description;
  return {
    ...{ ...rest, query, method: 'GET', body: null, errors: ['validation_error', ...errors] },
    handle: (request) => {
      const checked = query.safeParse(request.query);
      if (!checked.success) return { error: 'validation_error', details: toIssues(checked.error) };
      return handle(checked.data, request);
    },
  };
}

/**
 * Creates a route with a body, which is validated for `handle`. `admit` is called before the body is parsed, and
 * returns an error to refuse the request, or null. An answer or an error that the description lacks does not compile.
 */
export function postRoute<Statuses extends number, Errors extends ErrorText, Body>(
  description: Described<Statuses, Errors> & {
    readonly body: RouteBody<Body>;
    readonly admit?: (request: RouteRequest) => Promise<Failure<Errors> | null>;
  },
  handle: (body: Body, request: RouteRequest) => RouteAnswer<Statuses, Errors> | Promise<RouteAnswer<Statuses, Errors>>,
): Route {
  const { body, admit, errors, ...rest } = description;
  return {
    ...rest,
    method: 'POST',
    body,
    query: null,
    errors: [...BODY_ERRORS, ...errors],
    handle: async (request) => {
      const refusal = (await admit?.(request)) ?? null;
      if (refusal !== null) return refusal;
      const read = readJson(request, body.parse);
      if (!read.ok) return { error: read.error, ...(read.details && { details: read.details }) };
      const checked = body.schema.safeParse(read.value);
      if (!checked.success) return { error: 'validation_error', details: toIssues(checked.error) };
      return handle(checked.data, request);
    },
  };
}

/** Adds a route to a listener. */
export function addRoute(app: FastifyInstance, { method, path, body, handle }: Route): void {
  app.route<{ Params: { id: string } }>({
    method,
    url: path,
    ...(body !== null && { bodyLimit: body.maxBytes }),
    handler: (request, reply) => {
      const answer = handle(request);
      return answer instanceof Promise ? answer.then((made) => sendAnswer(reply, made)) : sendAnswer(reply, answer);
    },
  });
}

function sendAnswer(reply: FastifyReply, answer: RouteAnswer): FastifyReply {
  if ('json' in answer) return sendJson(reply.headers(answer.headers ?? {}), answer.json, answer.status);
  if (answer.retryAfter !== undefined) reply.header('retry-after', answer.retryAfter);
  return sendError(reply, answer.error, answer.details);
}
