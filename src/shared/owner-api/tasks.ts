import { z } from 'zod';
import { journalEntry } from '../owner-data/journal.ts';
import { day, task, writtenTask } from '../owner-data/tasks.ts';
import { timeMs } from '../owner-data/values.ts';
import { LOGS, type Methods } from './method.ts';
import { nothing } from './values.ts';

const id = task.pick({ id: true });

/** Days are in the caller's time zone, so the node need not know the owner's. */
export const TASK_METHODS = {
  /** Returns all tasks, in no particular order. */
  tasks: { role: 'viewer', input: nothing, output: z.strictObject({ tasks: z.array(task) }) },
  /** Replaces a task, or adds one if `id` is null. A new due day ends a snooze. */
  writeTask: { role: 'owner', input: writtenTask.safeExtend({ id: task.shape.id.nullable() }), output: task },
  /**
   * Marks a task as done at a time, which is on `day` for the owner, and writes a log entry. A viewer who may log can do the
   * tasks of its devices, except calibrations.
   */
  completeTask: {
    role: 'viewer',
    asks: LOGS,
    input: id.extend({ at: timeMs, day }),
    output: z.strictObject({ task, entry: journalEntry }),
  },
  /** Undoes the last `completeTask` and deletes its log entry. With `entry` null the entry stays. */
  reopenTask: { role: 'owner', input: id.extend({ entry: journalEntry.shape.id.nullable() }), output: task },
  /** `skip` omits one occurrence (`day` is today); `snooze` hides the task until that day; `move` changes its due day. */
  postponeTask: {
    role: 'owner',
    input: id.extend({ how: z.enum(['skip', 'snooze', 'move']), day }),
    output: task,
  },
  deleteTask: { role: 'owner', input: id, output: nothing },
} as const satisfies Methods;
