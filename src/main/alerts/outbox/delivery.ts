import { z } from 'zod';
import { CHANNEL_FAULTS } from '../../../shared/alerts/faults.ts';
import { count } from '../../../shared/owner-api/values.ts';
import { timeMs } from '../../../shared/owner-data/values.ts';
import { noticeFacts } from '../channels/notice.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
export const HOUR_MS = 60 * MINUTE;

/** How long to wait after each failed try; the last one is an hour after the first. */
const WAITS = [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 15 * MINUTE, 15 * MINUTE, 520 * SECOND];

/** When to try again after so many failed tries, in milliseconds; null: it is given up. */
export function waitAfter(tries: number): number | null {
  return WAITS[tries - 1] ?? null;
}

/** A message on its way to one channel. */
export const delivery = z.strictObject({
  facts: noticeFacts,
  channel: z.uuid(),
  /** The messages that failed. */
  tries: count,
  nextAt: timeMs,
  /** It waits for the quiet hours to end. */
  isQuiet: z.boolean(),
});
export type Delivery = z.infer<typeof delivery>;

/** The outcome of a channel's messages. */
export const channelRecord = z.strictObject({
  /** When messages were begun, within the last hour. */
  begunAt: z.array(timeMs),
  /** Messages beyond the bound of the hour: how many since when, and what the worst of them are about. */
  held: z
    .strictObject({ count: z.int().min(1), since: timeMs, isCritical: z.boolean(), about: z.array(z.string()) })
    .nullable(),
  /** When the owner was last told how many messages were held back. */
  summaryAt: timeMs.nullable(),
  lastSuccessAt: timeMs.nullable(),
  lastFailure: z
    .strictObject({
      at: timeMs,
      fault: z.enum(CHANNEL_FAULTS),
      detail: z.string(),
      isPermanent: z.boolean(),
      isGivenUp: z.boolean(),
    })
    .nullable(),
});
export type ChannelRecord = z.infer<typeof channelRecord>;

export const NO_RECORD: ChannelRecord = {
  begunAt: [],
  held: null,
  summaryAt: null,
  lastSuccessAt: null,
  lastFailure: null,
};

/** The outbox as it is kept. */
export const keptOutbox = z.object({ deliveries: z.array(delivery), records: z.record(z.string(), channelRecord) });
export type KeptOutbox = z.infer<typeof keptOutbox>;

export const EMPTY_OUTBOX: KeptOutbox = { deliveries: [], records: {} };
