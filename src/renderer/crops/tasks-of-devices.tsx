import { lazy, Suspense } from 'react';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import { taskState } from '../../shared/owner-data/task-states.ts';
import { useTasks } from '../api/queries/tasks.ts';
import { nameOf } from '../devices/names.ts';
import { useToday } from './use-days.ts';

const TaskLine = lazy(() => import('./task-line.tsx'));

interface Props {
  readonly devices: readonly DeviceSummary[];
  readonly className: string;
  /** Whether each task has the name of its device. */
  readonly isNamed?: boolean;
}

/** The tasks of devices that are due, late, or were done today. */
export function TasksOfDevices({ devices, className, isNamed = false }: Props) {
  const tasks = useTasks();
  const today = useToday();
  const shown = tasks.flatMap((task) => {
    const device = devices.find(({ id }) => id === task.device);
    const state = taskState(task, today);
    const isShown = state === 'late' || state === 'due' || (state === 'done' && task.done?.day === today);
    return device !== undefined && isShown ? [{ task, device }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <div className={className}>
        {shown.map(({ task, device }) => (
          <TaskLine key={task.id} task={task} place={isNamed ? nameOf(device) : undefined} />
        ))}
      </div>
    </Suspense>
  );
}
