import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SettingChange, SettingProblem, SettingsView } from '../../../shared/owner-settings.ts';
import { getApi } from '../../api/client.ts';
import { keys } from '../../api/queries.ts';
import { currentToken } from '../../api/session.ts';

/** A change that the node did not take, though it understood it. */
export class Refused extends Error {
  readonly problem: SettingProblem;

  constructor(problem: SettingProblem) {
    super(`${problem.setting}: ${problem.kind}`);
    this.problem = problem;
  }
}

/** The settings as they are in force. */
export function useSettings() {
  return useQuery({ queryKey: keys.settings, queryFn: () => getApi().call('getSettings', {}) });
}

/** Changes settings; fails with `Refused` where the node does not take the change. */
export function useSetSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: SettingChange) => {
      const before = client.getQueryData<SettingsView>(keys.settings);
      const answer = await getApi().call('setSettings', { change });
      if (!answer.saved) throw new Refused(answer.problem);
      return { before, view: answer.view };
    },
    onSuccess: ({ before, view }) => {
      client.setQueryData(keys.settings, view);
      void client.invalidateQueries({ queryKey: keys.nodeInfo });
      void client.invalidateQueries({ queryKey: keys.overview });
      if (view.home === 'browser') followLocalPort(before?.localUrl ?? null, view.localUrl);
    },
  });
}

/** The page's own origin goes with the local port: open the same view at the new one, with the same token. */
function followLocalPort(before: string | null, after: string | null): void {
  const token = currentToken();
  if (before === null || after === null || before === after || token === null) return;
  // Through a tunnel the page is at another port than the node's: the owner has to move the tunnel.
  if (window.location.port !== new URL(before).port) return;
  const moved = new URL(window.location.href);
  moved.port = new URL(after).port;
  moved.hash = `#token=${token}`;
  window.location.assign(moved);
}
