import { lazy, Suspense } from 'react';
import { taskState } from '../../shared/owner-data/task-states.ts';
import { useTasks } from '../api/queries/tasks.ts';
import { useToday } from './use-days.ts';

const TaskLine = lazy(() => import('./task-line.tsx'));

/** The tasks of a device that are due, late, or were done today. */
export function TasksOfDevice({ id, className }: { readonly id: string; readonly className: string }) {
  const tasks = useTasks();
  const today = useToday();
  const shown = tasks.filter((task) => {
    const state = taskState(task, today);
    return (
      task.device === id && (state === 'late' || state === 'due' || (state === 'done' && task.done?.day === today))
    );
  });
  if (shown.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <div className={className}>
        {shown.map((task) => (
          <TaskLine key={task.id} task={task} />
        ))}
      </div>
    </Suspense>
  );
}
