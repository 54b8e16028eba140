import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from './errors.ts';

/** Answers reads at the local endpoint that don't bring its token, where it has one; says whether it did. */
export function refuseRead(request: FastifyRequest, reply: FastifyReply, token: string | null): boolean {
  if (token === null || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
  // By the route and not by the path, of which there are many spellings. A route that is not there tells nothing.
  if (request.routeOptions.url?.startsWith('/v1/') !== true) return false;
  const sent = Buffer.from(/^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '');
  const right = Buffer.from(token);
  if (sent.length === right.length && timingSafeEqual(sent, right)) return false;
  void sendError(reply.header('www-authenticate', 'Bearer'), 'unauthorized');
  return true;
}
