import type { ReactNode } from 'react';
import type { CallerInfo } from '../../shared/owner-api/node.ts';
import { useNode } from './node-connection.ts';

/** As what this page calls its node. */
export function useMe(): CallerInfo {
  return useNode().me;
}

/** Shows what only an owner can do or see; the node refuses it to others anyway. */
export function OwnerOnly({ children }: { children: ReactNode }) {
  return useMe().role === 'owner' ? children : null;
}

/** Shows what adds to the log: for owners, and for viewers who may log. */
export function LoggersOnly({ children }: { children: ReactNode }) {
  const { role, mayLog } = useMe();
  return role === 'owner' || mayLog ? children : null;
}
