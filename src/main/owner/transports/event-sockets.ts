import type { WebSocket } from '@fastify/websocket';
import { z } from 'zod';
import {
  ALIVE_EVERY_MS,
  SOCKET_CLOSE,
  type SocketHello,
  type SocketMessage,
} from '../../../shared/owner-api/socket.ts';
import type { OnEvent } from '../api/events.ts';

/** Options of the WebSocket server that bound what one client may cost. */
export const SOCKET_LIMITS = {
  /** A token and the JSON around it; longer messages end the socket with code 1009. */
  maxPayload: 1024,
  /** How long a client may take to answer a close before its connection is cut. */
  closeTimeout: 1000,
} as const;

/** More than any owner has windows; bounds what a leaking client costs. */
const MAX_SOCKETS = 50;
/** Sockets that have not sent their token yet. Beyond it the oldest gives way, so that strangers keep nobody out. */
const MAX_WAITING = 20;
const HELLO_WITHIN_MS = 5000;
/** A client that reads so slowly is cut off: it comes back and asks for all that it shows. */
const MAX_UNREAD_BYTES = 256 * 1024;

const hello = z.strictObject({ token: z.string() }) satisfies z.ZodType<SocketHello>;

/** What the sockets need of the node. */
export interface EventSocketsParts {
  /** Whether this opens the events to a page that was opened by `host`. */
  readonly isOwner: (given: string, host: string) => boolean;
  readonly listen: (onEvent: OnEvent) => () => void;
  /** How often each client is looked at for life; shorter in tests. */
  readonly aliveEveryMs?: number;
}

/** The WebSockets that carry events to browsers: who may have one, and what an open one may cost. */
export class EventSockets {
  readonly #parts: EventSocketsParts;
  /** Oldest first, each with the timer that ends its wait for the token. */
  readonly #waiting = new Map<WebSocket, NodeJS.Timeout>();
  /** Each with whether it gave a sign of life since it was last asked for one. */
  readonly #open = new Map<WebSocket, { isAlive: boolean }>();
  #stopListening: (() => void) | null = null;
  #heartbeat: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(parts: EventSocketsParts) {
    this.#parts = parts;
  }

  /** Takes over a socket whose upgrade has passed the listener's guards; `host` is its request's. Its first message decides whether it stays. */
  accept(socket: WebSocket, host: string): void {
    if (this.#isClosed) {
      socket.close(SOCKET_CLOSE.goingAway);
      return;
    }
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined && this.#waiting.size >= MAX_WAITING) {
      this.#stopWaiting(oldest);
      oldest.terminate();
    }
    const timer = setTimeout(() => socket.close(SOCKET_CLOSE.unexpected), HELLO_WITHIN_MS);
    this.#waiting.set(socket, timer);
    socket.on('message', (data, isBinary) => this.#takeMessage(socket, host, isBinary ? null : data.toString()));
    socket.on('pong', () => {
      const client = this.#open.get(socket);
      if (client !== undefined) client.isAlive = true;
    });
    socket.once('close', () => this.#remove(socket));
  }

  /** Ends every socket, and takes no more. */
  close(): void {
    this.#isClosed = true;
    for (const socket of [...this.#waiting.keys(), ...this.#open.keys()]) socket.close(SOCKET_CLOSE.goingAway);
  }

  #takeMessage(socket: WebSocket, host: string, text: string | null): void {
    const refusal = this.#waiting.has(socket) ? this.#refusalOf(text, host) : SOCKET_CLOSE.unexpected;
    this.#stopWaiting(socket);
    if (refusal !== null) {
      socket.close(refusal);
      return;
    }
    this.#open.set(socket, { isAlive: true });
    this.#stopListening ??= this.#parts.listen((event, payload) => this.#sendAll({ kind: 'event', event, payload }));
    this.#heartbeat ??= setInterval(() => this.#lookForLife(), this.#parts.aliveEveryMs ?? ALIVE_EVERY_MS).unref();
    send(socket, JSON.stringify({ kind: 'ready' } satisfies SocketMessage));
  }

  #refusalOf(text: string | null, host: string): number | null {
    const said = hello.safeParse(parseJson(text));
    if (!said.success) return SOCKET_CLOSE.unexpected;
    if (!this.#parts.isOwner(said.data.token, host)) return SOCKET_CLOSE.unauthorized;
    return this.#open.size >= MAX_SOCKETS ? SOCKET_CLOSE.tooMany : null;
  }

  #stopWaiting(socket: WebSocket): void {
    clearTimeout(this.#waiting.get(socket));
    this.#waiting.delete(socket);
  }

  #remove(socket: WebSocket): void {
    this.#stopWaiting(socket);
    this.#open.delete(socket);
    if (this.#open.size > 0) return;
    this.#stopListening?.();
    this.#stopListening = null;
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    this.#heartbeat = null;
  }

  #sendAll(message: SocketMessage): void {
    const text = JSON.stringify(message);
    for (const socket of this.#open.keys()) send(socket, text);
  }

  #lookForLife(): void {
    for (const [socket, client] of this.#open) {
      if (!client.isAlive) socket.terminate();
      else socket.ping();
      client.isAlive = false;
    }
    this.#sendAll({ kind: 'alive' });
  }
}

/** Sends where the socket is open and its client reads. */
function send(socket: WebSocket, text: string): void {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
  else socket.send(text);
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
