import { lazy, type ReactNode, Suspense } from 'react';
import { isDesktop } from '../../api/client.ts';
import { PageLoading } from '../../components/page-loading.tsx';
import { useNodeState } from './use-node-state.ts';

const FailurePage = lazy(() => import('./failure-page.tsx'));
const MovingPage = lazy(() => import('./moving-page.tsx'));

/** Shows the view where a node runs; in the desktop app, what becomes of the node where none does. */
export function NodeGate({ children }: { children: ReactNode }) {
  const node = useNodeState();
  if (!isDesktop() || node?.state === 'running') return children;
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
