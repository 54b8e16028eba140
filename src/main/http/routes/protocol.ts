import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ListenerName } from '../../../shared/protocol/codes.ts';
import type { ErrorText } from '../../../shared/protocol/errors.ts';
import { type DeviceReadRouteOptions, deviceReadRoutes, type RegisterRouteOptions, registerRoute } from './devices.ts';
import { type HealthRouteOptions, healthRoute } from './health.ts';
import { addRoute, getRoute, type Route } from './route.ts';
import { type TelemetryRouteOptions, telemetryRoute } from './telemetry.ts';

export interface ProtocolRouteOptions
  extends DeviceReadRouteOptions,
    HealthRouteOptions,
    Omit<RegisterRouteOptions, 'devices' | 'joining' | 'list'>,
    Omit<TelemetryRouteOptions, 'deviceBudgets' | 'joining' | 'tellsUnknownDevices'> {}

/** The errors that a listener's guard may refuse requests with, and the route errors that never occur there. */
const ERRORS_OF: Readonly<Record<ListenerName, { refusals: readonly ErrorText[]; never: readonly ErrorText[] }>> = {
  local: {
    refusals: ['unauthorized', 'host_not_allowed', 'forwarded_request', 'origin_not_allowed'],
    never: ['rate_limited', 'joining_closed'],
  },
  public: { refusals: ['rate_limited'], never: ['joining_closed'] },
  gate: { refusals: ['rate_limited', 'origin_not_allowed'], never: ['device_limit_reached'] },
};

/** Adds every route of the protocol and the description of the routes. */
export function protocolRoutes(app: FastifyInstance, options: ProtocolRouteOptions): void {
  const routes = [
    healthRoute(options),
    registerRoute({
      ...{ ...options, devices: options.reads, joining: null, list: options.reads },
    }),
    ...deviceReadRoutes(options),
    telemetryRoute({ ...options, deviceBudgets: null, joining: null, tellsUnknownDevices: false }),
  ];
  for (const route of [...routes, descriptionRoute(options.name, routes)]) addRoute(app, route);
}

/** GET /openapi.json: describes all routes, including this one. */
function descriptionRoute(name: ListenerName, others: readonly Route[]): Route {
  let text: Promise<string> | undefined;
  const route: Route = getRoute(
    {
      path: '/openapi.json',
      operationId: 'openApi',
      summary: 'This document',
      answers: { 200: { description: 'The document', schema: z.looseObject({}) } },
      errors: [],
    },
    async () => {
      text ??= describeRoutes(name, [...others, route]);
      return { status: 200, json: await text };
    },
  );
  return route;
}

/** Returns the OpenAPI document of a listener with these routes, as JSON text. */
export async function describeRoutes(name: ListenerName, routes: readonly Route[]): Promise<string> {
  // Loaded on demand: devices never request it.
  const { openApiText } = await import('./openapi.ts');
  const { refusals, never } = ERRORS_OF[name];
  const described = routes.map((route) => {
    return { ...route, errors: route.errors.filter((error) => !never.includes(error)) };
  });
  return openApiText(name, described, refusals);
}
