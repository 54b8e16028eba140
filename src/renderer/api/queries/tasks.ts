import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { dayOf } from '../../../shared/owner-data/days.ts';
import type { Task } from '../../../shared/owner-data/tasks.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

const NO_TASKS: readonly Task[] = [];

/** The owner's tasks at the node that is shown; a node of an earlier version has none. */
export function useTasks(): readonly Task[] {
  const node = useNode();
  const { data } = useQuery({ queryKey: queryKeys(node).tasks, queryFn: () => node.api.call('tasks', {}) });
  return data?.tasks ?? NO_TASKS;
}

type TaskMethod = 'writeTask' | 'postponeTask' | 'deleteTask';

/** Changes a task. */
export function useTaskCall<M extends TaskMethod>(method: M) {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<M>) => node.api.call(method, input),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys(node).tasks }),
  });
}

/** Says that a task was done, and takes that back as long as this page knows the entry which it wrote. */
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
