import { expect, it } from 'vitest';
import { completed, isOpen, reopened, skipped, taskState } from './task-states.ts';
import { type Task, writtenTask } from './tasks.ts';

const task: Task = {
  ...{ id: '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11', device: null, title: 'Wash', everyDays: 14 },
  ...{ due: '2026-03-20', snoozedUntil: null, done: null },
};

it.each<[string, Partial<Task>, string]>([
  ['late', { due: '2026-03-19' }, 'late'],
  ['due', {}, 'due'],
  ['not due yet', { due: '2026-03-21' }, 'later'],
  ['snoozed', { due: '2026-03-19', snoozedUntil: '2026-03-21' }, 'snoozed'],
  ['late again once it was snoozed long enough', { due: '2026-03-19', snoozedUntil: '2026-03-20' }, 'late'],
  ['done for good', { due: null }, 'done'],
])('is %s', (_, more, state) => {
  expect(taskState({ ...task, ...more }, '2026-03-20')).toBe(state);
});

it('repeats from the day of its completion, and undo restores the earlier day', () => {
  const done = completed(task, 7, '2026-03-22');
  expect([done.due, taskState(done, '2026-03-22'), taskState(done, '2026-03-23')]).toEqual([
    '2026-04-05',
    'done',
    'later',
  ]);
  expect(reopened(done)).toEqual(task);
  const once = completed({ ...task, everyDays: null }, 7, '2026-03-22');
  expect([once.due, isOpen(once, '2027-01-01')]).toEqual([null, false]);
});

it('skips to the next future day of its rhythm', () => {
  const of = (due: string, today: string) => skipped({ ...task, everyDays: 14, due }, today).due;
  expect([of('2026-03-20', '2026-03-20'), of('2026-03-20', '2026-03-10'), of('2026-03-20', '2026-04-17')]).toEqual([
    '2026-04-03',
    '2026-04-03',
    '2026-05-01',
  ]);
});

const written = { device: null, title: 'Wash', everyDays: 14, due: '2026-03-20' };

it.each<[string, object, string]>([
  ['negative litres', { act: { kind: 'toppedUp', amount: { value: -2, unit: 'l' } } }, 'an amount must be more than 0'],
  ['a rhythm of no days', { everyDays: 0 }, 'a rhythm is at least a day'],
  ['half days', { everyDays: 1.5 }, 'a rhythm is whole days'],
  ['a day that does not exist', { due: '2026-02-30' }, 'a day is written as 2026-03-29'],
  ['nothing to do', { title: ' ' }, 'it needs a title'],
])('refuses %s', (_, more, message) => {
  expect(writtenTask.safeParse(written).success).toBe(true);
  expect(writtenTask.safeParse({ ...written, ...more }).error?.issues[0]?.message).toBe(message);
});
