import { z } from 'zod';
import { alert } from '../../../shared/alerts/alert.ts';
import { count } from '../../../shared/owner-api/values.ts';
import { fieldUnitChoice } from '../../../shared/owner-data/notes.ts';
import { task } from '../../../shared/owner-data/tasks.ts';
import { anyField, deviceId, fieldName, timeMs } from '../../../shared/owner-data/values.ts';
import { COUNTED, type Counted } from '../../../shared/wellness/sentence.ts';

const finite = z.number();
const counted = z.enum(COUNTED as readonly [Counted, ...Counted[]]);

/** The values of a field in the period, in the unit that the device sends; of a derived field, in its own. */
const sums = z.strictObject({
  field: anyField,
  /** The share of the time in which it was in range, from 0 to 1; null if no rule has a range. */
  inRange: finite.nullable(),
  least: finite,
  greatest: finite,
});

/** A forecast in the unit that the owner sees; see Outlook. */
const outlook = z.strictObject({
  field: anyField,
  perDay: finite,
  what: z.enum(['empty', 'leaves']),
  left: z.strictObject({ from: finite, to: finite }),
});

/** A task that waits for the owner, and by how many days it is late. */
const openTask = z.strictObject({ task: task.pick({ title: true, act: true }), lateDays: count });

/** A device of the owner and its state. */
const place = z.strictObject({
  id: deviceId,
  name: z.string(),
  group: z.string().nullable(),
  wellness: counted,
  /** The owner's units for its fields. */
  units: z.partialRecord(fieldName, fieldUnitChoice),
  /** The open alerts, the worst first. */
  alerts: z.array(alert),
  silentMs: count.nullable(),
  clockNotSet: z.boolean(),
  sums: z.array(sums),
  /** The watched fields that had only sealed values, or are derived from such. */
  sealed: z.array(anyField),
  outlooks: z.array(outlook),
  tasks: z.array(openTask),
});
export type DigestPlace = z.infer<typeof place>;

/** The facts of a summary message, without words and with bounded lists. Times are Unix milliseconds. */
export const digestFacts = z.strictObject({
  isWeekly: z.boolean(),
  from: timeMs,
  to: timeMs,
  /** The time at which the facts were read. */
  at: timeMs,
  /** The owner's time zone. */
  zone: z.string(),
  counts: z.record(counted, count),
  /** The open alerts that are not about a device. */
  alerts: z.array(alert),
  /** The places by group; those that need their owner come first. */
  places: z.array(place),
  /** The number of devices that are left out of `places`. */
  more: count,
  /** The open tasks that belong to no device. */
  tasks: z.array(openTask),
  /** The number of all open tasks, and of those that were done in the period. */
  tasksDue: count,
  tasksDone: count,
});
export type DigestFacts = z.infer<typeof digestFacts>;
