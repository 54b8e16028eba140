import type { EventName, EventPayload } from './events.ts';

/**
 * How events travel to a browser: over a WebSocket of the local listener. The page's first message carries its proof.
 * Nothing else does: an address gets logged, and a page can't read why an upgrade was refused, so that it could not tell
 * a token that no longer opens from a node that is gone.
 */

/** Where the socket is, on the page's own origin. */
export const EVENTS_PATH = '/ui/api/events';

/** The page's message, sent once, as soon as the socket is open. */
export interface SocketHello {
  /** The page's proof (`proof.ts`), or the token itself. */
  readonly token: string;
}

/** The node's messages, each as JSON in a text message of its own. */
export type SocketMessage =
  /** It was taken: events follow. */
  | { readonly kind: 'ready' }
  /** A sign of life each `ALIVE_EVERY_MS`, since a page can't see a WebSocket's own pings. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'event'; readonly event: EventName; readonly payload: EventPayload<EventName> };

export const ALIVE_EVERY_MS = 15_000;

/** Why the node closed a socket (RFC 6455 leaves 4000 to 4999 to applications). */
export const SOCKET_CLOSE = {
  /** The node stops, or listens elsewhere from now on. */
  goingAway: 1001,
  /** A first message that is none, one that did not come in time, or any message after it. */
  unexpected: 4400,
  unauthorized: 4401,
  tooMany: 4429,
} as const;
