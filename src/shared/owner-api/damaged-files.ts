import { z } from 'zod';
import { timeMs } from '../owner-data/values.ts';
import type { Methods } from './method.ts';
import { nothing } from './values.ts';

/** A file of the data folder that was damaged when it was read, and what that cost. */
export const damagedFile = z.strictObject({
  id: z.uuid(),
  /** Its name, such as `alerts.json`. */
  file: z.string(),
  /** When it was noticed. */
  at: timeMs,
  /** Where the damaged file was put; null: there was no room for it. */
  copy: z.string().nullable(),
  /**
   * Nothing of it could be read: the copy from before it is used, or nothing. `absent`: the file was gone, and the copy is
   * used. `missing`: a store that was there is gone.
   */
  whole: z.enum(['previous', 'nothing', 'absent', 'missing']).nullable(),
  /** The entries that could not be read; `entry` is a name, id or number within the part, null: all of it. */
  lost: z.array(z.strictObject({ part: z.string(), entry: z.string().nullable() })),
  /** The entries that could not be read, and are now as before the latest change. */
  restored: z.array(z.strictObject({ part: z.string(), entry: z.string().nullable() })).default([]),
});
export type DamagedFile = z.infer<typeof damagedFile>;

export const DAMAGED_FILE_METHODS = {
  /** Files of the data folder that were damaged, the latest first, until the owner dismisses them. */
  damagedFiles: { role: 'owner', input: nothing, output: z.strictObject({ files: z.array(damagedFile) }) },
  /** Takes one off that list, for good; the copy stays. */
  dismissDamagedFile: { role: 'owner', input: z.strictObject({ id: z.uuid() }), output: nothing },
} as const satisfies Methods;
