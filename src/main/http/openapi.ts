import { z } from 'zod';
import { block } from '../../shared/protocol/block.ts';
import type { Destination } from '../../shared/protocol/codes.ts';
import { deviceRegistration, deviceResponse } from '../../shared/protocol/device.ts';
import { ERROR_STATUS, type ErrorText } from '../../shared/protocol/errors.ts';
import { MAX_BLOCKS_PER_BATCH, MAX_READINGS_RETURNED } from '../../shared/protocol/limits.ts';
import { readingResponse } from '../../shared/protocol/reading.ts';
import { MAX_UINT64 } from '../../shared/protocol/uint64.ts';

/** The OpenAPI description of an endpoint, made from the schemas that validate. */

type Json = Record<string, unknown>;

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const content = (schema: Json): Json => ({ 'application/json': { schema } });
const answer = (description: string, schema: Json): Json => ({ description, content: content(schema) });
const object = (properties: Json): Json => ({ type: 'object', required: Object.keys(properties), properties });

/** The document as JSON text; the two endpoints differ in how they turn requests away. */
export function openApiText(destination: Destination, version: string): string {
  const everywhere: ErrorText[] =
    destination === 'local' ? ['host_not_allowed', 'origin_not_allowed'] : ['rate_limited'];
  const writing: ErrorText[] = [
    'validation_error',
    'invalid_json',
    'payload_too_large',
    'unsupported_media_type',
    'storage_unavailable',
    'internal_error',
  ];
  const reading: ErrorText[] = ['storage_unavailable', 'internal_error'];
  const capped: ErrorText[] = destination === 'public' ? ['device_limit_reached'] : [];
  const document = {
    openapi: '3.1.0',
    info: {
      title: `Wellhouse node, ${destination} endpoint`,
      version,
      description: 'Registers sensor devices, takes in their signed readings and serves the most recent ones.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: {
      '/health': {
        get: operation('health', 'Whether the node runs', {
          200: answer('It does', object({ status: { const: 'ok' }, ts: { type: 'integer', minimum: 0 } })),
          ...errors([...everywhere, 'internal_error']),
        }),
      },
      '/openapi.json': {
        get: operation('openApi', 'This document', {
          200: answer('The document', { type: 'object' }),
          ...errors([...everywhere, 'internal_error']),
        }),
      },
      '/v1/devices': {
        get: operation('listDevices', 'All devices of this store', {
          200: answer('The devices', object({ devices: { type: 'array', items: ref('Device') } })),
          ...errors([...everywhere, ...reading]),
        }),
        post: {
          ...operation('registerDevice', 'Register a device', {
            201: answer('Registered', object({ device: ref('Device') })),
            ...errors([...everywhere, ...writing, ...capped, 'device_already_exists']),
          }),
          requestBody: { required: true, content: content(ref('DeviceRegistration')) },
        },
      },
      '/v1/devices/{id}': {
        parameters: [deviceIdParameter],
        get: operation('getDevice', 'One device', {
          200: answer('The device', object({ device: ref('Device') })),
          ...errors([...everywhere, ...reading, 'Device not found']),
        }),
      },
      '/v1/devices/{id}/telemetry': {
        parameters: [deviceIdParameter],
        get: operation('latestReadings', 'The latest 500 readings of a device, newest first', {
          200: answer(
            'The readings; none for an unknown device',
            object({ readings: { type: 'array', maxItems: MAX_READINGS_RETURNED, items: ref('Reading') } }),
          ),
          ...errors([...everywhere, ...reading]),
        }),
      },
      '/v1/telemetry': {
        post: {
          ...operation('postTelemetry', 'Hand in signed blocks', {
            200: answer(
              'Every block was accepted',
              object({ accepted: { type: 'integer', minimum: 1 }, errors: { type: 'array', maxItems: 0 } }),
            ),
            207: answer(
              'At least one block failed; the others are on disk',
              object({
                accepted: { type: 'integer', minimum: 0 },
                errors: { type: 'array', minItems: 1, items: object({ seq: string, error: string }) },
              }),
            ),
            ...errors([...everywhere, ...writing]),
          }),
          requestBody: {
            required: true,
            content: content(
              object({
                blocks: {
                  type: 'array',
                  minItems: 1,
                  maxItems: MAX_BLOCKS_PER_BATCH,
                  // A malformed block is no fault of the request: it fails alone, in a 207.
                  items: { anyOf: [ref('Block'), { description: 'Anything else fails by itself' }] },
                },
              }),
            ),
          },
        },
      },
    },
    components: {
      schemas: {
        DeviceRegistration: toJsonSchema(deviceRegistration, 'input'),
        Device: toJsonSchema(deviceResponse, 'output'),
        Block: toJsonSchema(block, 'input'),
        Reading: toJsonSchema(readingResponse, 'output'),
        Error: {
          type: 'object',
          required: ['error'],
          properties: {
            error: { enum: Object.keys(ERROR_STATUS) },
            details: {
              type: 'array',
              items: object({ code: string, path: { type: 'array' }, message: string }),
            },
          },
        },
      },
    },
  };
  // Written into the text, since a schema can't hold a number of that many digits.
  return JSON.stringify(document).replaceAll('"format":"uint64"', `"format":"uint64","maximum":${MAX_UINT64}`);
}

const string: Json = { type: 'string' };

const deviceIdParameter: Json = {
  name: 'id',
  in: 'path',
  required: true,
  description: "The device's public key in hex; anything else answers as an unknown device",
  schema: { type: 'string', minLength: 1 },
};

function operation(operationId: string, summary: string, responses: Json): Json {
  return { operationId, summary, responses };
}

/** The error responses by status: errors that share one are told apart by their text. */
function errors(texts: readonly ErrorText[]): Json {
  const responses: Json = {};
  for (const status of new Set(texts.map((text) => ERROR_STATUS[text]))) {
    const those = texts.filter((text) => ERROR_STATUS[text] === status);
    const headers = status === 503 || status === 429 ? { 'Retry-After': { schema: { type: 'integer' } } } : undefined;
    responses[status] = { ...answer(those.join(', '), ref('Error')), ...(headers && { headers }) };
  }
  return responses;
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      // An integer of any size is read as number or bigint; on the wire the two are one.
      if (def.type === 'union' && def.options.some((option) => option._zod.def.type === 'bigint')) {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, { type: 'integer', format: 'uint64', minimum: 0 });
      }
    },
  });
  return rest;
}
