import { z } from 'zod';
import { type DeviceRegistration, deviceRegistration, deviceResponse } from '../../../shared/protocol/device.ts';
import { parseJson64 } from '../../../shared/protocol/json64.ts';
import { MAX_READINGS_RETURNED, MAX_REGISTRATION_BYTES } from '../../../shared/protocol/limits.ts';
import { readingResponse } from '../../../shared/protocol/reading.ts';
import type { Device } from '../../intake/device-directory.ts';
import type { Intake } from '../../intake/intake.ts';
import type { Joining } from '../../intake/joining.ts';
import { deviceJson } from '../device-json.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { StoreReads } from '../store-reads.ts';
import { getRoute, postRoute, type Route, type RouteAnswer } from './route.ts';

/** What the routes are made of that tell of devices. */
export interface DeviceReadRouteParts {
  readonly reads: StoreReads;
}

/** What the route is made of that registers a device. */
export interface RegisterRouteParts {
  readonly devices: Pick<StoreReads, 'device'>;
  readonly intake: Intake;
  readonly rateLimits: RateLimits | null;
  /** Lets devices in, or does not; null where any may register. */
  readonly joining: Joining | null;
  /** The list of all devices, where strangers register: it stays short enough to be sent. */
  readonly list: Pick<StoreReads, 'hasRoomFor' | 'registered'> | null;
  readonly maxBodyBytes: number;
}

const describedDevice = deviceResponse.meta({ id: 'Device' });
const oneDevice = z.object({ device: describedDevice });

/** GET /v1/devices, GET /v1/devices/:id, GET /v1/devices/:id/telemetry */
export function deviceReadRoutes({ reads }: DeviceReadRouteParts): Route[] {
  return [
    getRoute(
      {
        path: '/v1/devices',
        operationId: 'listDevices',
        summary: 'All devices of this store',
        answers: { 200: { description: 'The devices', schema: z.object({ devices: z.array(describedDevice) }) } },
        errors: ['storage_unavailable'],
      },
      () => readyAnswer(reads.listBody()),
    ),
    getRoute(
      {
        path: '/v1/devices/:id',
        operationId: 'getDevice',
        summary: 'One device',
        answers: { 200: { description: 'The device', schema: oneDevice } },
        errors: ['storage_unavailable', 'Device not found'],
      },
      async (request) => {
        const device = await reads.device(request.params.id);
        return device ? { status: 200, json: bodyOf(device) } : { error: 'Device not found' };
      },
    ),
    getRoute(
      {
        path: '/v1/devices/:id/telemetry',
        operationId: 'latestReadings',
        summary: `The latest ${MAX_READINGS_RETURNED} readings of a device, newest first`,
        answers: {
          200: {
            description: 'The readings; none for an unknown device',
            schema: z.object({
              readings: z.array(readingResponse.meta({ id: 'Reading' })).max(MAX_READINGS_RETURNED),
            }),
          },
        },
        errors: ['storage_unavailable'],
      },
      (request) => readyAnswer(reads.latestBody(request.params.id)),
    ),
  ];
}

/**
 * A body that is there is sent in the turn of its request: whether Node reads on from a connection that does not take its
 * answers depends on what it has been given to send by then.
 */
function readyAnswer(json: Buffer | Promise<Buffer>): RouteAnswer<200, never> | Promise<RouteAnswer<200, never>> {
  return json instanceof Promise ? json.then((ready) => ({ status: 200, json: ready })) : { status: 200, json };
}

function bodyOf({ registered }: Device): string {
  return `{"device":${deviceJson(registered)}}`;
}

const REGISTERED = { 201: { description: 'Registered', schema: oneDevice } };
type Registered = RouteAnswer<
  keyof typeof REGISTERED,
  'device_already_exists' | 'device_limit_reached' | 'joining_closed' | 'rate_limited' | 'storage_unavailable'
>;

/** POST /v1/devices */
export function registerRoute(parts: RegisterRouteParts): Route {
  return postRoute(
    {
      path: '/v1/devices',
      operationId: 'registerDevice',
      summary: 'Register a device',
      body: {
        schema: deviceRegistration,
        parse: parseJson64,
        maxBytes: Math.min(parts.maxBodyBytes, MAX_REGISTRATION_BYTES),
        describedBy: deviceRegistration.meta({ id: 'DeviceRegistration' }),
      },
      answers: REGISTERED,
      errors: [
        'joining_closed',
        'rate_limited',
        'storage_unavailable',
        'device_limit_reached',
        'device_already_exists',
      ],
    },
    (registration, request) => register(parts, registration, request.ip),
  );
}

async function register(parts: RegisterRouteParts, registration: DeviceRegistration, ip: string): Promise<Registered> {
  const { devices, intake, rateLimits, joining, list } = parts;
  if ((await devices.device(registration.id)) !== undefined) return { error: 'device_already_exists' };
  const wait = rateLimits?.mayRegister(ip) ?? 0;
  if (wait > 0) return { error: 'rate_limited', retryAfter: wait };
  if (list !== null && !(await list.hasRoomFor(registration))) return { error: 'device_limit_reached' };
  if (joining !== null && !joining.letIn(registration, ip)) return { error: 'joining_closed' };
  const takeBack = rateLimits?.countRegistration(ip);
  let result: Awaited<ReturnType<Intake['register']>> | undefined;
  try {
    result = await intake.register(registration);
  } finally {
    if (result !== 'created') takeBack?.();
    joining?.ended(result === 'created' ? registration.id : null);
  }
  if (result === 'created') list?.registered(registration);
  if (result === 'exists') return { error: 'device_already_exists' };
  if (result === 'limit') return { error: 'device_limit_reached' };
  return { status: 201, json: bodyOf((await devices.device(registration.id))!) };
}
