import { useSyncExternalStore } from 'react';
import { type NodeConnection, perNode, useNode } from '../../api/node-connection.ts';
import type { KeySessionState } from '../types.ts';
import { KeySession } from './key-session.ts';

const sessionOf = perNode((node) => new KeySession(node.api, () => node.prove()));

/** Returns the key session for a node's readings: that of the page's own node. Other nodes never get a key. */
export const keySessionOf = ({ own }: NodeConnection): KeySession => sessionOf(own);

/** Returns the keys of the shown node. */
export function useKeys(): KeySession {
  return keySessionOf(useNode());
}

/** Returns the current state of the keys. */
export function useKeySession(): KeySessionState {
  const keys = useKeys();
  return useSyncExternalStore(keys.subscribe, keys.state);
}
