import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BackupsView, CareProblem } from '../../../shared/owner-api/backups.ts';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** A request that the node understood but did not carry out. */
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

/** Queries the plan of the backups, the existing backups, and the running operation. */
export function useBackups() {
  const node = useNode();
  return useQuery<BackupsView>({ queryKey: queryKeys(node).backups, queryFn: () => node.api.call('backups', {}) });
}

/** Starts an operation or changes the plan. Fails with `CareRefused` if the node refuses it. */
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

/** Queries the backups in all folders that the node knows except the planned one. */
export function useOtherBackups() {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).backups, 'elsewhere'],
    queryFn: async () =>
      (await node.api.call('listBackups', { folder: null })).folders.filter((each) => !each.isPlanned),
  });
}

/** Looks for backups in a folder that the owner names; null if the folder can't be read. */
export function useBackupsIn() {
  const node = useNode();
  return useMutation({
    mutationFn: async (folder: string) => {
      const [found] = (await node.api.call('listBackups', { folder })).folders;
      return found === undefined || found.problem !== null ? null : found.files;
    },
  });
}

/**
 * Queries when a backup with the keystore was made. It is refetched in each `state` of the keys, as the keystore may
 * have changed.
 */
export function useKeystoreBackup(state: string, isOwner: boolean) {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).backups, 'keystore', state],
    queryFn: () => node.api.call('keystoreBackup', {}),
    enabled: isOwner,
    staleTime: 0,
  });
}

/** Looks up how a backup file is encrypted. */
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

/** Cancels the running operation. */
export function useCancelCare() {
  const node = useNode();
  return useMutation({ mutationFn: () => node.api.call('cancelCare', {}) });
}

/** Hides the message that the data was restored. */
export function useDismissRestored() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => node.api.call('dismissRestored', {}),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys(node).backups }),
  });
}
