import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SettingChange, SettingProblem, SettingsView } from '../../../shared/owner-api/settings.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** A change that the node understood but refused. */
export class Refused extends Error {
  readonly problem: SettingProblem;

  constructor(problem: SettingProblem) {
    super(`${problem.setting}: ${problem.kind}`);
    this.problem = problem;
  }
}

/** Queries the settings that are in force. */
export function useSettings() {
  const node = useNode();
  return useQuery({ queryKey: queryKeys(node).settings, queryFn: () => node.api.call('getSettings', {}) });
}

/** Changes settings. Fails with `Refused` if the node refuses the change. */
export function useSetSettings() {
  const node = useNode();
  const client = useQueryClient();
  const keys = queryKeys(node);
  return useMutation({
    mutationFn: async (change: SettingChange) => {
      const before = client.getQueryData<SettingsView>(keys.settings);
      const answer = await node.api.call('setSettings', { change });
      if (!answer.saved) throw new Refused(answer.problem);
      return { before, view: answer.view };
    },
    onSuccess: ({ before, view }) => {
      client.setQueryData(keys.settings, view);
      void client.invalidateQueries({ queryKey: keys.nodeInfo });
      void client.invalidateQueries({ queryKey: keys.overview });
      void client.invalidateQueries({ queryKey: keys.space });
      if (node.session !== null) followLocalPort(before?.localUrl ?? null, view.localUrl, node.session.token);
    },
  });
}

/**
 * Opens the same page at the new local port, as the page's own origin ends with the old one. A page that was reloaded
 * since its link was opened has no token to pass on, and asks for the link there.
 */
function followLocalPort(before: string | null, after: string | null, token: string | null): void {
  if (before === null || after === null || before === after) return;
  // Through a tunnel the page has another port than the node. The owner has to change the tunnel.
  if (window.location.port !== new URL(before).port) return;
  const moved = new URL(window.location.href);
  moved.port = new URL(after).port;
  const [page] = moved.hash.split('?');
  if (token !== null) moved.hash = `${page || '#/'}?token=${token}`;
  window.location.assign(moved);
}

/** Collects the diagnostics. */
export function useDiagnostics() {
  const node = useNode();
  return useMutation({ mutationFn: () => node.api.call('diagnostics', {}) });
}
