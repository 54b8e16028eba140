import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { NodeState } from '../../../shared/node-state.ts';
import { getDesktop } from '../../api/client.ts';

/**
 * The node inside the desktop app, as it is now; null until that is known, and in a browser. A new try after a failed one
 * stays `failed` until it is known how it went: the page of the failure keeps what the owner types there.
 */
export function useNodeState(): NodeState | null {
  const client = useQueryClient();
  const [state, setState] = useState<NodeState | null>(null);
  useEffect(() => {
    const desktop = getDesktop();
    if (desktop === null) return;
    let isHeard = false;
    const take = (next: NodeState): void => {
      setState((before) => (next.state === 'starting' && before?.state === 'failed' ? before : next));
      // What was asked while no node ran has failed, or is of the node before.
      if (next.state === 'running') void client.invalidateQueries();
    };
    const end = desktop.listen((event, payload) => {
      if (event !== 'nodeState') return;
      isHeard = true;
      take(payload as NodeState);
    });
    // An event that came meanwhile is newer.
    desktop.call('nodeState', {}).then(
      (now) => (isHeard ? undefined : take(now)),
      () => {},
    );
    return end;
  }, [client]);
  return state;
}
