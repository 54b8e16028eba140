import type { RelayedEvent } from '../../shared/owner-api/events.ts';
import type { NodeStanding, RelayedMethod } from '../../shared/owner-api/nodes.ts';
import { VERSION } from '../common/version.ts';
import { answeredBy, identityIn, understand } from './answers.ts';
import { DoorClient } from './door-client.ts';
import { listenTo } from './event-stream.ts';
import { type Fault, faultOf, NodeFault } from './fault.ts';
import type { KnownNode } from './known-nodes.ts';
import { LastSeen } from './last-seen.ts';
import type { SeenNode } from './seen-file.ts';

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 15_000;
/** The delay after a refusal: another machine may have the address for now, and a deleted token does not come back. */
const REFUSED_RETRY_MS = 60_000;

/** The fault for an error in answer to `nodeInfo`; any other error may be temporary. */
const REFUSALS: Readonly<Record<string, Fault>> = {
  unauthorized: 'token',
  forbidden: 'not_a_door',
  unknown_method: 'not_a_door',
  invalid_input: 'not_a_door',
};

const REASONS: { readonly [F in Fault]?: Extract<NodeStanding, { state: 'refused' }>['reason'] } = {
  certificate: 'certificate',
  time: 'time',
  token: 'token',
  other_node: 'other_node',
  not_a_door: 'not_understood',
};

/** The callbacks of a link. */
export interface LinkListener {
  /** Returns Unix milliseconds of this node. */
  readonly now: () => number;
  /** Called when the link's standing, version or `isMisfit` changed. */
  readonly onChange: () => void;
  /** Called when an answer does not match this version; `problem` describes it without values. */
  readonly onMisfit: (problem: string) => void;
  readonly onEvent: (event: RelayedEvent, payload: unknown) => void;
}

/** Another node's answer to a call. */
export type RelayedAnswer =
  | { readonly ok: true; readonly value: unknown; readonly seenAt: number | null }
  | { readonly ok: false; readonly error: string; readonly details?: string };

/** The connection to one other node: its events and answers, the connection's state, and the last answers. */
export class NodeLink {
  readonly id: string;
  readonly #node: KnownNode;
  readonly #door: DoorClient;
  readonly #listener: LinkListener;
  readonly #seen: LastSeen;
  readonly #ended = new AbortController();
  #standing: NodeStanding = { state: 'connecting' };
  #heardAt: number | null;
  #version: string | null = null;
  /** The methods whose latest answer did not match this version. */
  readonly #misfits = new Set<RelayedMethod>();
  #retryMs = FIRST_RETRY_MS;
  #running: Promise<void> = Promise.resolve();

  constructor(node: KnownNode, seen: SeenNode | undefined, listener: LinkListener) {
    this.id = node.id;
    this.#node = node;
    this.#door = new DoorClient(node.url, node);
    this.#listener = listener;
    this.#seen = new LastSeen(seen?.answers);
    this.#heardAt = seen?.heardAt ?? null;
  }

  get standing(): NodeStanding {
    return this.#standing;
  }

  /** The latest version of Wellhouse that the node reported; null if it has not answered since this node's start. */
  get version(): string | null {
    return this.#version;
  }

  /** Whether some of its answers do not match this version. */
  get isMisfit(): boolean {
    return this.#misfits.size > 0;
  }

  /** The state that is stored for a restart. */
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

  /** Calls a method of the node. If the node is unreachable, resolves with its last answer. Never rejects. */
  async call(method: RelayedMethod, input: unknown): Promise<RelayedAnswer> {
    const { state } = this.#standing;
    if (state === 'away' || state === 'refused') return this.#fromMemory(method, input);
    try {
      return await this.#ask(method, input);
    } catch (error) {
      const { fault, message } = faultOf(error);
      if (fault === 'version') return { ok: false, error: 'other_version', details: message };
      if (fault === 'not_a_door') return { ok: false, error: 'internal_error', details: 'not an answer of a node' };
      return this.#fromMemory(method, input);
    }
  }

  async #ask(method: RelayedMethod, input: unknown): Promise<RelayedAnswer> {
    const answer = await this.#door.post(`/ui/api/${method}`, input, this.#node.token);
    const value = answeredBy(answer);
    if (!value.ok) return value;
    if (method === 'nodeInfo') this.#meet(value.value);
    const understood = understand(method, value.value);
    if (!understood.ok) throw this.#misfit(method, understood.place);
    if (this.#misfits.delete(method) && !this.isMisfit) this.#listener.onChange();
    this.#seen.keep(method, input, JSON.stringify(understood.value), this.#listener.now());
    return { ok: true, value: understood.value, seenAt: null };
  }

  /** Records the version. Throws NodeFault if it is not the node that was added. */
  #meet(info: unknown): void {
    const { id, version } = identityIn(info);
    if (id !== this.id) throw new NodeFault('other_node', 'another public key');
    if (version === this.#version) return;
    this.#version = version;
    this.#misfits.clear();
    this.#listener.onChange();
  }

  #misfit(method: RelayedMethod, place: string): NodeFault {
    const there = this.#version === null ? 'another version' : `Wellhouse ${this.#version}`;
    const form = `in a form that Wellhouse ${VERSION} here does not know, at ${place}`;
    const problem = `${there} there answers ${method} ${form}`;
    if (!this.#misfits.has(method)) {
      this.#misfits.add(method);
      this.#listener.onMisfit(problem);
      this.#listener.onChange();
    }
    return new NodeFault('version', problem);
  }

  #fromMemory(method: RelayedMethod, input: unknown): RelayedAnswer {
    const found = this.#seen.find(method, input, this.#listener.now());
    // An earlier version of this node may have stored it.
    const understood = found === null ? null : understand(method, found.value);
    if (found === null || !understood?.ok) return { ok: false, error: 'disconnected' };
    return { ok: true, value: understood.value, seenAt: found.seenAt };
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

  /** Resolves with the fault when the connection ends. */
  async #listen(signal: AbortSignal): Promise<NodeFault> {
    try {
      // This verifies the node, and opens the connection for the calls that follow.
      await this.#greet();
      return await listenTo(
        this.#node,
        { onReady: () => this.#connected(), onEvent: (event, payload) => this.#heard(event, payload) },
        signal,
      );
    } catch (error) {
      return faultOf(error);
    }
  }

  /**
   * Verifies the node. Rejects with NodeFault if it is not the node that was added, or if it can't be understood at
   * all.
   */
  async #greet(): Promise<void> {
    try {
      const info = await this.#ask('nodeInfo', {});
      if (info.ok) return;
      throw new NodeFault(REFUSALS[info.error] ?? 'unreachable', info.error);
    } catch (error) {
      // With the fault `version` the node has been identified.
      if (faultOf(error).fault !== 'version') throw error;
    }
  }

  #connected(): void {
    this.#retryMs = FIRST_RETRY_MS;
    this.#heardAt = this.#listener.now();
    this.#set({ state: 'connected' });
  }

  #heard(event: RelayedEvent, payload: unknown): void {
    this.#heardAt = this.#listener.now();
    this.#listener.onEvent(event, payload);
  }

  #lost(fault: Fault): void {
    if (this.#standing.state === 'connected') this.#heardAt = this.#listener.now();
    const since = this.#heardAt;
    const reason = REASONS[fault];
    this.#set(reason === undefined ? { state: 'away', since } : { state: 'refused', reason, since });
  }

  #set(standing: NodeStanding): void {
    if (JSON.stringify(standing) === JSON.stringify(this.#standing)) return;
    this.#standing = standing;
    this.#listener.onChange();
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
