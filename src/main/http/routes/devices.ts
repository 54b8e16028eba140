import { z } from 'zod';
import { type DeviceRegistration, deviceRegistration, deviceResponse } from '../../../shared/protocol/device.ts';
import { parseJson64 } from '../../../shared/protocol/json64.ts';
import {
  MAX_DEVICES_OF_PAGE,
  MAX_READINGS_RETURNED,
  MAX_REGISTRATION_BYTES,
  PUBLIC_KEY_BYTES,
} from '../../../shared/protocol/limits.ts';
import { hexBytes, uint64Text } from '../../../shared/protocol/primitives.ts';
import { readingResponse } from '../../../shared/protocol/reading.ts';
import type { Clock } from '../../common/clock.ts';
import type { StoreRefusal } from '../../common/node-events.ts';
import type { Intake } from '../../intake/intake.ts';
import type { Joining, Registering } from '../../intake/joining/joining.ts';
import type { SharedLimits } from '../../store/port.ts';
import { StorageUnavailable } from '../../store/storage-unavailable.ts';
import { deviceJson } from '../device-json.ts';
import type { ListBody } from '../device-list.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { StoreReads } from '../store-reads.ts';
import { getRoute, postRoute, queryRoute, type Route, type RouteAnswer } from './route.ts';

export interface DeviceReadRouteOptions {
  readonly reads: StoreReads;
}

export interface RegisterRouteOptions {
  readonly devices: Pick<StoreReads, 'device'>;
  readonly intake: Intake;
  readonly rateLimits: RateLimits | null;
  /** The registrations that all nodes of a shared store count together; null if this node counts alone. */
  readonly sharedLimits: SharedLimits | null;
  readonly clock: Pick<Clock, 'now'>;
  readonly refusal: () => Promise<StoreRefusal | null>;
  /** Decides whether devices may register; null if all may. */
  readonly joining: Joining | null;
  /** The list of all devices, whose size is limited; null if few devices can be added. */
  readonly list: Pick<StoreReads, 'takeRoom'> | null;
  /** Called with a device that was refused because the store has reached its limit of devices. */
  readonly onDeviceLimit: (deviceId: string) => void;
  readonly maxBodyBytes: number;
}

const describedDevice = deviceResponse.meta({ id: 'Device' });
const oneDevice = z.object({ device: describedDevice });

/** Returns the schema of a whole number from 1 to `most` in the query, as text. */
function countUpTo(most: number) {
  return z
    .string({ error: 'must be given once' })
    .refine((text) => /^[1-9][0-9]{0,3}$/.test(text) && Number(text) <= most, {
      error: `must be a whole number from 1 to ${most}`,
    })
    .meta({ type: 'integer', minimum: 1, maximum: most });
}

const devicesQuery = z.object({
  limit: countUpTo(MAX_DEVICES_OF_PAGE).optional().meta({ description: 'The largest number of devices in the answer' }),
  after: hexBytes(PUBLIC_KEY_BYTES)
    .optional()
    .meta({ description: 'Only devices that were registered after this one' }),
});

const readingsQuery = z.object({
  limit: countUpTo(MAX_READINGS_RETURNED)
    .optional()
    .meta({ description: 'The largest number of readings in the answer' }),
  before: uint64Text.optional().meta({ description: 'Only readings that are older than the one with this seq' }),
});

/** GET /v1/devices, GET /v1/devices/:id, GET /v1/devices/:id/telemetry */
export function deviceReadRoutes({ reads }: DeviceReadRouteOptions): Route[] {
  return [
    queryRoute(
      {
        path: '/v1/devices',
        operationId: 'listDevices',
        summary: 'The devices of this store in the order of registration: all, or a page of them',
        query: devicesQuery,
        answers: {
          200: {
            description: 'The devices; beyond 16 MiB the first of them, with a header Link that names the next page',
            schema: z.object({ devices: z.array(describedDevice) }),
          },
        },
        errors: ['storage_unavailable'],
      },
      ({ limit, after }) => {
        if (limit === undefined && after === undefined) return listAnswer(reads);
        return devicePage(reads, Number(limit ?? MAX_DEVICES_OF_PAGE), after ?? null);
      },
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
        return device ? { status: 200, json: bodyOf(device.registered) } : { error: 'Device not found' };
      },
    ),
    queryRoute(
      {
        path: '/v1/devices/:id/telemetry',
        operationId: 'latestReadings',
        summary: `The latest ${MAX_READINGS_RETURNED} readings of a device, or a page of older ones, newest first`,
        query: readingsQuery,
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
      ({ limit, before }, { params: { id } }) => {
        if (limit === undefined && before === undefined) return readyAnswer(reads.latestBody(id));
        const most = Number(limit ?? MAX_READINGS_RETURNED);
        return readyAnswer(reads.readingsPage(id, most, before === undefined ? null : BigInt(before)));
      },
    ),
  ];
}

/**
 * Sends a cached body in the same turn as its request: Node decides by the bytes sent until then whether to keep
 * reading from a connection whose client does not read its answers.
 */
function readyAnswer(
  json: Buffer | Promise<string | Buffer>,
): RouteAnswer<200, never> | Promise<RouteAnswer<200, never>> {
  return json instanceof Promise ? json.then((ready) => ({ status: 200, json: ready })) : { status: 200, json };
}

function listAnswer(reads: StoreReads): RouteAnswer<200, never> | Promise<RouteAnswer<200, never>> {
  const answer = ({ json, last }: ListBody): RouteAnswer<200, never> => {
    if (last === null) return { status: 200, json };
    const next = `</v1/devices?limit=${MAX_DEVICES_OF_PAGE}&after=${last}>; rel="next"`;
    return { status: 200, json, headers: { link: next } };
  };
  const body = reads.listBody();
  return body instanceof Promise ? body.then(answer) : answer(body);
}

async function devicePage(
  reads: StoreReads,
  limit: number,
  after: string | null,
): Promise<RouteAnswer<200, 'validation_error'>> {
  const json = await reads.listPage(limit, after);
  if (json !== null) return { status: 200, json };
  // An empty page would mean that no more devices follow.
  const issue = { code: 'custom', path: ['after'], message: 'is not a device of this store' };
  return { error: 'validation_error', details: [issue] };
}

function bodyOf(registered: Parameters<typeof deviceJson>[0]): string {
  return `{"device":${deviceJson(registered)}}`;
}

const REGISTERED = { 201: { description: 'Registered', schema: oneDevice } };
type Registered = RouteAnswer<
  keyof typeof REGISTERED,
  'device_already_exists' | 'device_limit_reached' | 'joining_closed' | 'rate_limited' | 'storage_unavailable'
>;

/** POST /v1/devices */
export function registerRoute(options: RegisterRouteOptions): Route {
  return postRoute(
    {
      path: '/v1/devices',
      operationId: 'registerDevice',
      summary: 'Register a device',
      body: {
        schema: deviceRegistration,
        parse: parseJson64,
        maxBytes: Math.min(options.maxBodyBytes, MAX_REGISTRATION_BYTES),
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
    (registration, request) => register(options, registration, request.ip),
  );
}

async function register(
  options: RegisterRouteOptions,
  registration: DeviceRegistration,
  ip: string,
): Promise<Registered> {
  const answer = await tryToRegister(options, registration, ip);
  if ('error' in answer && answer.error === 'device_limit_reached') options.onDeviceLimit(registration.id);
  return answer;
}

async function tryToRegister(
  options: RegisterRouteOptions,
  registration: DeviceRegistration,
  ip: string,
): Promise<Registered> {
  const { devices, rateLimits, sharedLimits, joining } = options;
  if ((await devices.device(registration.id)) !== undefined) return { error: 'device_already_exists' };
  if (rateLimits !== null && sharedLimits !== null) {
    const taken = await rateLimits.takeShared(ip, sharedLimits);
    if (taken.wait > 0) return { error: 'rate_limited', retryAfter: taken.wait };
    return registerAtOnce(options, registration, taken.takeBack);
  }
  const wait = rateLimits?.mayRegister(ip) ?? 0;
  if (wait > 0) return { error: 'rate_limited', retryAfter: wait };
  if (joining !== null) return registerToJoin({ ...options, joining }, registration, ip);
  return registerAtOnce(options, registration, rateLimits?.countRegistration(ip) ?? (() => {}));
}

/** Registers a device that is allowed to. Calls `takeBack` if no new device was registered. */
async function registerAtOnce(
  { devices, intake, list }: RegisterRouteOptions,
  registration: DeviceRegistration,
  takeBack: () => void | Promise<void>,
): Promise<Registered> {
  let result: Awaited<ReturnType<Intake['register']>> | undefined;
  let giveBack: (() => void) | null = () => {};
  try {
    if (list !== null) giveBack = await list.takeRoom(registration);
    if (giveBack === null) return { error: 'device_limit_reached' };
    const way = intake.storeName === 'public' ? 'public' : 'local';
    result = await intake.register(registration, { way, by: null, received: registration });
  } finally {
    giveBack?.();
    if (result !== 'created') await takeBack();
  }
  if (result === 'exists') return { error: 'device_already_exists' };
  if (result === 'limit') return { error: 'device_limit_reached' };
  return { status: 201, json: bodyOf((await devices.device(registration.id))!.registered) };
}

/** At the gate a registration only waits; the first signed block completes it. */
async function registerToJoin(
  { rateLimits, joining, clock, refusal }: RegisterRouteOptions & { readonly joining: Joining },
  registration: DeviceRegistration,
  ip: string,
): Promise<Registered> {
  // A store that refuses writes could not keep the device later.
  const refused = joining.state.leftMs === null ? null : await refusal();
  if (refused !== null) throw new StorageUnavailable(refused.code, refused.message);
  const takeBack = rateLimits?.countRegistration(ip);
  let became: Registering | undefined;
  try {
    became = await joining.register(registration, ip);
  } finally {
    // Devices try again before each post, so a known or refused registration does not count.
    if (became !== 'new' && became !== 'beside') takeBack?.();
  }
  if (became === 'known' || became === 'registered') return { error: 'device_already_exists' };
  if (became === 'closed') return { error: 'joining_closed' };
  const { location = null, hardware = {} } = registration;
  return { status: 201, json: bodyOf({ ...registration, location, hardware, createdAt: clock.now() }) };
}
