import { z } from 'zod';
import { journalEntry } from '../owner-data/journal.ts';
import { day, task, writtenTask } from '../owner-data/tasks.ts';
import { timeMs } from '../owner-data/values.ts';
import { LOGS, type Methods } from './method.ts';
import { nothing } from './values.ts';

const id = task.pick({ id: true });

/** Days are those of the caller's calendar: the node need not know where the owner is. */
export const TASK_METHODS = {
  /** All tasks, in no order. */
  tasks: { role: 'viewer', input: nothing, output: z.strictObject({ tasks: z.array(task) }) },
  /** Writes a task again, or a new one where `id` is null; another day ends what snoozed it. */
  writeTask: { role: 'owner', input: writtenTask.safeExtend({ id: task.shape.id.nullable() }), output: task },
  /**
   * Says that it was done at a time, which is on `day` for the owner, and writes that into the log. A viewer who may log does
   * the tasks of its places, and no calibrations.
   */
  completeTask: {
    role: 'viewer',
    asks: LOGS,
    input: id.extend({ at: timeMs, day }),
    output: z.strictObject({ task, entry: journalEntry }),
  },
  /** Undoes the last `completeTask`, and deletes the entry that it wrote (null: that stays). */
  reopenTask: { role: 'owner', input: id.extend({ entry: journalEntry.shape.id.nullable() }), output: task },
  /** `skip` leaves a turn out, `day` being today; `snooze` shows it as due again on that day; `move` makes it due then. */
  postponeTask: {
    role: 'owner',
    input: id.extend({ how: z.enum(['skip', 'snooze', 'move']), day }),
    output: task,
  },
  deleteTask: { role: 'owner', input: id, output: nothing },
} as const satisfies Methods;
