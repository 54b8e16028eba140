import { z } from 'zod';
import { CARE_FAULTS } from '../care/faults.ts';
import { CSV_DIALECTS } from '../export/csv.ts';
import { timeMs } from '../owner-data/values.ts';
import type { Methods } from './method.ts';
import { count, nothing } from './values.ts';

/** The open formats that data goes out in. */
export const EXPORT_FORMATS = ['csv', 'ndjson', 'parquet', 'sqlite'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const path = z.string().min(1).max(4096);
/** Times of measurement, both inclusive; null for no bound. */
const bounds = { from: timeMs.nullable(), to: timeMs.nullable() };
const format = z.enum(EXPORT_FORMATS);
const problem = z.strictObject({ fault: z.enum(CARE_FAULTS), message: z.string() });

export const exportsView = z.strictObject({
  /** A folder on the node's machine that an export may go to; null: none is known. */
  suggestedFolder: path.nullable(),
  /** The export under way; null for none. `total` is 0 until the readings are counted, and for `sqlite`. */
  work: z.strictObject({ format, folder: path, file: z.string().nullable(), readings: count, total: count }).nullable(),
  /** How the latest ended since the node started. */
  last: z
    .strictObject({
      at: timeMs,
      format,
      /** Where it is; of one that failed: where it would have been, and of which nothing is left. */
      folder: path,
      files: count,
      /** null for `sqlite`, which copies without counting. */
      readings: count.nullable(),
      bytes: count,
      problem: problem.nullable(),
    })
    .nullable(),
});
export type ExportsView = z.infer<typeof exportsView>;

export const EXPORT_METHODS = {
  /** How many readings an export of a range has, each once, and about how many bytes it takes in each format. */
  exportSize: {
    role: 'owner',
    input: z.strictObject(bounds),
    output: z.strictObject({ devices: count, readings: count, bytes: z.record(format, count) }),
  },
  exports: { role: 'owner', input: nothing, output: exportsView },
  /**
   * Begins to write all devices and readings into a new folder within `folder`, which has to be there, on the machine of the
   * node; `exports` events say when `exports` has news of it. With `sqlite` there can be no bounds.
   */
  beginExport: {
    role: 'owner',
    input: z.strictObject({ folder: path, format, dialect: z.enum(CSV_DIALECTS), ...bounds }),
    output: z.strictObject({ problem: problem.nullable() }),
  },
  /** Ends what is under way; nothing of it stays. */
  cancelExport: { role: 'owner', input: nothing, output: nothing },
} as const satisfies Methods;
