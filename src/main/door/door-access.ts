import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../owner/caller.ts';
import type { Access } from '../owner/transports/web.ts';
import type { Pairings } from './pairing/pairings.ts';

/** With this prefix browsers take it over TLS alone, for this host alone, and let no other page set it. */
const COOKIE = '__Host-wellhouse';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** As long as browsers keep a cookie at most; each visit renews it. */
const COOKIE_SECONDS = 400 * 86_400;

/**
 * Finds the caller of a request at the door: a pairing's token comes in a cookie of this page, or as a bearer token.
 * `letIn` hears about each connection of such a caller.
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

/** The header by which a browser keeps a token. */
export function keepingCookie(token: string): string {
  return `${COOKIE}=${token}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; Secure; SameSite=Strict`;
}

/** The header by which a browser forgets its token. */
export function forgettingCookie(): string {
  return `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict`;
}

/** The token in the cookie of a request, also where another page has it sent; null: there is none. */
export function cookieIn(header: string | undefined): string | null {
  for (const entry of (header ?? '').split(';')) {
    const [name, value = ''] = entry.trim().split('=', 2);
    if (name === COOKIE && TOKEN.test(value)) return value;
  }
  return null;
}

/** The token in the cookie of a request that the door's own page sent; null: there is none. */
export function pageTokenOf(request: FastifyRequest): string | null {
  return cookieOf(request);
}

function bearerOf({ headers }: FastifyRequest): string | null {
  return /^Bearer ([^ ]+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/**
 * A browser sends the cookie along whatever page it shows, so it counts only where the browser says that the door's own page
 * asks: all of them send Origin with a POST and with a WebSocket.
 */
function cookieOf({ headers, host }: FastifyRequest): string | null {
  return headers.origin === `https://${host}` ? cookieIn(headers.cookie) : null;
}
