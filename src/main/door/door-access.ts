import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../owner/caller.ts';
import type { Access } from '../owner/transports/web.ts';
import type { Pairings } from './pairing/pairings.ts';

/** With this prefix, browsers accept the cookie only over TLS and only for this host, and no other page can set it. */
const COOKIE = '__Host-wellhouse';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** The longest time that browsers keep a cookie. Each visit renews it. */
const COOKIE_SECONDS = 400 * 86_400;

/**
 * Finds the caller of a request at the door. A pairing's token comes in a cookie from the door's page, or as a bearer
 * token. `letIn` is called with each connection of such a caller.
 */
export function doorAccess(pairings: Pairings, letIn: (socket: Socket) => void): Access {
  const callerBy = (request: FastifyRequest, token: string | null): Caller | null => {
    const caller = token !== null && TOKEN.test(token) ? pairings.callerOf(token, request.ip) : null;
    if (caller !== null) letIn(request.raw.socket);
    return caller;
  };
  return {
    callerOf: (request) => callerBy(request, bearerOf(request) ?? cookieOf(request)),
    ofSocket: (request, given) => callerBy(request, given !== '' ? given : (bearerOf(request) ?? cookieOf(request))),
  };
}

/** Returns the header that makes a browser store a token. */
export function keepingCookie(token: string): string {
  return `${COOKIE}=${token}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; Secure; SameSite=Strict`;
}

/** Returns the header that makes a browser delete its token. */
export function forgettingCookie(): string {
  return `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict`;
}

/** Returns the token in the cookie of a request, even if another page caused the request; null if there is none. */
export function cookieIn(header: string | undefined): string | null {
  for (const entry of (header ?? '').split(';')) {
    const [name, value = ''] = entry.trim().split('=', 2);
    if (name === COOKIE && TOKEN.test(value)) return value;
  }
  return null;
}

/** Returns the token in the cookie of a request from the door's own page; null if there is none. */
export function pageTokenOf(request: FastifyRequest): string | null {
  return cookieOf(request);
}

function bearerOf({ headers }: FastifyRequest): string | null {
  return /^Bearer ([^ ]+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/**
 * Returns the cookie's token only if the door's own page sent the request. A browser sends the cookie for any page, but
 * it also sends Origin with each POST and each WebSocket.
 */
function cookieOf({ headers, host }: FastifyRequest): string | null {
  return headers.origin === `https://${host}` ? cookieIn(headers.cookie) : null;
}
