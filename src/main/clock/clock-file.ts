import { z } from 'zod';
import type { StateFileKind } from '../state-files/state-file.ts';

const time = z.number();
const clockId = z.int().nonnegative();

/** A correction of arrival times in this boot, which the stores must apply. */
const shift = z.object({ clock: clockId, next: clockId, by: time, from: time, to: time, at: time });
export type Shift = z.infer<typeof shift>;

const clockDocument = z.object({
  version: z.literal(1),
  boot: z.string().nullable(),
  uptime: time,
  state: z.object({
    offset: time,
    lead: time,
    knownLead: time.nullable(),
    clock: clockId,
    from: time,
    steadySince: time,
    hasStepped: z.boolean(),
    mark: time,
  }),
  shifts: z.array(shift),
  lastStep: z.object({ at: time, by: time }).nullable(),
});
/** The state that one process passes to the next. */
export type ClockDocument = z.infer<typeof clockDocument>;

export const CLOCK_FILE: StateFileKind<typeof clockDocument> = {
  name: 'clock.json',
  schema: clockDocument,
  // Without the state nothing is known, as at a first start.
  empty: { version: 1, boot: null, uptime: 0, shifts: [], lastStep: null },
};
