import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { type Answer, type Input, METHODS, type MethodName, type Output } from '../../src/shared/owner-api/contract.ts';
import { EVENTS, type EventName, type EventPayload } from '../../src/shared/owner-api/events.ts';
import { EVENTS_PATH, type SocketHello, type SocketMessage } from '../../src/shared/owner-api/socket.ts';
import { type Reply, send } from './http.ts';
import type { RunningNode } from './node-process.ts';

/** A received event. */
export interface OwnerEvent {
  readonly name: EventName;
  readonly payload: EventPayload<EventName>;
  /** Milliseconds of a monotonic clock. */
  readonly at: number;
}

/** Returns the token of a node that was started with --ui. */
export function uiToken(node: RunningNode): string {
  return readFileSync(join(node.dataDir, 'ui-token'), 'utf8').trim();
}

/** Sends one owner call with any body. It has the token unless the headers say otherwise. */
export function sendCall(node: RunningNode, method: string, body: string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${uiToken(node)}`;
  return send(`${node.url('local')}/ui/api/${method}`, {
    method: 'POST',
    body,
    headers: { authorization, ...headers },
    // A page waits longer than a device does.
    timeoutMs: 60_000,
  });
}

/** Returns the answer of a call that is expected to fail. */
export async function failure(
  node: RunningNode,
  method: string,
  input: unknown,
): Promise<[number, Answer<MethodName>]> {
  const reply = await sendCall(node, method, JSON.stringify(input));
  return [reply.status, JSON.parse(reply.text) as Answer<MethodName>];
}

/** Makes an owner call that must succeed, and checks its answer against the contract. */
export async function call<M extends MethodName>(node: RunningNode, method: M, input: Input<M>): Promise<Output<M>> {
  const reply: Reply = await sendCall(node, method, JSON.stringify(input));
  expect(reply.status, reply.text).toBe(200);
  const answer = JSON.parse(reply.text) as { ok: true; value: unknown };
  expect(Object.keys(answer)).toEqual(['ok', 'value']);
  return METHODS[method].output.parse(answer.value) as Output<M>;
}

/**
 * Opens a WebSocket to a node's events, with headers that a browser does not let a page set. It is not authenticated
 * yet.
 */
export function openSocket(node: RunningNode, headers: Record<string, string> = {}): WebSocket {
  const socket = new WebSocket(`${node.url('local').replace('http', 'ws')}${EVENTS_PATH}`, { headers });
  // Every test checks how a socket ends. A socket that is cut off also emits this event.
  socket.on('error', () => {});
  return socket;
}

/** Resolves with the code that a socket is closed with. */
export function closeCode(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => socket.once('close', resolve));
}

/** A node's events over a socket that stays open until either side closes it. */
export class EventSocket {
  readonly events: OwnerEvent[] = [];
  readonly socket: WebSocket;
  /** Resolves when the node has accepted the token. */
  readonly ready: Promise<void>;
  /** Resolves with the code that the socket is closed with. */
  readonly ended: Promise<number>;
  readonly #waiting = new Set<() => void>();

  constructor(node: RunningNode, token = uiToken(node)) {
    this.socket = openSocket(node);
    this.ended = closeCode(this.socket);
    const ready = Promise.withResolvers<void>();
    this.ready = ready.promise;
    void this.ended.then((code) => ready.reject(new Error(`closed with ${code}`)));
    ready.promise.catch(() => {});
    this.socket.on('open', () => this.socket.send(JSON.stringify({ token } satisfies SocketHello)));
    this.socket.on('message', (data) => {
      const message = JSON.parse(data.toString()) as SocketMessage;
      if (message.kind === 'ready') ready.resolve();
      if (message.kind === 'event') this.#take(message.event, message.payload);
    });
  }

  /** Resolves with the first event of the name that fits, past or future. Rejects after 5 s. */
  async next<E extends EventName>(
    name: E,
    fits: (payload: EventPayload<E>) => boolean = () => true,
  ): Promise<OwnerEvent> {
    const find = () => this.events.find((event) => event.name === name && fits(event.payload as EventPayload<E>));
    const { promise, resolve, reject } = Promise.withResolvers<OwnerEvent>();
    const timer = setTimeout(() => reject(new Error(`no such event ${name}: ${JSON.stringify(this.events)}`)), 60_000);
    const look = () => {
      const found = find();
      if (found !== undefined) resolve(found);
    };
    this.#waiting.add(look);
    look();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(look);
    }
  }

  close(): void {
    this.socket.terminate();
  }

  #take(name: EventName, payload: unknown): void {
    this.events.push({ name, payload: EVENTS[name].parse(payload), at: performance.now() });
    for (const look of this.#waiting) look();
  }
}
