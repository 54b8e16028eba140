import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ListenerName } from '../../../shared/protocol/codes.ts';
import type { ErrorText } from '../../../shared/protocol/errors.ts';
import { type DeviceRouteParts, deviceReadRoutes, registerRoute } from './devices.ts';
import { healthRoute } from './health.ts';
import { addRoute, getRoute, type Route } from './route.ts';
import { type TelemetryRouteParts, telemetryRoute } from './telemetry.ts';

/** What the protocol's routes are made of. */
export interface ProtocolRouteParts extends DeviceRouteParts, TelemetryRouteParts {
  readonly name: ListenerName;
}

/** What a listener turns any request away with, and what it never answers of what its routes could. */
const ERRORS_OF: Readonly<Record<ListenerName, { refusals: readonly ErrorText[]; never: readonly ErrorText[] }>> = {
  local: { refusals: ['host_not_allowed', 'origin_not_allowed'], never: ['rate_limited', 'device_limit_reached'] },
  public: { refusals: ['rate_limited'], never: [] },
};

/** Every route of the protocol, and its description. */
export function protocolRoutes(app: FastifyInstance, parts: ProtocolRouteParts): void {
  const routes = [healthRoute(), registerRoute(parts), ...deviceReadRoutes(parts), telemetryRoute(parts)];
  for (const route of [...routes, descriptionRoute(parts.name, routes)]) addRoute(app, route);
}

/** GET /openapi.json: describes the routes, and itself. */
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
      text ??= describe(name, [...others, route]);
      return { status: 200, json: await text };
    },
  );
  return route;
}

async function describe(name: ListenerName, routes: readonly Route[]): Promise<string> {
  // Loaded when it is asked for: devices never do.
  const { openApiText } = await import('../openapi.ts');
  const { refusals, never } = ERRORS_OF[name];
  const described = routes.map((route) => {
    return { ...route, errors: route.errors.filter((error) => !never.includes(error)) };
  });
  return openApiText(name, described, refusals);
}
