import type { FastifyInstance } from 'fastify';
import { telemetryBatch } from '../../../shared/protocol/block.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import type { Turnstile } from '../../ingest/turnstile.ts';
import { sendError, sendJson, toIssues } from '../errors.ts';
import { readJson } from '../json-body.ts';
import type { RateLimits } from '../rate-limits.ts';

/** What the telemetry route is made of. */
export interface TelemetryRouteParts {
  readonly ingest: Ingest;
  readonly rateLimits: RateLimits | null;
  /** null on the local endpoint. */
  readonly turnstile: Turnstile | null;
  readonly maxBodyBytes: number;
}

/** POST /v1/telemetry */
export function telemetryRoute(app: FastifyInstance, parts: TelemetryRouteParts): void {
  const { ingest, rateLimits, turnstile, maxBodyBytes } = parts;
  app.post('/v1/telemetry', { bodyLimit: maxBodyBytes }, async (request, reply) => {
    const way = turnstile?.enter(request.raw.socket, String(request.body).length) ?? 'open';
    if (way === 'full') return sendError(reply, 'rate_limited');
    if (way !== 'open') await way;
    // seq and timestamp are strings here, so plain JSON keeps every digit.
    const body = readJson(request, JSON.parse);
    if (!body.ok) return sendError(reply, body.error, body.details);
    const checked = telemetryBatch.safeParse(body.value);
    if (!checked.success) return sendError(reply, 'validation_error', toIssues(checked.error));
    const { blocks } = checked.data;
    const wait = rateLimits?.takeBlocks(request.ip, blocks.length) ?? 0;
    if (wait > 0) return sendError(reply.header('retry-after', wait), 'rate_limited');
    const { accepted, errors } = await ingest.takeIn(blocks);
    if (errors.length === 0) return sendJson(reply, `{"accepted":${accepted},"errors":[]}`);
    return sendJson(reply, JSON.stringify({ accepted, errors }), 207);
  });
}
