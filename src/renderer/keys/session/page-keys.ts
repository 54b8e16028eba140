import { useSyncExternalStore } from 'react';
import { type NodeConnection, perNode, useNode } from '../../api/node-connection.ts';
import type { KeySessionState } from '../types.ts';
import { KeySession } from './key-session.ts';

const sessionOf = perNode((node) => new KeySession(node.api, () => node.prove()));

/** The keys that open a node's readings, as this page has them: those of the page's own node. No other ever sees one. */
export const keySessionOf = ({ own }: NodeConnection): KeySession => sessionOf(own);

/** The keys of the node that is shown. */
export function useKeys(): KeySession {
  return keySessionOf(useNode());
}

/** The current state of the keys. */
export function useKeySession(): KeySessionState {
  const keys = useKeys();
  return useSyncExternalStore(keys.subscribe, keys.state);
}
