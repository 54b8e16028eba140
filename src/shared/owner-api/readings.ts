import { z } from 'zod';
import { deviceId, fieldName, storeName, timeMs } from '../owner-data/values.ts';
import type { Methods } from './method.ts';
import { count, fieldValue, perField, uint64Text } from './values.ts';

export const ownerReading = z.strictObject({
  seq: uint64Text,
  /** As the device said; uptime where its clock is not set. */
  timestamp: uint64Text,
  receivedAt: timeMs,
  keyVersion: count,
  /** Where this reading, whole, comes from; the private one where both stores have it. */
  store: storeName,
  fields: perField(fieldValue),
});
export type OwnerReading = z.infer<typeof ownerReading>;

/** Readings between two times, both inclusive, of the axis in force for the device (`clockNotSet`); null is unbounded. */
const range = { id: deviceId, from: timeMs.nullable(), to: timeMs.nullable() };

const series = z.strictObject({
  /** Parallel to `times`; null where a step has no plain value. */
  min: z.array(z.number().nullable()),
  max: z.array(z.number().nullable()),
  mean: z.array(z.number().nullable()),
  count: z.array(count),
  /** How many values of the step are sealed. */
  sealed: z.array(count),
});

export const history = z.strictObject({
  /** The meaning of `times`: the device's timestamps, or arrival times if its clock is not set. */
  axis: z.enum(['timestamp', 'received']),
  /** Width of a step; null: each entry is one reading. */
  stepMs: count.nullable(),
  /** Unix milliseconds, ascending: a reading's time, or the start of a step. Steps without readings are left out. */
  times: z.array(timeMs),
  fields: perField(series),
});
export type History = z.infer<typeof history>;

/** Readings that have a value in a field. */
const readingFilter = z.strictObject({
  field: fieldName,
  form: z.enum(['any', 'plain', 'sealed']),
  /** Bounds of the value as the device sends it, both inclusive. What is sealed has none and is left out by them. */
  min: z.number().nullable(),
  max: z.number().nullable(),
});
export type ReadingFilter = z.infer<typeof readingFilter>;

export const READING_METHODS = {
  /** The newest readings first, merged over both stores. */
  latestReadings: {
    role: 'viewer',
    input: z.strictObject({ id: deviceId, limit: z.int().min(1).max(500) }),
    output: z.strictObject({ readings: z.array(ownerReading) }),
  },
  /** Readings of a range in pages: for exports, for opening sealed fields, and to look through. */
  readingsPage: {
    role: 'viewer',
    input: z.strictObject({
      ...range,
      /** `next` of the page before. */
      cursor: z.string().max(200).nullable(),
      /** Oldest or newest first; oldest where nothing is said. The same for every page. */
      order: z.enum(['ascending', 'descending']).optional(),
      filter: readingFilter.nullable().optional(),
      limit: z.int().min(1).max(2000),
    }),
    output: z.strictObject({
      readings: z.array(ownerReading),
      next: z.string().nullable(),
      /** Readings in the whole range that pass the filter, at the first page; null later. */
      total: count.nullable(),
    }),
  },
  /**
   * Lines of a proof in pages, by timestamps of the device, both inclusive; docs/proof.md has the format. All pages are of the
   * tree of the first one. Some of the readings may be left out, and the last line has the counts of what is in the file.
   */
  proofPage: {
    role: 'owner',
    input: z.strictObject({
      id: deviceId,
      /** The store whose log proves them; null: the private one if it has the device. */
      store: storeName.nullable(),
      from: uint64Text.nullable(),
      to: uint64Text.nullable(),
      /** `next` of the page before. */
      cursor: z.string().max(200).nullable(),
      limit: z.int().min(1).max(500),
    }),
    output: z.strictObject({
      /** The lines before the readings, and how many of them are what; null after the first page. */
      begin: z.strictObject({ lines: z.string(), corrections: count, registrations: count }).nullable(),
      /** In the order of their timestamps; `line` is null where the log does not have it. */
      readings: z.array(z.strictObject({ seq: uint64Text, receivedAt: timeMs, line: z.string().nullable() })),
      next: z.string().nullable(),
    }),
  },
  /**
   * A chart's data: single readings where they are few enough, else steps with min, max, mean and count. Plain values are
   * corrected by the device's calibrations, before they are summed up; with `asSent` they are as the device sent them.
   */
  history: {
    role: 'viewer',
    input: z.strictObject({
      ...range,
      maxPoints: z.int().min(10).max(5000),
      /** The time that a pixel shows, where the chart reaches beyond the readings: more points would be a solid block. */
      pixelMs: count.optional(),
      asSent: z.boolean().optional(),
    }),
    output: history,
  },
} as const satisfies Methods;
