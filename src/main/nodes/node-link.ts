import type { RelayedEvent } from '../../shared/owner-api/events.ts';
import { type NodeStanding, RELAYED, type RelayedMethod } from '../../shared/owner-api/nodes.ts';
import { Door, type DoorAnswer } from './door.ts';
import { listenTo } from './event-stream.ts';
import { type Fault, faultOf, NodeFault } from './fault.ts';
import type { KnownNode } from './known-nodes.ts';
import { LastSeen } from './last-seen.ts';
import type { SeenNode } from './seen-file.ts';

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 15_000;
/** What refuses may be another machine at the same address just now; a token that is gone does not come back. */
const REFUSED_RETRY_MS = 60_000;

/** What a link tells. */
export interface LinkListener {
  readonly onStanding: () => void;
  readonly onEvent: (event: RelayedEvent, payload: unknown) => void;
}

/** What another node answered to a call. */
export type RelayedAnswer =
  | { readonly ok: true; readonly value: unknown; readonly seenAt: number | null }
  | { readonly ok: false; readonly error: string; readonly details?: string };

/** The way to one other node: its events, its answers, how it is with it, and what was last seen of it. */
export class NodeLink {
  readonly id: string;
  readonly #node: KnownNode;
  readonly #door: Door;
  readonly #listener: LinkListener;
  readonly #seen: LastSeen;
  readonly #ended = new AbortController();
  #standing: NodeStanding = { state: 'connecting' };
  #heardAt: number | null;
  #retryMs = FIRST_RETRY_MS;
  #running: Promise<void> = Promise.resolve();

  constructor(node: KnownNode, seen: SeenNode | undefined, listener: LinkListener) {
    this.id = node.id;
    this.#node = node;
    this.#door = new Door(node.url, node);
    this.#listener = listener;
    this.#seen = new LastSeen(seen?.answers);
    this.#heardAt = seen?.heardAt ?? null;
  }

  get standing(): NodeStanding {
    return this.#standing;
  }

  /** What is kept of it over a restart. */
  get seen(): SeenNode {
    return { id: this.id, heardAt: this.#heardAt, answers: [...this.#seen.all] };
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    this.#door.close();
    await this.#running;
  }

  /** Never rejects. Where the node is not reached, what it answered last. */
  async call(method: RelayedMethod, input: unknown): Promise<RelayedAnswer> {
    const { state } = this.#standing;
    if (state === 'away' || state === 'refused') return this.#fromMemory(method, input);
    try {
      return await this.#ask(method, input);
    } catch (error) {
      const { fault } = faultOf(error);
      if (fault === 'not_a_door') return { ok: false, error: 'internal_error', details: 'not an answer of a node' };
      return this.#fromMemory(method, input);
    }
  }

  async #ask(method: RelayedMethod, input: unknown): Promise<RelayedAnswer> {
    const answer = await this.#door.post(`/ui/api/${method}`, input, this.#node.token);
    const value = answeredBy(answer);
    if (!value.ok) return value;
    const checked = RELAYED[method].output.safeParse(value.value);
    if (!checked.success) throw new NodeFault('not_a_door', `an answer to ${method} of another shape`);
    if (method === 'nodeInfo' && (checked.data as { publicKey: string }).publicKey !== this.id) {
      throw new NodeFault('other_node', 'another public key');
    }
    this.#seen.keep(method, input, JSON.stringify(checked.data), Date.now());
    return { ok: true, value: checked.data, seenAt: null };
  }

  #fromMemory(method: RelayedMethod, input: unknown): RelayedAnswer {
    const found = this.#seen.find(method, input, Date.now());
    return found === null ? { ok: false, error: 'disconnected' } : { ok: true, ...found };
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      const { fault } = await this.#listen(signal);
      if (signal.aborted) return;
      this.#lost(fault);
      await pause(fault === 'unreachable' ? this.#retryMs : REFUSED_RETRY_MS, signal);
      this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
    }
  }

  /** Resolves when the connection ended, with why. */
  async #listen(signal: AbortSignal): Promise<NodeFault> {
    try {
      // Says whose door this is, and warms the connection for the calls that follow.
      const info = await this.#ask('nodeInfo', {});
      if (!info.ok) throw new NodeFault(info.error === 'unauthorized' ? 'token' : 'not_a_door', info.error);
      return await listenTo(
        this.#node,
        { onReady: () => this.#connected(), onEvent: (event, payload) => this.#heard(event, payload) },
        signal,
      );
    } catch (error) {
      return faultOf(error);
    }
  }

  #connected(): void {
    this.#retryMs = FIRST_RETRY_MS;
    this.#heardAt = Date.now();
    this.#set({ state: 'connected' });
  }

  #heard(event: RelayedEvent, payload: unknown): void {
    this.#heardAt = Date.now();
    this.#listener.onEvent(event, payload);
  }

  #lost(fault: Fault): void {
    if (this.#standing.state === 'connected') this.#heardAt = Date.now();
    const since = this.#heardAt;
    if (fault === 'certificate' || fault === 'time' || fault === 'token' || fault === 'other_node') {
      this.#set({ state: 'refused', reason: fault, since });
    } else this.#set({ state: 'away', since });
  }

  #set(standing: NodeStanding): void {
    if (JSON.stringify(standing) === JSON.stringify(this.#standing)) return;
    this.#standing = standing;
    this.#listener.onStanding();
  }
}

type Answered =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string; readonly details?: string };

/** What a door's answer says. Throws NodeFault where it is none. */
function answeredBy({ status, json }: DoorAnswer): Answered {
  if (status === 401) throw new NodeFault('token', 'the token is not taken');
  if (typeof json !== 'object' || json === null || !('ok' in json)) {
    throw new NodeFault(status >= 500 ? 'unreachable' : 'not_a_door', `status ${status}`);
  }
  if (json.ok === true && 'value' in json) return { ok: true, value: json.value };
  const { error, details } = json as { error?: unknown; details?: unknown };
  if (typeof error !== 'string') throw new NodeFault('not_a_door', `status ${status}`);
  return { ok: false, error, ...(typeof details === 'string' ? { details: details.slice(0, 500) } : {}) };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
