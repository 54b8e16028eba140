import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import type { ListenerName } from '../../../shared/protocol/codes.ts';
import { ERROR_STATUS, type ErrorText } from '../../../shared/protocol/errors.ts';
import { MAX_UINT64 } from '../../../shared/protocol/uint64.ts';
import { VERSION } from '../../common/version.ts';
import type { Route } from './route.ts';

/** The OpenAPI description of a listener, built from its routes. */

const errorBody = z
  .object({
    error: z.enum(Object.keys(ERROR_STATUS)),
    details: z
      .array(z.object({ code: z.string(), path: z.array(z.union([z.string(), z.int()])), message: z.string() }))
      .optional(),
  })
  .meta({ id: 'Error' });

const idParameter = z.object({
  id: z
    .string()
    .min(1)
    .meta({ description: "The device's public key in hex; anything else answers as an unknown device" }),
});

const DESCRIPTIONS: Readonly<Record<ListenerName, string>> = {
  local: 'Registers sensor devices, takes in their signed readings and serves the most recent ones.',
  public: 'Registers sensor devices, takes in their signed readings and serves the most recent ones.',
  gate: 'Registers sensor devices while joining is open and takes in their signed readings. Nothing can be read.',
};

/** Returns the document as JSON text. `refusals` are the errors that any request may be refused with. */
export function openApiText(name: ListenerName, routes: readonly Route[], refusals: readonly ErrorText[]): string {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: name === 'gate' ? 'Wellhouse node, gate' : `Wellhouse node, ${name} endpoint`,
        version: VERSION,
        description: DESCRIPTIONS[name],
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      paths: pathsOf(routes, refusals),
    },
    { override: describeUint64 },
  );
  // The limit is inserted into the text, since a schema can't hold a number with so many digits.
  return JSON.stringify(document).replaceAll('"format":"uint64"', `"format":"uint64","maximum":${MAX_UINT64}`);
}

function pathsOf(routes: readonly Route[], refusals: readonly ErrorText[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const path = route.path.replace(':id', '{id}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, refusals) };
  }
  return paths;
}

function operationOf(route: Route, refusals: readonly ErrorText[]): ZodOpenApiOperationObject {
  const { operationId, summary, path, body, query, answers, errors } = route;
  const hasId = path.includes(':id');
  const described = Object.entries(answers).map(([status, { description, schema }]) => {
    return [status, { description, content: { 'application/json': { schema } } }];
  });
  return {
    operationId,
    summary,
    ...((hasId || query !== null) && {
      requestParams: { ...(hasId && { path: idParameter }), ...(query !== null && { query }) },
    }),
    ...(body !== null && {
      requestBody: { required: true, content: { 'application/json': { schema: body.describedBy ?? body.schema } } },
    }),
    responses: { ...Object.fromEntries(described), ...failures([...refusals, ...errors, 'internal_error']) },
  };
}

/** Returns the error responses by status. Errors with the same status differ in their text. */
function failures(texts: readonly ErrorText[]): ZodOpenApiResponsesObject {
  const byStatus = Object.entries(Object.groupBy(new Set(texts), (text) => ERROR_STATUS[text]));
  return Object.fromEntries(
    byStatus.map(([status, those = []]) => {
      const headers = status === '503' || status === '429' ? { headers: z.object({ 'Retry-After': z.int() }) } : {};
      return [
        status,
        { description: those.join(', '), content: { 'application/json': { schema: errorBody } }, ...headers },
      ];
    }),
  );
}

/** A 64-bit integer is parsed as number or bigint; in the description both are one integer. */
const describeUint64: ZodOpenApiOverride = ({ zodSchema, jsonSchema }) => {
  const { def } = zodSchema._zod;
  if (def.type !== 'union' || !def.options.some((option) => option._zod.def.type === 'bigint')) return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, { type: 'integer', format: 'uint64', minimum: 0 });
};
