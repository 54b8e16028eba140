import { z } from 'zod';
import { CHANNEL_FAULTS } from '../../../shared/alerts/faults.ts';
import { count } from '../../../shared/owner-api/values.ts';
import { timeMs } from '../../../shared/owner-data/values.ts';
import { noticeFacts } from '../channels/notice.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
export const HOUR_MS = 60 * MINUTE;

/** The wait after each failed try. The last try is an hour after the first. */
const WAITS = [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 15 * MINUTE, 15 * MINUTE, 520 * SECOND];

/** Returns the wait after so many failed tries, in milliseconds; null if the message is given up. */
export function waitAfter(tries: number): number | null {
  return WAITS[tries - 1] ?? null;
}

/** A message that waits to be sent to one channel. */
export const delivery = z.strictObject({
  facts: noticeFacts,
  channel: z.uuid(),
  /** The number of failed tries. */
  tries: count,
  nextAt: timeMs,
  /** Whether it waits for the end of the quiet hours. */
  isQuiet: z.boolean(),
});
export type Delivery = z.infer<typeof delivery>;

/** The outcome of a channel's messages. */
export const channelRecord = z.strictObject({
  /** When messages were first sent, within the last hour. */
  begunAt: z.array(timeMs),
  /** The messages beyond the hourly limit: their number, the time of the first, and the subjects of the worst. */
  held: z
    .strictObject({ count: z.int().min(1), since: timeMs, isCritical: z.boolean(), about: z.array(z.string()) })
    .nullable(),
  /** When the owner was last notified of held-back messages. */
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

/** The saved state of the outbox. */
export const keptOutbox = z.object({ deliveries: z.array(delivery), records: z.record(z.string(), channelRecord) });
export type KeptOutbox = z.infer<typeof keptOutbox>;

export const EMPTY_OUTBOX: KeptOutbox = { deliveries: [], records: {} };
