import type { BackupMethod, Handlers, HostMethod } from '../handlers.ts';
import type { OwnerHost } from './host.ts';
import { MovingCalls } from './moving.ts';
import { SettingsCalls } from './settings.ts';

/** Answers the owner's calls that concern the program around the node, whether or not a node runs. */
export function hostHandlers(host: OwnerHost, backups: Handlers<BackupMethod>): Handlers<HostMethod> {
  const settings = new SettingsCalls(host);
  const moving = new MovingCalls(host);
  return {
    ...backups,
    getSettings: () => settings.view(),
    setSettings: ({ change }) => settings.set(change),
    getMoves: () => moving.moves(),
    moveData: ({ to }) => ({ problem: host.startMove(to) }),
    cancelMove: () => {
      host.cancelMove();
      return {};
    },
    useDataDir: async (input) => ({ problem: await moving.useDataDir(input) }),
    deleteOldData: async (input) => ({ deleted: await moving.deleteOldData(input) }),
    diagnostics: () => host.diagnostics(),
  };
}
