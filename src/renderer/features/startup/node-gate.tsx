import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { NodeState } from '../../../shared/node-state.ts';
import { desktop } from '../../api/desktop.ts';
import { useNode } from '../../api/node-connection.ts';
import { queryKeys } from '../../api/queries/client.ts';
import { PageLoading } from '../../components/states.tsx';

const FailurePage = lazy(() => import('./failure-page.tsx'));
const MovingPage = lazy(() => import('./moving-page.tsx'));

/** Shows the view while a node is running. Otherwise, in the desktop app, shows the state of the node. */
export function NodeGate({ children }: { children: ReactNode }) {
  const node = useNodeState();
  if (desktop === null || node?.state === 'running') return children;
  return (
    <Suspense fallback={<PageLoading />}>
      {node?.state === 'failed' ? (
        <FailurePage problem={node.problem} />
      ) : node?.state === 'moving' ? (
        <MovingPage progress={node.progress} />
      ) : (
        <PageLoading />
      )}
    </Suspense>
  );
}

/**
 * Returns the current state of the desktop app's node; null until it is known, and in a browser. During a retry after a
 * failed start it stays `failed`, so that the failure page keeps the text that the owner has typed.
 */
function useNodeState(): NodeState | null {
  const node = useNode();
  const client = useQueryClient();
  const [state, setState] = useState<NodeState | null>(null);
  useEffect(() => {
    if (desktop === null) return;
    let isHeard = false;
    const take = (next: NodeState): void => {
      setState((before) => (next.state === 'starting' && before?.state === 'failed' ? before : next));
      // Queries from before the node was running have failed, or belong to the previous node.
      if (next.state === 'running') void client.invalidateQueries({ queryKey: queryKeys(node).all });
    };
    const end = desktop.app.listen((event, payload) => {
      if (event !== 'nodeState') return;
      isHeard = true;
      take(payload as NodeState);
    });
    // If an event arrived in the meantime, it is newer than this answer.
    desktop.app.call('nodeState', {}).then(
      (now) => (isHeard ? undefined : take(now)),
      () => {},
    );
    return end;
  }, [client, node]);
  return state;
}
