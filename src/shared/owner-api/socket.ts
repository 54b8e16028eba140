import type { EventName, EventPayload } from './events.ts';

/**
 * Events reach a browser over a WebSocket of the local listener. The page's first message carries its proof. The address
 * does not, because addresses get logged, and because a page can't read why an upgrade was refused: it could not tell a
 * revoked token from an unreachable node.
 */

/** The path of the socket on the page's origin. */
export const EVENTS_PATH = '/ui/api/events';

/** The page's only message, sent as soon as the socket is open. */
export interface SocketHello {
  /** The page's proof (`proof.ts`), or the token itself. */
  readonly token: string;
}

/** The node's messages, each as JSON in a text message of its own. */
export type SocketMessage =
  /** The proof was accepted: events follow. */
  | { readonly kind: 'ready' }
  /** Sent every `ALIVE_EVERY_MS`, because a page can't see a WebSocket's own pings. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'event'; readonly event: EventName; readonly payload: EventPayload<EventName> };

export const ALIVE_EVERY_MS = 15_000;

/** Why the node closed a socket (RFC 6455 leaves 4000 to 4999 to applications). */
export const SOCKET_CLOSE = {
  /** The node stops, or moves to another address. */
  goingAway: 1001,
  /** The first message was malformed or late, or the page sent another message. */
  unexpected: 4400,
  unauthorized: 4401,
  tooMany: 4429,
} as const;
