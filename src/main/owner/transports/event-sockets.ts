import type { WebSocket } from '@fastify/websocket';
import { z } from 'zod';
import type { EventName, EventPayload } from '../../../shared/owner-api/events.ts';
import {
  ALIVE_EVERY_MS,
  SOCKET_CLOSE,
  type SocketHello,
  type SocketMessage,
} from '../../../shared/owner-api/socket.ts';
import type { OnEvent } from '../api/events.ts';
import { type Caller, sightOf } from '../caller.ts';
import { viewersEvent } from '../sight.ts';

/** Options of the WebSocket server that bound the cost of one client. */
export const SOCKET_LIMITS = {
  /** The size of a token and the JSON around it, in bytes. A longer message closes the socket with code 1009. */
  maxPayload: 1024,
  /** The time that a client has to answer a close before its connection is cut, in milliseconds. */
  closeTimeout: 1000,
} as const;

/**
 * More windows than any owner opens; bounds the cost of a client that leaks sockets. Beyond it, the pairing with the
 * most sockets loses one.
 */
const MAX_SOCKETS = 50;
/**
 * The most sockets that have not sent their token yet. Beyond it, the oldest is closed, so that strangers can't block
 * others.
 */
const MAX_WAITING = 20;
const HELLO_WITHIN_MS = 5000;
/**
 * The connection of a client that reads so slowly is cut. The client reconnects and requests everything that it shows.
 */
const MAX_UNREAD_BYTES = 256 * 1024;

const hello = z.strictObject({ token: z.string() }) satisfies z.ZodType<SocketHello>;

/** The dependencies of the sockets. */
export interface EventSocketsDependencies {
  readonly listen: (onEvent: OnEvent) => () => void;
  /** The interval of the checks whether each client is alive; shorter in tests. */
  readonly aliveEveryMs?: number;
}

/** The WebSockets that carry events to browsers. Decides who may have one, and bounds their cost. */
export class EventSockets {
  readonly #dependencies: EventSocketsDependencies;
  /** Oldest first, each with the timer that ends its wait for the token. */
  readonly #waiting = new Map<WebSocket, NodeJS.Timeout>();
  /** Each with its caller, and whether it has responded since the last ping. */
  readonly #open = new Map<WebSocket, { isAlive: boolean; readonly caller: Caller }>();
  #stopListening: (() => void) | null = null;
  #heartbeat: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(dependencies: EventSocketsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Accepts a socket whose upgrade has passed the listener's guards. Its first message decides whether it stays:
   * `admit` returns the caller for the token in it, or null if it is unknown.
   */
  accept(socket: WebSocket, admit: (given: string) => Caller | null): void {
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
    socket.on('message', (data, isBinary) => this.#takeMessage(socket, admit, isBinary ? null : data.toString()));
    socket.on('pong', () => {
      const client = this.#open.get(socket);
      if (client !== undefined) client.isAlive = true;
    });
    socket.once('close', () => this.#remove(socket));
  }

  /** Closes every socket and accepts no more. */
  close(): void {
    this.#isClosed = true;
    for (const socket of [...this.#waiting.keys(), ...this.#open.keys()]) socket.close(SOCKET_CLOSE.goingAway);
  }

  /** Closes the sockets of a deleted pairing. */
  closePairing(id: string): void {
    for (const [socket, { caller }] of this.#open) {
      if (caller.pairing?.id === id) endRevoked(socket);
    }
  }

  #takeMessage(socket: WebSocket, admit: (given: string) => Caller | null, text: string | null): void {
    const admitted = this.#waiting.has(socket) ? this.#admit(text, admit) : SOCKET_CLOSE.unexpected;
    this.#stopWaiting(socket);
    if (typeof admitted === 'number') {
      socket.close(admitted);
      return;
    }
    this.#open.set(socket, { isAlive: true, caller: admitted });
    this.#stopListening ??= this.#dependencies.listen((event, payload) => this.#sendEvent(event, payload));
    this.#heartbeat ??= setInterval(
      () => this.#lookForLife(),
      this.#dependencies.aliveEveryMs ?? ALIVE_EVERY_MS,
    ).unref();
    send(socket, JSON.stringify({ kind: 'ready' } satisfies SocketMessage));
  }

  /** Returns the sender of the first message, or the code to close with. */
  #admit(text: string | null, admit: (given: string) => Caller | null): Caller | number {
    const said = hello.safeParse(parseJson(text));
    if (!said.success) return SOCKET_CLOSE.unexpected;
    const caller = admit(said.data.token);
    if (caller === null) return SOCKET_CLOSE.unauthorized;
    return this.#hasPlace(caller) ? caller : SOCKET_CLOSE.tooMany;
  }

  /**
   * Returns whether there is room for another socket. If there is none, the pairing with the most sockets loses one, so
   * that no pairing can block the others.
   */
  #hasPlace(caller: Caller): boolean {
    if (this.#open.size < MAX_SOCKETS) return true;
    const byPairing = Map.groupBy(this.#open.keys(), (socket) => this.#open.get(socket)!.caller.pairing?.id ?? null);
    const [first = [], ...others] = byPairing.values();
    const most = others.reduce((one, other) => (other.length > one.length ? other : one), first);
    if (most.length <= (byPairing.get(caller.pairing?.id ?? null)?.length ?? 0)) return false;
    this.#remove(most[0]!);
    most[0]!.close(SOCKET_CLOSE.tooMany);
    return true;
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

  #sendEvent<E extends EventName>(event: E, payload: EventPayload<E>): void {
    const whole = textOf(event, payload);
    for (const [socket, { caller }] of this.#open) {
      if (!caller.isValid()) {
        endRevoked(socket);
        continue;
      }
      const sight = sightOf(caller);
      const seen = sight === null ? payload : viewersEvent(event, payload, sight);
      if (seen !== null) send(socket, seen === payload ? whole : textOf(event, seen));
    }
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

/** Sends a text if the socket is open and its client reads. */
function send(socket: WebSocket, text: string): void {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
  else socket.send(text);
}

/** Closes the socket with the reason. A client that has not read earlier messages gets no more of them. */
function endRevoked(socket: WebSocket): void {
  if (socket.bufferedAmount > 0) socket.terminate();
  else socket.close(SOCKET_CLOSE.unauthorized);
}

function textOf<E extends EventName>(event: E, payload: EventPayload<E>): string {
  return JSON.stringify({ kind: 'event', event, payload } satisfies SocketMessage);
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
