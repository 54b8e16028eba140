import type { FastifyInstance } from 'fastify';
import { sendJson } from '../errors.ts';

/** GET /health */
export function healthRoute(app: FastifyInstance): void {
  app.get('/health', (_request, reply) => sendJson(reply, `{"status":"ok","ts":${Date.now()}}`));
}
