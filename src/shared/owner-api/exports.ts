import { z } from 'zod';
import { CARE_FAULTS } from '../care/faults.ts';
import { CSV_DIALECTS } from '../export/csv.ts';
import { timeMs } from '../owner-data/values.ts';
import { EXPORT_FORMATS } from './limits.ts';
import type { Methods } from './method.ts';
import { count, nothing } from './values.ts';

const path = z.string().min(1).max(4096);
/** Times of measurement, both inclusive; null for no bound. */
const bounds = { from: timeMs.nullable(), to: timeMs.nullable() };
const format = z.enum(EXPORT_FORMATS);
const problem = z.strictObject({ fault: z.enum(CARE_FAULTS), message: z.string() });

export const exportsView = z.strictObject({
  /** A suggested folder on the node's machine; null if the node knows no folder. */
  suggestedFolder: path.nullable(),
  /** The running export; null if there is none. `total` is 0 until the readings are counted, and for `sqlite`. */
  work: z.strictObject({ format, folder: path, file: z.string().nullable(), readings: count, total: count }).nullable(),
  /** The result of the latest export since the node started. */
  last: z
    .strictObject({
      at: timeMs,
      format,
      /** The folder of the export. If the export failed, the folder was removed. */
      folder: path,
      files: count,
      /** The number of readings; null for `sqlite`, which copies without counting. */
      readings: count.nullable(),
      bytes: count,
      problem: problem.nullable(),
    })
    .nullable(),
});
export type ExportsView = z.infer<typeof exportsView>;

export const EXPORT_METHODS = {
  /** Counts the readings of a range, each once, and estimates the bytes of each format. */
  exportSize: {
    role: 'owner',
    input: z.strictObject(bounds),
    output: z.strictObject({ devices: count, readings: count, bytes: z.record(format, count) }),
  },
  exports: { role: 'owner', input: nothing, output: exportsView },
  /**
   * Starts to write all devices and readings into a new folder inside `folder`, which must exist on the node's machine.
   * `exports` events report progress. `sqlite` does not accept bounds.
   */
  beginExport: {
    role: 'owner',
    input: z.strictObject({ folder: path, format, dialect: z.enum(CSV_DIALECTS), ...bounds }),
    output: z.strictObject({ problem: problem.nullable() }),
  },
  /** Cancels the running export and removes its files. */
  cancelExport: { role: 'owner', input: nothing, output: nothing },
} as const satisfies Methods;
