import { z } from 'zod';
import { anyField, deviceId, storeName, timeMs } from '../owner-data/values.ts';
import { BUILT_IN_KINDS } from './built-in.ts';
import { ruleId, SEVERITIES } from './rule.ts';

/** Why an alert ended. */
export const ENDINGS = ['back', 'rule_changed', 'rule_off', 'forgotten', 'hidden'] as const;

/** One firing of a rule: for one device, field or store. Values are in the unit that the device sends. */
export const alert = z.strictObject({
  /** In every message about it, and in links to it. */
  id: z.uuid(),
  rule: ruleId,
  kind: z.enum(['range', ...BUILT_IN_KINDS]),
  /** The rule's name when it fired; '' where it has none. */
  name: z.string(),
  device: deviceId.nullable(),
  field: anyField.nullable(),
  store: storeName.nullable(),
  severity: z.enum(SEVERITIES),
  /** `pending`: it has not lasted for as long as the rule asks. An ended one keeps the state that it had. */
  state: z.enum(['pending', 'firing', 'acknowledged', 'snoozed']),
  /** When it began, by measurement where it is about values. */
  since: timeMs,
  firedAt: timeMs.nullable(),
  snoozedUntil: timeMs.nullable(),
  /** Which bound was crossed. */
  side: z.enum(['low', 'high']).nullable(),
  /** The newest value. */
  value: z.number().nullable(),
  /** The value furthest outside. */
  extreme: z.number().nullable(),
  /** The bound, or the threshold in the unit of a built-in rule, that was crossed. */
  limit: z.number().nullable(),
  endedAt: timeMs.nullable(),
  ended: z.enum(ENDINGS).nullable(),
});
export type Alert = z.infer<typeof alert>;
export type AlertEnding = (typeof ENDINGS)[number];
