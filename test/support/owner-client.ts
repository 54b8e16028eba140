import { readFileSync } from 'node:fs';
import { type ClientRequest, get } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  type Answer,
  EVENTS,
  type EventName,
  type EventPayload,
  type Input,
  METHODS,
  type MethodName,
  type Output,
} from '../../src/shared/owner-api.ts';
import { type Reply, send } from './http.ts';
import type { NodeProcess } from './node-process.ts';

/** One event as it came. */
export interface OwnerEvent {
  readonly name: EventName;
  readonly payload: EventPayload<EventName>;
  /** Milliseconds of a clock that never goes back. */
  readonly at: number;
}

/** The token of a node that was started with --ui. */
export function uiToken(node: NodeProcess): string {
  return readFileSync(join(node.dataDir, 'ui-token'), 'utf8').trim();
}

/** Sends one owner call, whatever its body; the token goes along unless the headers say otherwise. */
export function sendCall(node: NodeProcess, method: string, body: string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${uiToken(node)}`;
  return send(`${node.url('local')}/ui/api/${method}`, {
    method: 'POST',
    body,
    headers: { authorization, ...headers },
  });
}

/** What a call that is expected to fail answers. */
export async function failure(
  node: NodeProcess,
  method: string,
  input: unknown,
): Promise<[number, Answer<MethodName>]> {
  const reply = await sendCall(node, method, JSON.stringify(input));
  return [reply.status, JSON.parse(reply.text) as Answer<MethodName>];
}

/** Makes an owner call that must succeed, and checks its answer against the contract. */
export async function call<M extends MethodName>(node: NodeProcess, method: M, input: Input<M>): Promise<Output<M>> {
  const reply: Reply = await sendCall(node, method, JSON.stringify(input));
  expect(reply.status, reply.text).toBe(200);
  const answer = JSON.parse(reply.text) as { ok: true; value: unknown };
  expect(Object.keys(answer)).toEqual(['ok', 'value']);
  return METHODS[method].output.parse(answer.value) as Output<M>;
}

/** The event stream of a node, read until it is closed. */
export class EventStream {
  readonly events: OwnerEvent[] = [];
  /** All text so far. */
  text = '';
  /** Resolves with the response's status once its head is here. */
  readonly opened: Promise<number>;
  /** Resolves when the node ends the stream. */
  readonly ended: Promise<void>;
  readonly #request: ClientRequest;
  readonly #waiting = new Set<() => void>();

  constructor(node: NodeProcess) {
    const headers = { authorization: `Bearer ${uiToken(node)}` };
    this.#request = get(`${node.url('local')}/ui/api/events`, { headers });
    const opened = Promise.withResolvers<number>();
    const ended = Promise.withResolvers<void>();
    this.opened = opened.promise;
    this.ended = ended.promise;
    this.#request.on('error', opened.reject);
    this.#request.on('response', (response) => {
      opened.resolve(response.statusCode!);
      response.setEncoding('utf8').on('data', (part: string) => this.#read(part));
      response.on('error', () => {});
      response.on('close', () => ended.resolve());
    });
  }

  /** Resolves with the first event of the name that fits, past or future; rejects after 5 s. */
  async next<E extends EventName>(
    name: E,
    fits: (payload: EventPayload<E>) => boolean = () => true,
  ): Promise<OwnerEvent> {
    const find = () => this.events.find((event) => event.name === name && fits(event.payload as EventPayload<E>));
    const { promise, resolve, reject } = Promise.withResolvers<OwnerEvent>();
    const timer = setTimeout(() => reject(new Error(`no such event ${name}: ${this.text}`)), 5000);
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
    this.#request.destroy();
  }

  #read(part: string): void {
    this.text += part;
    const whole = this.text.slice(0, this.text.lastIndexOf('\n\n') + 2);
    const messages = [...whole.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)];
    for (const [, name, data] of messages.slice(this.events.length)) {
      const payload = EVENTS[name as EventName].parse(JSON.parse(data!));
      this.events.push({ name: name as EventName, payload, at: performance.now() });
    }
    for (const look of this.#waiting) look();
  }
}
