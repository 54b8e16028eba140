import type { ReactNode } from 'react';
import type { CallerInfo } from '../../shared/owner-api/node.ts';
import { useNode } from './node-connection.ts';

/** Returns the role and permissions of this page at its node. */
export function useMe(): CallerInfo {
  return useNode().me;
}

/** Renders its children only for an owner. The node also refuses these calls to others. */
export function OwnerOnly({ children }: { children: ReactNode }) {
  return useMe().role === 'owner' ? children : null;
}

/** Renders its children only for those who may add to the log: owners, and viewers with that permission. */
export function LoggersOnly({ children }: { children: ReactNode }) {
  const { role, mayLog } = useMe();
  return role === 'owner' || mayLog ? children : null;
}
