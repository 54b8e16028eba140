import { createContext, useContext, useSyncExternalStore } from 'react';
import type { OwnerApi } from '../../shared/owner-api/contract.ts';
import type { CallerInfo } from '../../shared/owner-api/node.ts';
import { StateStore } from '../../shared/state-store.ts';
import { NodeClock } from './clock.ts';
import { desktop } from './desktop.ts';
import { createHttpApi } from './http.ts';
import { DoorSession, isDoorPage } from './session/door-session.ts';
import { type PageSession, Session, type SessionState } from './session/session.ts';

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
  /** What opens the node in a browser; null where the transport needs nothing. */
  readonly session: PageSession | null;
  /** As what this page calls it. */
  readonly me: CallerInfo;
  readonly clock = new NodeClock();
  readonly #link = new StateStore<Link>({ state: 'connecting' });
  readonly link = this.#link.get;
  /** Called at every change of the link. Returns what ends it. */
  readonly onLinkChange = this.#link.subscribe;

  constructor(id: string, api: OwnerApi, session: PageSession | null, me: CallerInfo = AT_THE_MACHINE) {
    this.id = id;
    this.api = api;
    this.session = session;
    this.me = me;
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

  /** To be called when events begin or cease to come in; a loss keeps the time of its beginning. */
  setConnected(isConnected: boolean): void {
    if (isConnected) this.#link.set({ state: 'connected' });
    else if (this.link().state !== 'lost') this.#link.set({ state: 'lost', since: this.clock.now() });
  }
}

/** Whoever is at the machine itself is its owner. */
const AT_THE_MACHINE: CallerInfo = { role: 'owner', name: null, isBounded: false, mayUnlock: true };
/** As long as nothing opens the node. */
const NOBODY: CallerInfo = { role: 'viewer', name: null, isBounded: false, mayUnlock: false };

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

/** What belongs to a node besides its connection, made when it is first asked for: one for each node. */
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
