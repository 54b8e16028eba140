import { completed, reopened, skipped } from '../../src/shared/owner-data/task-states.ts';
import type { Task } from '../../src/shared/owner-data/tasks.ts';
import { type Answers, FakeError, type OnFakeEvent } from './fake.ts';

type Journal = Pick<Answers, 'writeJournalEntry' | 'deleteJournalEntry'>;

/** Returns tasks in memory. `journal` receives the entries of completed tasks. */
export function taskAnswers(
  journal: Journal,
  onEvent: OnFakeEvent,
): Pick<Answers, 'tasks' | 'writeTask' | 'completeTask' | 'reopenTask' | 'postponeTask' | 'deleteTask'> {
  const tasks = new Map<string, Task>();
  const find = (id: string): Task => {
    const task = tasks.get(id);
    if (task === undefined) throw new FakeError('not_found');
    return task;
  };
  const keep = (task: Task): Task => {
    tasks.set(task.id, task);
    onEvent('choices', {});
    return task;
  };
  return {
    tasks: () => ({ tasks: [...tasks.values()] }),
    writeTask: ({ id, ...written }) => {
      const before = id === null ? null : find(id);
      const { done = null } = before ?? {};
      return keep({ ...written, id: before?.id ?? crypto.randomUUID(), snoozedUntil: null, done });
    },
    completeTask: ({ id, at, day }) => {
      const { device, title: text, act } = find(id);
      const written = { id: null, device, at, text, ...(act === undefined ? {} : { act }) };
      return { entry: journal.writeJournalEntry(written), task: keep(completed(find(id), at, day)) };
    },
    reopenTask: ({ id, entry }) => {
      if (entry !== null) journal.deleteJournalEntry({ id: entry });
      return keep(reopened(find(id)));
    },
    postponeTask: ({ id, how, day }) => {
      const task = find(id);
      if (how === 'snooze') return keep({ ...task, snoozedUntil: day });
      const { due, everyDays } = task;
      if (how === 'move' || due === null || everyDays === null) return keep({ ...task, due: day, snoozedUntil: null });
      return keep(skipped({ ...task, due, everyDays }, day));
    },
    deleteTask: ({ id }) => {
      if (!tasks.delete(id)) throw new FakeError('not_found');
      onEvent('choices', {});
      return {};
    },
  };
}
