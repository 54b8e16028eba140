import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { dayOf } from '../../../shared/owner-data/days.ts';
import type { Task } from '../../../shared/owner-data/tasks.ts';
import { useNode } from '../node-connection.ts';
import { type CallMutation, queryKeys } from './client.ts';

const NO_TASKS: readonly Task[] = [];

/** Returns the owner's tasks at the shown node; empty until they are loaded, and at a node of an earlier version. */
export function useTasks(): readonly Task[] {
  const node = useNode();
  const { data } = useQuery({ queryKey: queryKeys(node).tasks, queryFn: () => node.api.call('tasks', {}) });
  return data?.tasks ?? NO_TASKS;
}

type TaskMethod = 'writeTask' | 'postponeTask' | 'deleteTask';

/** Changes a task. */
export function useTaskCall<M extends TaskMethod>(method: M): CallMutation<M> {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<M>) => node.api.call(method, input),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys(node).tasks }),
  });
}

/** Marks a task as done. Can undo that as long as this page knows the journal entry that was written for it. */
export function useDone(task: Task) {
  const node = useNode();
  const client = useQueryClient();
  const keys = queryKeys(node);
  const entryKey = [node.id, 'writtenByTask', task.id];
  const { data: entry } = useQuery<number | null>({ queryKey: entryKey, enabled: false, initialData: null });
  const onSuccess = () =>
    Promise.all([keys.tasks, keys.journal].map((queryKey) => client.invalidateQueries({ queryKey })));
  const done = useMutation({
    mutationFn: async () => {
      const at = node.clock.now();
      const answer = await node.api.call('completeTask', { id: task.id, at: Math.round(at), day: dayOf(at) });
      client.setQueryData(entryKey, answer.entry.id);
    },
    onSuccess,
  });
  const undo = useMutation({
    mutationFn: async () => {
      await node.api.call('reopenTask', { id: task.id, entry });
      client.setQueryData(entryKey, null);
    },
    onSuccess,
  });
  return { done, undo, canUndo: entry !== null && task.done !== null };
}
