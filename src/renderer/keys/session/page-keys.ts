import { useSyncExternalStore } from 'react';
import { perNode, useNode } from '../../api/node-connection.ts';
import { KeySession } from './key-session.ts';
import type { KeySessionState } from './types.ts';

/** The keys of a node, as this page has them. */
export const keySessionOf = perNode((node) => new KeySession(node.api, () => node.prove()));

/** The keys of the node that is shown. */
export function useKeys(): KeySession {
  return keySessionOf(useNode());
}

/** The current state of the keys. */
export function useKeySession(): KeySessionState {
  const keys = useKeys();
  return useSyncExternalStore(keys.subscribe, keys.state);
}
