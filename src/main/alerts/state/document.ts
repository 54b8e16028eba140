import { z } from 'zod';
import { alert } from '../../../shared/alerts/alert.ts';
import { alertOptions, channel, NO_OPTIONS } from '../../../shared/alerts/channel.ts';
import { rule } from '../../../shared/alerts/rule.ts';
import { day } from '../../../shared/owner-data/tasks.ts';
import { anyField, timeMs } from '../../../shared/owner-data/values.ts';
import type { StateFileKind } from '../../state-files/state-file.ts';
import { EMPTY_OUTBOX, keptOutbox } from '../outbox/delivery.ts';

const limit = z.number().nullable();

/** A crop cycle and the state of its rules. */
const followedCycle = z.object({
  id: z.uuid(),
  /** The stage of its rules and the stage of its latest log entry; '' if there is none. */
  stage: z.string(),
  logged: z.string(),
  /** The ranges of that stage whose rules the owner deleted. */
  deleted: z.array(z.object({ field: anyField, low: limit, high: limit })),
});
export type FollowedCycle = z.infer<typeof followedCycle>;

/** The contents of the state file. Secrets are in a separate file. */
const alertsDocument = z.object({
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
  channels: z.array(channel).default([]),
  outbox: keptOutbox.default(EMPTY_OUTBOX),
  /** null if the file was written by a version without this property. */
  cycles: z.array(followedCycle).nullable().default(null),
  /** The day of the latest summary message; null if there was none. */
  digestTold: day.nullable().default(null),
});
export type AlertsDocument = z.infer<typeof alertsDocument>;

export const NO_ALERTS: AlertsDocument = {
  ...{ version: 1, savedAt: 0, rules: [], options: NO_OPTIONS, live: [], devices: [] },
  ...{ channels: [], outbox: EMPTY_OUTBOX, cycles: null, digestTold: null },
};

export const ALERTS_FILE: StateFileKind<typeof alertsDocument> = {
  ...{ name: 'alerts.json', schema: alertsDocument, empty: NO_ALERTS },
};
