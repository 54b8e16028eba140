import { z } from 'zod';
import { timeMs } from '../owner-data/values.ts';
import type { Methods } from './method.ts';
import { nothing } from './values.ts';

/** A damaged file of the data folder, and the entries that were lost. */
export const damagedFile = z.strictObject({
  id: z.uuid(),
  /** Its name, such as `alerts.json`. */
  file: z.string(),
  /** When it was noticed. */
  at: timeMs,
  /** The path of the damaged copy; null if there was no space for it. */
  copy: z.string().nullable(),
  /**
   * Set if nothing could be read. `previous`: the previous copy is used. `nothing`: no copy was usable. `absent`: the file was
   * missing, and the previous copy is used. `missing`: a store that existed is missing.
   */
  whole: z.enum(['previous', 'nothing', 'absent', 'missing']).nullable(),
  /** The unreadable entries. `entry` is a name, id or number within the part; null means the whole part. */
  lost: z.array(z.strictObject({ part: z.string(), entry: z.string().nullable() })),
  /** The unreadable entries that were restored to their state before the latest change. */
  restored: z.array(z.strictObject({ part: z.string(), entry: z.string().nullable() })).default([]),
});
export type DamagedFile = z.infer<typeof damagedFile>;

export const DAMAGED_FILE_METHODS = {
  /** Returns the damaged files that the owner has not dismissed, the latest first. */
  damagedFiles: { role: 'owner', input: nothing, output: z.strictObject({ files: z.array(damagedFile) }) },
  /** Removes a file from the list. The damaged copy stays. */
  dismissDamagedFile: { role: 'owner', input: z.strictObject({ id: z.uuid() }), output: nothing },
} as const satisfies Methods;
