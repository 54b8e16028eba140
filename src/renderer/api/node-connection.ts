import { createContext, useContext, useSyncExternalStore } from 'react';
import type { OwnerApi } from '../../shared/owner-api/contract.ts';
import type { CallerInfo } from '../../shared/owner-api/node.ts';
import type { OtherNode } from '../../shared/owner-api/nodes.ts';
import { StateStore } from '../../shared/state-store.ts';
import { desktop } from './desktop.ts';
import { createHttpApi } from './http.ts';
import { DoorSession, isDoorPage } from './session/door-session.ts';
import { type PageSession, Session, type SessionState } from './session/session.ts';

/** Smaller differences come from the way of the answer; following them would make ages jump back and forth. */
const NOTICED_MS = 1500;

/**
 * The clock of a node, in Unix milliseconds. Every time in the contract is the node's; behind a tunnel the browser's clock
 * may differ, and an age would be off by as much.
 */
class ClockOfNode {
  #offsetMs = 0;

  readonly now = (): number => Date.now() + this.#offsetMs;

  /** Takes the node's time, as it was just read. */
  set(nodeNow: number): void {
    const offset = nodeNow - Date.now();
    if (Math.abs(offset - this.#offsetMs) > NOTICED_MS) this.#offsetMs = Math.abs(offset) > NOTICED_MS ? offset : 0;
  }
}

/** Whether events come in: not yet, yet, or no longer (since, in Unix milliseconds of the node's clock). */
export type Link = { readonly state: 'connecting' | 'connected' } | { readonly state: 'lost'; readonly since: number };

/**
 * One node as this page sees it: the way to it and what is known of it. Components have it from `useNode`; nothing of a
 * node is kept outside of such an object, so that a page could show two.
 */
export class NodeConnection {
  /** The first part of every query key, so that the answers of two nodes never mix. */
  readonly id: string;
  /** Calls and events, by whichever transport. */
  readonly api: OwnerApi;
  /** The token that opens the node in a browser; null if the transport needs none. */
  readonly session: PageSession | null;
  readonly #me: CallerInfo;
  readonly clock = new ClockOfNode();
  /** The node that this page comes from: this one, or the one through which this one is reached. The keys lie there. */
  readonly own: NodeConnection;
  /** The facts about it as another node than the page's own; null if it is the page's own. */
  readonly other: StateStore<OtherNode> | null;
  readonly #link = new StateStore<Link>({ state: 'connecting' });
  readonly link = this.#link.get;
  /** Called at every change of the link. Returns what ends it. */
  readonly onLinkChange = this.#link.subscribe;

  constructor(id: string, api: OwnerApi, session: PageSession | null, as: CallerInfo | Through = AT_THE_MACHINE) {
    this.id = id;
    this.api = api;
    this.session = session;
    const through = 'own' in as ? as : null;
    this.own = through?.own ?? this;
    this.other = through === null ? null : new StateStore(through.node);
    this.#me = 'own' in as ? as.own.me : as;
  }

  /** As what this page calls it. At another node its own pairing says the role; the keys are those of the page's own. */
  get me(): CallerInfo {
    if (this.other === null) return this.#me;
    const { role } = this.other.get();
    return { ...this.#me, role, mayLog: role === 'owner' && this.#me.mayLog };
  }

  /** The part of this page's addresses that names it; undefined for the page's own. */
  get routeId(): string | undefined {
    return this.other?.get().id;
  }

  /** Whether calls make sense: there is what opens the node, or nothing is needed. */
  readonly sessionState = (): SessionState => this.session?.state() ?? 'ready';

  /** Has what answers prove that it is the node. Rejects with an ApiError: `disconnected`, `unauthorized`. */
  async prove(): Promise<void> {
    await this.session?.prove();
  }

  /** The time up to which silence can be told: no device fell silent because this page hears nothing of it. */
  lastKnown(now: number): number {
    const link = this.link();
    return link.state === 'lost' ? Math.min(link.since, now) : now;
  }

  /** Call this when events begin or cease to come in; a loss keeps the time of its beginning. */
  setConnected(isConnected: boolean, since = this.clock.now()): void {
    if (isConnected) this.#link.set({ state: 'connected' });
    else if (this.link().state !== 'lost') this.#link.set({ state: 'lost', since });
  }
}

/** Whoever is at the machine itself is its owner. */
const AT_THE_MACHINE: CallerInfo = { role: 'owner', name: null, isBounded: false, mayUnlock: true, mayLog: true };
/** As long as nothing opens the node. */
const NOBODY: CallerInfo = { role: 'viewer', name: null, isBounded: false, mayUnlock: false, mayLog: false };

/** How another node is reached. */
interface Through {
  readonly own: NodeConnection;
  readonly node: OtherNode;
}

/** The node that this page comes from: over the desktop's bridge where there is one, else over HTTP. */
export async function connectToOwnNode(): Promise<NodeConnection> {
  const { origin } = window.location;
  if (desktop !== null) return new NodeConnection(origin, desktop.owner, null);
  if (isDoorPage()) {
    const door = new DoorSession();
    const me = await door.start();
    return new NodeConnection(origin, createHttpApi(door), door, me ?? NOBODY);
  }
  const session = new Session();
  await session.start();
  return new NodeConnection(origin, createHttpApi(session), session);
}

const NodeContext = createContext<NodeConnection | null>(null);

/** Gives a node to all components below. */
export const NodeProvider = NodeContext;

/** The node that is shown here. */
export function useNode(): NodeConnection {
  const node = useContext(NodeContext);
  if (node === null) throw new Error('no NodeProvider above');
  return node;
}

/** Whether events of the node come in. */
export function useLink(): Link {
  const node = useNode();
  return useSyncExternalStore(node.onLinkChange, node.link);
}

const NEVER = () => () => {};

/** Whether this page may call the node. */
export function useSessionState(): SessionState {
  const node = useNode();
  return useSyncExternalStore(node.session?.subscribe ?? NEVER, node.sessionState);
}

/** The session of a page that came through the door; null for any other. */
export function useDoorSession(): DoorSession | null {
  const { session } = useNode();
  return session instanceof DoorSession ? session : null;
}

/** State that belongs to a node besides its connection, made when it is first asked for: once for each node. */
export function perNode<T extends object>(make: (node: NodeConnection) => T): (node: NodeConnection) => T {
  const made = new WeakMap<NodeConnection, T>();
  return (node) => {
    let value = made.get(node);
    if (value === undefined) {
      value = make(node);
      made.set(node, value);
    }
    return value;
  };
}
