import { z } from 'zod';
import type { Clock } from '../../common/clock.ts';
import type { StoreRefusal } from '../../common/node-events.ts';
import { getRoute, type Route } from './route.ts';

/** A post waits as long for a store that another process has locked. */
const GIVE_UP_MS = 4000;

/** `refusal` returns the reason why the endpoint's store refuses readings now; null if it accepts them. */
export interface HealthRouteOptions {
  readonly refusal: () => Promise<StoreRefusal | null>;
  readonly clock: Pick<Clock, 'now'>;
}

/** GET /health */
export function healthRoute({ refusal, clock }: HealthRouteOptions): Route {
  const time = z.int().min(0);
  return getRoute(
    {
      path: '/health',
      operationId: 'health',
      summary: 'Whether the node runs and its store takes writes',
      answers: {
        200: {
          description: 'The node runs and accepts readings',
          schema: z.object({ status: z.literal('ok'), ts: time }),
        },
        503: {
          description: 'The node runs and answers reads, but accepts no readings now',
          schema: z.object({ status: z.literal('storage_unavailable'), ts: time }),
        },
      },
      errors: [],
    },
    async () => {
      const isRefused = await isRefusedBy(refusal);
      const status = isRefused ? 'storage_unavailable' : 'ok';
      return { status: isRefused ? 503 : 200, json: `{"status":"${status}","ts":${clock.now()}}` };
    },
  );
}

/** A store thread that does not answer does not accept readings either. */
function isRefusedBy(refusal: HealthRouteOptions['refusal']): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), GIVE_UP_MS);
    void refusal().then((reason) => {
      clearTimeout(timer);
      resolve(reason !== null);
    });
  });
}
