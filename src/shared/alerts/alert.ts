import { z } from 'zod';
import { anyField, deviceId, storeName, timeMs } from '../owner-data/values.ts';
import { BUILT_IN_KINDS } from './built-in.ts';
import { ruleId, SEVERITIES } from './rule.ts';

/** Why an alert ended. */
export const ENDINGS = ['back', 'rule_changed', 'rule_off', 'forgotten', 'hidden'] as const;

/** One firing of a rule: for one device, field or store. Values are in the unit that the device sends. */
export const alert = z.strictObject({
  /** The id in every message about the alert, and in links to it. */
  id: z.uuid(),
  rule: ruleId,
  kind: z.enum(['range', ...BUILT_IN_KINDS]),
  /** The rule's name when it fired; '' if the rule has no name. */
  name: z.string(),
  device: deviceId.nullable(),
  field: anyField.nullable(),
  store: storeName.nullable(),
  severity: z.enum(SEVERITIES),
  /** `pending`: it has not yet lasted as long as the rule requires. An ended alert keeps its last state. */
  state: z.enum(['pending', 'firing', 'acknowledged', 'snoozed']),
  /** When it began; for an alert about values, the time of measurement. */
  since: timeMs,
  firedAt: timeMs.nullable(),
  snoozedUntil: timeMs.nullable(),
  /** The bound that was crossed. */
  side: z.enum(['low', 'high']).nullable(),
  /** The newest value. */
  value: z.number().nullable(),
  /** The value furthest outside the range. */
  extreme: z.number().nullable(),
  /** The crossed bound, or the crossed threshold in the unit of the built-in rule. */
  limit: z.number().nullable(),
  endedAt: timeMs.nullable(),
  ended: z.enum(ENDINGS).nullable(),
});
export type Alert = z.infer<typeof alert>;
export type AlertEnding = (typeof ENDINGS)[number];
