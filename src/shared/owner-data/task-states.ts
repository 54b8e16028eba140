import { addDays, type Day, daysBetween } from './days.ts';
import type { Task } from './tasks.ts';

/** The state of a task on a day. `done`: on that day or for good; `later`: not yet due. */
export type TaskState = 'late' | 'due' | 'snoozed' | 'done' | 'later';

export function taskState({ due, snoozedUntil, done }: Task, today: Day): TaskState {
  if (due === null) return 'done';
  if (snoozedUntil !== null && snoozedUntil > today) return 'snoozed';
  if (due < today) return 'late';
  if (due === today) return 'due';
  return done?.day === today ? 'done' : 'later';
}

/** Returns whether a task waits for the owner on a day. */
export function isOpen(task: Task, today: Day): boolean {
  const state = taskState(task, today);
  return state === 'late' || state === 'due';
}

/** Compares tasks: the longest overdue first, those done for good last. */
export function byDue(a: Task, b: Task): number {
  return (a.due ?? '9999').localeCompare(b.due ?? '9999') || a.title.localeCompare(b.title);
}

/** Returns a task after it was done. The next time of a rhythm counts from the day on which it was done. */
export function completed(task: Task, at: number, today: Day): Task {
  return {
    ...task,
    due: task.everyDays === null ? null : addDays(today, task.everyDays),
    snoozedUntil: null,
    done: { at, day: today, due: task.due ?? today },
  };
}

/** Returns a task as it was before it was done. */
export function reopened(task: Task): Task {
  return task.done === null ? task : { ...task, due: task.done.due, snoozedUntil: null, done: null };
}

/** Returns a task after one time was skipped: it is next due on the first day of its rhythm after today. */
export function skipped(task: Task & { everyDays: number; due: Day }, today: Day): Task {
  const passed = Math.max(0, Math.floor(daysBetween(task.due, today) / task.everyDays));
  return { ...task, due: addDays(task.due, (passed + 1) * task.everyDays), snoozedUntil: null };
}
