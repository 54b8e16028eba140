import { createContext, useContext, useSyncExternalStore } from 'react';
import type { OwnerApi } from '../../shared/owner-api/contract.ts';
import type { CallerInfo } from '../../shared/owner-api/node.ts';
import type { OtherNode } from '../../shared/owner-api/nodes.ts';
import { StateStore } from '../../shared/state-store.ts';
import { desktop } from './desktop.ts';
import { createHttpApi } from './http.ts';
import { DoorSession, isDoorPage } from './session/door-session.ts';
import { type PageSession, Session, type SessionState } from './session/session.ts';

/**
 * Smaller differences come from the delay of the answer. If the clock followed them, ages would jump back and forth.
 */
const NOTICED_MS = 1500;

/**
 * The clock of a node, in Unix milliseconds. All times in the API are the node's. The browser's clock may differ, for
 * example through a tunnel, and ages would be wrong by the difference.
 */
class ClockOfNode {
  #offsetMs = 0;

  readonly now = (): number => Date.now() + this.#offsetMs;

  /** Sets the clock to the node's time, which must have just been read. */
  set(nodeNow: number): void {
    const offset = nodeNow - Date.now();
    if (Math.abs(offset - this.#offsetMs) > NOTICED_MS) this.#offsetMs = Math.abs(offset) > NOTICED_MS ? offset : 0;
  }
}

/** Whether events arrive: not yet, yes, or no longer since a time (Unix milliseconds by the node's clock). */
export type Link = { readonly state: 'connecting' | 'connected' } | { readonly state: 'lost'; readonly since: number };

/**
 * One node as this page sees it: its connection and the state that belongs to it. Components get it from `useNode`.
 * State of a node is only kept in such an object, so that a page can show two nodes.
 */
export class NodeConnection {
  /** The first part of every query key, so that the data of two nodes never mixes. */
  readonly id: string;
  /** Calls and events over the node's transport. */
  readonly api: OwnerApi;
  /** The session that opens the node in a browser; null if the transport needs none. */
  readonly session: PageSession | null;
  readonly #me: CallerInfo;
  readonly clock = new ClockOfNode();
  /** The node that served this page: this one, or the one that relays to this one. Its keystore has the keys. */
  readonly own: NodeConnection;
  /** The node's entry in the list of other nodes; null if it is the page's own node. */
  readonly other: StateStore<OtherNode> | null;
  readonly #link = new StateStore<Link>({ state: 'connecting' });
  readonly link = this.#link.get;
  /** Calls back at every change of the link. Returns a function that stops it. */
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

  /**
   * The role and permissions of this page at the node. At another node, the role is that of the pairing; the permission
   * for keys is that of the page's own node.
   */
  get me(): CallerInfo {
    if (this.other === null) return this.#me;
    const { role } = this.other.get();
    return { ...this.#me, role, mayLog: role === 'owner' && this.#me.mayLog };
  }

  /** The node's part of this page's addresses; undefined for the page's own node. */
  get routeId(): string | undefined {
    return this.other?.get().id;
  }

  /** Whether calls can succeed: the session is open, or the node needs no session. */
  readonly sessionState = (): SessionState => this.session?.state() ?? 'ready';

  /** Asks the node to prove its identity. Rejects with ApiError `disconnected` or `unauthorized`. */
  async prove(): Promise<void> {
    await this.session?.prove();
  }

  /**
   * Returns the time up to which it is known whether devices were silent. While the page gets no events, no further
   * device counts as silent.
   */
  lastKnown(now: number): number {
    const link = this.link();
    return link.state === 'lost' ? Math.min(link.since, now) : now;
  }

  /** Call this when events begin or stop to arrive. A loss keeps the time when it began. */
  setConnected(isConnected: boolean, since = this.clock.now()): void {
    if (isConnected) this.#link.set({ state: 'connected' });
    else if (this.link().state !== 'lost') this.#link.set({ state: 'lost', since });
  }
}

/** The permissions of a page on the node's own machine: always an owner. */
const AT_THE_MACHINE: CallerInfo = { role: 'owner', name: null, isBounded: false, mayUnlock: true, mayLog: true };
/** The permissions before a session opens the node. */
const NOBODY: CallerInfo = { role: 'viewer', name: null, isBounded: false, mayUnlock: false, mayLog: false };

/** The route to another node. */
interface Through {
  readonly own: NodeConnection;
  readonly node: OtherNode;
}

/**
 * Returns a connection to the node that served this page: over the desktop's bridge in the app, otherwise over HTTP.
 */
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

/** Provides a node to all components below. */
export const NodeProvider = NodeContext;

/** Returns the node that is shown here. */
export function useNode(): NodeConnection {
  const node = useContext(NodeContext);
  if (node === null) throw new Error('no NodeProvider above');
  return node;
}

/** Returns whether events of the node arrive. */
export function useLink(): Link {
  const node = useNode();
  return useSyncExternalStore(node.onLinkChange, node.link);
}

const NEVER = () => () => {};

/** Returns whether this page may call the node. */
export function useSessionState(): SessionState {
  const node = useNode();
  return useSyncExternalStore(node.session?.subscribe ?? NEVER, node.sessionState);
}

/** Returns the session of a page that came through the door; null for any other page. */
export function useDoorSession(): DoorSession | null {
  const { session } = useNode();
  return session instanceof DoorSession ? session : null;
}

/**
 * Returns a function that returns a node's own value of some state. The value is made at the first call for the node.
 */
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
