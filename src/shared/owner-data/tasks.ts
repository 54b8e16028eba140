import { z } from 'zod';
import { logAct, writtenEntry } from './journal.ts';
import { deviceId, timeMs } from './values.ts';

const MAX_EVERY_DAYS = 1000;
export const MAX_TASKS = 500;
const MAX_TITLE_LENGTH = 200;

/** A calendar day, such as "2026-03-29", where the owner is. */
export const day = z.iso.date({ error: 'a day is written as 2026-03-29' });

/** A reminder of the owner, regular or for one time. */
export const task = z.strictObject({
  id: z.uuid(),
  /** null for all devices. */
  device: deviceId.nullable(),
  /** The owner's words, which become the text of its log entries. May be empty if `act` is sufficient. */
  title: z.string().trim().max(MAX_TITLE_LENGTH),
  /** The act that is written into the log when it is done; missing for a note. */
  act: logAct.optional(),
  /** The calendar days from the day on which it was done until it is due again; null for one time. */
  everyDays: z
    .int({ error: 'a rhythm is whole days' })
    .min(1, 'a rhythm is at least a day')
    .max(MAX_EVERY_DAYS)
    .nullable(),
  /** null if it was done for good. */
  due: day.nullable(),
  /** It is not shown as due before that day. */
  snoozedUntil: day.nullable(),
  /** When it was last done, on which of the owner's days, and when it was due. */
  done: z.strictObject({ at: timeMs, day, due: day }).nullable(),
});
export type Task = z.infer<typeof task>;

const says = ({ title, act, device }: Pick<Task, 'title' | 'act' | 'device'>) =>
  writtenEntry.safeParse({ device, at: 0, text: title, ...(act === undefined ? {} : { act }) }).success;

/** A task as an owner writes it. */
export const writtenTask = task
  .pick({ device: true, title: true, act: true, everyDays: true })
  .extend({ due: day })
  .refine(({ act }) => act?.photos === undefined, { error: 'a task has no photos', path: ['act'] })
  .refine(says, { error: 'it needs a title', path: ['title'] });
export type WrittenTask = z.infer<typeof writtenTask>;
