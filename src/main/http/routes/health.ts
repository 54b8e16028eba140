import { z } from 'zod';
import { getRoute, type Route } from './route.ts';

/** GET /health */
export function healthRoute(): Route {
  return getRoute(
    {
      path: '/health',
      operationId: 'health',
      summary: 'Whether the node runs',
      answers: {
        200: { description: 'It does', schema: z.object({ status: z.literal('ok'), ts: z.int().min(0) }) },
      },
      errors: [],
    },
    () => ({ status: 200, json: `{"status":"ok","ts":${Date.now()}}` }),
  );
}
