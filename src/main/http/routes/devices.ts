import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { deviceRegistration } from '../../../shared/protocol/device.ts';
import { parseJson64 } from '../../../shared/protocol/json64.ts';
import { MAX_REGISTRATION_BYTES } from '../../../shared/protocol/limits.ts';
import type { Store } from '../../store/store.ts';
import { sendError, sendJson, toIssues } from '../errors.ts';
import { readJson } from '../json-body.ts';
import type { RateLimits } from '../rate-limits.ts';

/** What the device routes are made of. */
export interface DeviceRouteParts {
  readonly store: Store;
  readonly rateLimits: RateLimits | null;
  readonly maxBodyBytes: number;
  /** Told of each new device. */
  readonly onRegistered: (id: string) => void;
}

type WithId = { Params: { id: string } };

/** POST and GET /v1/devices, GET /v1/devices/:id, GET /v1/devices/:id/telemetry */
export function deviceRoutes(app: FastifyInstance, parts: DeviceRouteParts): void {
  const { store } = parts;
  const bodyLimit = Math.min(parts.maxBodyBytes, MAX_REGISTRATION_BYTES);

  app.post('/v1/devices', { bodyLimit }, (request, reply) => register(parts, request, reply));

  app.get('/v1/devices', (_request, reply) => sendJson(reply, store.devices.listBody()));

  app.get<WithId>('/v1/devices/:id', (request, reply) => {
    const device = store.devices.find(request.params.id);
    return device ? sendJson(reply, `{"device":${device.json}}`) : sendError(reply, 'Device not found');
  });

  app.get<WithId>('/v1/devices/:id/telemetry', (request, reply) => {
    const device = store.devices.find(request.params.id);
    return sendJson(reply, device ? store.latestReadingsBody(device.device) : '{"readings":[]}');
  });
}

async function register(parts: DeviceRouteParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { store, rateLimits } = parts;
  const body = readJson(request, parseJson64);
  if (!body.ok) return sendError(reply, body.error, body.details);
  const checked = deviceRegistration.safeParse(body.value);
  if (!checked.success) return sendError(reply, 'validation_error', toIssues(checked.error));
  const registration = checked.data;
  if (store.devices.find(registration.id) !== undefined) return sendError(reply, 'device_already_exists');

  const wait = rateLimits?.mayRegister(request.ip) ?? 0;
  if (wait > 0) return sendError(reply.header('retry-after', wait), 'rate_limited');
  const takeBack = rateLimits?.countRegistration(request.ip);
  let result: Awaited<ReturnType<Store['register']>> | undefined;
  try {
    result = await store.register({ kind: 'register', registration, createdAt: Date.now() });
  } finally {
    if (result !== 'created') takeBack?.();
  }
  if (result === 'exists') return sendError(reply, 'device_already_exists');
  if (result === 'limit') return sendError(reply, 'device_limit_reached');
  parts.onRegistered(registration.id);
  return sendJson(reply, `{"device":${store.devices.find(registration.id)!.json}}`, 201);
}
