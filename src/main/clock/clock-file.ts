import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeAtomicallySync } from '../common/atomic-write.ts';

const time = z.number();
const clockId = z.int().nonnegative();

/** A move of arrivals that the stores were asked for in this boot. */
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
/** What one process leaves to the next. */
export type ClockDocument = z.infer<typeof clockDocument>;

/** Reads it; null where there is none, or none that can be read: then nothing is known, as on a first start. */
export function readClockFile(path: string): ClockDocument | null {
  try {
    return clockDocument.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** Writes it; throws as the file system does. */
export function writeClockFile(path: string, document: ClockDocument): void {
  writeAtomicallySync(path, `${JSON.stringify(document)}\n`);
}
