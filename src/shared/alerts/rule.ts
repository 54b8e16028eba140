import { z } from 'zod';
import { anyField, deviceId } from '../owner-data/values.ts';
import { BUILT_IN, BUILT_IN_KINDS, isOnAtFirst, isThresholdOf, SEVERITIES } from './built-in.ts';
import { MAX_CHANNELS } from './channel.ts';

export { SEVERITIES, type Severity } from './built-in.ts';

export const MAX_RULES = 500;

const DAY_MINUTES = 1440;
const limit = z.number().min(-1e9).max(1e9);

/** The devices of a rule. */
const scope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('device'), device: deviceId }),
  z.strictObject({ kind: z.literal('group'), group: z.uuid() }),
  /** All devices of the owner. */
  z.strictObject({ kind: z.literal('all') }),
]);
export type RuleScope = z.infer<typeof scope>;

const common = {
  severity: z.enum(SEVERITIES),
  /** The channels that its alerts are sent to. */
  channels: z.union([z.literal('all'), z.array(z.uuid()).max(MAX_CHANNELS)]),
  /** The time from the last message until the next, while nobody has acknowledged the alert; null: one message only. */
  repeatMinutes: z
    .int()
    .min(5)
    .max(7 * DAY_MINUTES)
    .nullable(),
  isOn: z.boolean(),
};

const range = z.strictObject({
  id: z.uuid(),
  kind: z.literal('range'),
  name: z.string().trim().max(100),
  /**
   * The crop cycle whose stage the rule follows. Its numbers are then in the reference unit, whatever unit its devices
   * send.
   */
  cycle: z.uuid().optional(),
  scope,
  field: anyField,
  /** The smallest and the largest right value, in the unit that the device sends; null if there is no such bound. */
  low: limit.nullable(),
  high: limit.nullable(),
  /** How far inside its bound a value must be to end the alert. */
  margin: z.number().min(0).max(1e9),
  /** How long values must be outside before it fires, by their times of measurement. */
  forMinutes: z.int().min(0).max(DAY_MINUTES),
  ...common,
});

function hasBounds({ low, high, margin }: { low: number | null; high: number | null; margin: number }): boolean {
  if (low === null || high === null) return low !== high;
  // With a larger margin, no value could end an alert of either side.
  return low < high && margin * 2 <= high - low;
}
const BOUNDS = { error: 'low must be below high by twice the margin, and one of them there' };

export const rangeRule = range.refine(hasBounds, BOUNDS);
export type RangeRule = z.infer<typeof rangeRule>;

const builtIn = z.strictObject({
  id: z.enum(BUILT_IN_KINDS),
  kind: z.enum(BUILT_IN_KINDS),
  /** In the unit of the rule in BUILT_IN; null if it is automatic, or if the rule has no threshold. */
  threshold: z.number().nullable(),
  ...common,
});
export const builtInRule = builtIn
  .refine(({ id, kind }) => id === kind, { error: 'the id of a built-in rule is its kind' })
  .refine(({ kind, threshold }) => isThresholdOf(kind, threshold), { error: 'no threshold of this rule' });
export type BuiltInRule = z.infer<typeof builtInRule>;

/** A rule of the owner, or a built-in one. */
export const rule = z.union([rangeRule, builtInRule]);
export type Rule = z.infer<typeof rule>;
export type RuleKind = Rule['kind'];

/** A rule as input: a new one has no id yet. */
export const ruleInput = z.union([range.extend({ id: z.uuid().nullable() }).refine(hasBounds, BOUNDS), builtInRule]);
export type RuleInput = z.infer<typeof ruleInput>;

export const ruleId = z.union([z.uuid(), z.enum(BUILT_IN_KINDS)]);

/** Returns the built-in rules as they are before the owner changes them. */
export function builtInRules(): BuiltInRule[] {
  return BUILT_IN_KINDS.map((kind) => {
    const { severity, threshold } = BUILT_IN[kind];
    const value = threshold?.default ?? null;
    return {
      id: kind,
      kind,
      threshold: value,
      severity,
      channels: 'all',
      repeatMinutes: null,
      isOn: isOnAtFirst(kind),
    };
  });
}
