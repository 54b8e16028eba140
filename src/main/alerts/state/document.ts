import { z } from 'zod';
import { alert } from '../../../shared/alerts/alert.ts';
import { alertOptions } from '../../../shared/alerts/channel.ts';
import { rule } from '../../../shared/alerts/rule.ts';
import { timeMs } from '../../../shared/owner-api/values.ts';

/** What the state file holds. Secrets are in a file of their own. */
export const alertsDocument = z.object({
  version: z.literal(1),
  savedAt: timeMs,
  rules: z.array(rule),
  options: alertOptions,
  live: z.array(z.object({ alert, toldAt: timeMs.nullable() })),
  devices: z.array(
    z.object({
      id: z.string(),
      newestAt: z.number().nullable(),
      lastReceivedAt: z.number().nullable(),
      fields: z.record(z.string(), z.number()),
    }),
  ),
  /** Read by the channels and by the outbox themselves. */
  channels: z.unknown(),
  outbox: z.unknown(),
});
export type AlertsDocument = z.infer<typeof alertsDocument>;
