import { z } from 'zod';
import { deviceId, fieldName, storeName, timeMs } from '../owner-data/values.ts';
import type { Methods } from './method.ts';
import { count, fieldValue, perField, uint64Text } from './values.ts';

export const ownerReading = z.strictObject({
  seq: uint64Text,
  /** As the device sent it. It is the uptime if the device's clock is not set. */
  timestamp: uint64Text,
  receivedAt: timeMs,
  keyVersion: count,
  /** The store of this reading; the private one if both stores have it. */
  store: storeName,
  fields: perField(fieldValue),
});
export type OwnerReading = z.infer<typeof ownerReading>;

/** Two times, both inclusive, on the device's time axis (see `clockNotSet`); null is unbounded. */
const range = { id: deviceId, from: timeMs.nullable(), to: timeMs.nullable() };

const series = z.strictObject({
  /** Parallel to `times`; null if a step has no plain value. */
  min: z.array(z.number().nullable()),
  max: z.array(z.number().nullable()),
  mean: z.array(z.number().nullable()),
  count: z.array(count),
  /** The number of sealed values in each step. */
  sealed: z.array(count),
});

export const history = z.strictObject({
  /** The meaning of `times`: the device's timestamps, or arrival times if its clock is not set. */
  axis: z.enum(['timestamp', 'received']),
  /** The width of a step; null if each entry is one reading. */
  stepMs: count.nullable(),
  /** Unix milliseconds, ascending: the time of a reading, or the start of a step. Steps without readings are missing. */
  times: z.array(timeMs),
  fields: perField(series),
});
export type History = z.infer<typeof history>;

/** Selects readings with a value in a field. */
const readingFilter = z.strictObject({
  field: fieldName,
  form: z.enum(['any', 'plain', 'sealed']),
  /** Bounds of the value as the device sent it, both inclusive. A bound excludes sealed values. */
  min: z.number().nullable(),
  max: z.number().nullable(),
});
export type ReadingFilter = z.infer<typeof readingFilter>;

export const READING_METHODS = {
  /** Returns the latest readings of both stores, the newest first. */
  latestReadings: {
    role: 'viewer',
    input: z.strictObject({ id: deviceId, limit: z.int().min(1).max(500) }),
    output: z.strictObject({ readings: z.array(ownerReading) }),
  },
  /** Returns the readings of a range in pages. */
  readingsPage: {
    role: 'viewer',
    input: z.strictObject({
      ...range,
      /** `next` of the previous page. */
      cursor: z.string().max(200).nullable(),
      /** Oldest or newest first; oldest by default. Use the same order for every page. */
      order: z.enum(['ascending', 'descending']).optional(),
      filter: readingFilter.nullable().optional(),
      limit: z.int().min(1).max(2000),
    }),
    output: z.strictObject({
      readings: z.array(ownerReading),
      next: z.string().nullable(),
      /** On the first page, the number of readings in the whole range that pass the filter; null on later pages. */
      total: count.nullable(),
    }),
  },
  /**
   * Returns the lines of a proof in pages, by device timestamps, both inclusive; docs/proof.md has the format. All pages use the
   * tree of the first page. The caller may leave out readings, and writes the last line with the counts of the lines in the file.
   */
  proofPage: {
    role: 'owner',
    input: z.strictObject({
      id: deviceId,
      /** The store whose log is used; null for the private one if it has the device. */
      store: storeName.nullable(),
      from: uint64Text.nullable(),
      to: uint64Text.nullable(),
      /** `next` of the previous page. */
      cursor: z.string().max(200).nullable(),
      limit: z.int().min(1).max(500),
    }),
    output: z.strictObject({
      /** The lines before the readings and the counts of their kinds; null after the first page. */
      begin: z.strictObject({ lines: z.string(), corrections: count, registrations: count }).nullable(),
      /** In the order of timestamps. `line` is null if the log does not have the reading. */
      readings: z.array(z.strictObject({ seq: uint64Text, receivedAt: timeMs, line: z.string().nullable() })),
      next: z.string().nullable(),
    }),
  },
  /**
   * Returns a chart's data: single readings if they are few enough, else steps with min, max, mean and count. Plain values are
   * corrected by the device's calibrations before aggregation; with `asSent` they stay as the device sent them.
   */
  history: {
    role: 'viewer',
    input: z.strictObject({
      ...range,
      maxPoints: z.int().min(10).max(5000),
      /** The time span of one pixel, if the chart extends beyond the readings: more points per pixel are useless. */
      pixelMs: count.optional(),
      asSent: z.boolean().optional(),
    }),
    output: history,
  },
} as const satisfies Methods;
