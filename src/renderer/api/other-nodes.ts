import type { OwnerApi } from '../../shared/owner-api/contract.ts';
import type { EventPayload } from '../../shared/owner-api/events.ts';
import type { OtherNode } from '../../shared/owner-api/nodes.ts';
import { StateStore } from '../../shared/state-store.ts';
import { ApiError, type ApiErrorCode } from './errors.ts';
import { NodeConnection, perNode } from './node-connection.ts';

type Heard = Parameters<OwnerApi['listen']>;

/** A node that is reached through the page's own node. The own node relays calls and events. */
class Reached {
  readonly connection: NodeConnection;
  #onEvent: Heard[0] = () => {};
  #onConnection: Heard[1] = () => {};
  #end: () => void = () => {};
  #isConnected: boolean | null = null;

  constructor(own: NodeConnection, node: OtherNode) {
    const api: OwnerApi = {
      call: async (method, input) => {
        const answer = await own.api.call('callNode', { node: node.id, method: method as never, input });
        if (answer.ok) return answer.value as never;
        throw new ApiError(answer.error as ApiErrorCode, answer.details);
      },
      listen: (onEvent, onConnection) => {
        this.#onEvent = onEvent;
        this.#onConnection = onConnection;
        return () => {
          this.#onEvent = () => {};
          this.#onConnection = () => {};
        };
      },
    };
    this.connection = new NodeConnection(`node ${node.id}`, api, null, { own, node });
  }

  start(live: (node: NodeConnection) => () => void): void {
    this.#end = live(this.connection);
  }

  stop(): void {
    this.#end();
  }

  follow(node: OtherNode): void {
    const { connection } = this;
    connection.other!.set(node);
    const { standing } = node;
    if (standing.state === 'connecting') return;
    const isConnected = standing.state === 'connected';
    if (isConnected === this.#isConnected) return;
    this.#isConnected = isConnected;
    if (standing.state !== 'connected') connection.setConnected(false, standing.since ?? undefined);
    this.#onConnection(isConnected);
  }

  said({ event, payload }: EventPayload<'nodeSaid'>): void {
    // The own node has already checked the payload against the event's schema.
    this.#onEvent(event, payload as never);
  }
}

const NONE: readonly NodeConnection[] = [];

/** The other nodes of this page, each with its own connection. */
export class OtherNodes {
  readonly #own: NodeConnection;
  readonly #reached = new Map<string, Reached>();
  readonly #all = new StateStore<readonly NodeConnection[]>(NONE);
  readonly all = this.#all.get;
  /** Calls back when a node was added or removed. Returns a function that stops it. */
  readonly subscribe = this.#all.subscribe;

  constructor(own: NodeConnection) {
    this.#own = own;
  }

  /** Updates the nodes to the list of the page's own node. `live` subscribes a connection to its events. */
  follow(nodes: readonly OtherNode[], live: (node: NodeConnection) => () => void): void {
    const before = this.all();
    for (const [id, reached] of this.#reached) {
      if (nodes.some((node) => node.id === id)) continue;
      reached.stop();
      this.#reached.delete(id);
    }
    for (const node of nodes) {
      let reached = this.#reached.get(node.id);
      if (reached === undefined) {
        reached = new Reached(this.#own, node);
        this.#reached.set(node.id, reached);
        reached.start(live);
      }
      reached.follow(node);
    }
    const next = [...this.#reached.values()].map(({ connection }) => connection);
    if (next.length !== before.length || next.some((each, index) => each !== before[index])) this.#all.set(next);
  }

  said(said: EventPayload<'nodeSaid'>): void {
    this.#reached.get(said.node)?.said(said);
  }
}

/** Returns the other nodes of a page's own node. */
export const otherNodesOf = perNode((own) => new OtherNodes(own));
