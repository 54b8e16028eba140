import { z } from 'zod';
import { alert } from '../../../shared/alerts/alert.ts';
import { count } from '../../../shared/owner-api/values.ts';
import { fieldUnitChoice } from '../../../shared/owner-data/notes.ts';
import { task } from '../../../shared/owner-data/tasks.ts';
import { anyField, deviceId, fieldName, timeMs } from '../../../shared/owner-data/values.ts';
import { COUNTED, type Counted } from '../../../shared/wellness/sentence.ts';

const finite = z.number();
const counted = z.enum(COUNTED as readonly [Counted, ...Counted[]]);

/** The values of a field in the period, as the device sends them. */
const sums = z.strictObject({
  field: fieldName,
  /** The share of the time in which it was in range, from 0 to 1; null: no rule says what is right. */
  inRange: finite.nullable(),
  least: finite,
  greatest: finite,
});

/** See Outlook: as the owner sees it. */
const outlook = z.strictObject({
  field: anyField,
  perDay: finite,
  what: z.enum(['empty', 'leaves']),
  left: z.strictObject({ from: finite, to: finite }),
});

/** A task that waits for the owner, and for how many days. */
const openTask = z.strictObject({ task: task.pick({ title: true, act: true }), lateDays: count });

/** A device of the owner's, and how it is. */
const place = z.strictObject({
  id: deviceId,
  name: z.string(),
  group: z.string().nullable(),
  wellness: counted,
  /** The owner's units for its fields. */
  units: z.partialRecord(fieldName, fieldUnitChoice),
  /** The open ones, the worst first. */
  alerts: z.array(alert),
  silentMs: count.nullable(),
  clockNotSet: z.boolean(),
  sums: z.array(sums),
  /** The watched fields of which nothing but sealed values came. */
  sealed: z.array(fieldName),
  outlooks: z.array(outlook),
  tasks: z.array(openTask),
});
export type DigestPlace = z.infer<typeof place>;

/** The facts of a summary message, without words and in bounded numbers. Times are Unix milliseconds. */
export const digestFacts = z.strictObject({
  isWeekly: z.boolean(),
  from: timeMs,
  to: timeMs,
  /** When they were so. */
  at: timeMs,
  /** The owner's time zone. */
  zone: z.string(),
  counts: z.record(counted, count),
  /** The open alerts that are about no device. */
  alerts: z.array(alert),
  /** By group; those that need their owner first. */
  places: z.array(place),
  /** How many devices are left out of `places`. */
  more: count,
  /** The open tasks that are of no device. */
  tasks: z.array(openTask),
  /** All open tasks, and those that were done in the period. */
  tasksDue: count,
  tasksDone: count,
});
export type DigestFacts = z.infer<typeof digestFacts>;
