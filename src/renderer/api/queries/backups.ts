import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BackupsView, CareProblem } from '../../../shared/owner-api/backups.ts';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** The parts of a request that the node did not carry out, though it understood it. */
export class CareRefused extends Error {
  readonly problem: CareProblem;

  constructor(problem: CareProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

type Change =
  | 'planBackups'
  | 'confirmBackupFolder'
  | 'makeBackup'
  | 'checkBackup'
  | 'restoreBackup'
  | 'undoRestore'
  | 'confirmHeldBack'
  | 'dropHeldBack';

/** Where backups go, when, what there is of them, and what is under way. */
export function useBackups() {
  const node = useNode();
  return useQuery<BackupsView>({ queryKey: queryKeys(node).backups, queryFn: () => node.api.call('backups', {}) });
}

/** Begins something, or changes the plan; fails with `CareRefused` where the node says why not. */
export function useCare<M extends Change>(method: M) {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input<M>) => {
      const { problem } = (await node.api.call(method, input)) as { problem: CareProblem | null };
      if (problem !== null) throw new CareRefused(problem);
    },
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys(node).backups }),
  });
}

/** The backups in the folders that the node knows, but the planned one. */
export function useOtherBackups() {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).backups, 'elsewhere'],
    queryFn: async () =>
      (await node.api.call('listBackups', { folder: null })).folders.filter((each) => !each.isPlanned),
  });
}

/** The backups in a folder that the owner names; null: it is none that can be read. */
export function useBackupsIn() {
  const node = useNode();
  return useMutation({
    mutationFn: async (folder: string) => {
      const [found] = (await node.api.call('listBackups', { folder })).folders;
      return found === undefined || found.problem !== null ? null : found.files;
    },
  });
}

/** When a backup with the keystore was made; asked again in each `state` of the keys, in which the keystore may change. */
export function useKeystoreBackup(state: string, isOwner: boolean) {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).backups, 'keystore', state],
    queryFn: () => node.api.call('keystoreBackup', {}),
    enabled: isOwner,
    staleTime: 0,
  });
}

/** How a backup file is encrypted. */
export function useBackupFile() {
  const node = useNode();
  return useMutation({
    mutationFn: async (path: string) => {
      const { encryption, problem } = await node.api.call('backupFile', { path });
      if (problem !== null) throw new CareRefused(problem);
      return encryption!;
    },
  });
}

/** Ends what is under way. */
export function useCancelCare() {
  const node = useNode();
  return useMutation({ mutationFn: () => node.api.call('cancelCare', {}) });
}

/** The owner has read that the data was restored. */
export function useDismissRestored() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => node.api.call('dismissRestored', {}),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys(node).backups }),
  });
}
