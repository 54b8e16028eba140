import { shortestFloat32 } from '../float32.ts';
import type { FieldScale } from '../measures/field-scale.ts';
import { withoutNoise } from '../measures/units.ts';
import type { RangeRule } from './rule.ts';

/** The right range of a field; the same as the device sends it, or as the owner sees it. */
export type Range = Pick<RangeRule, 'low' | 'high'>;
export type RangeWithMargin = Range & Pick<RangeRule, 'margin'>;

/** Decimals of a limit that was converted: enough to read back what was typed. */
const LIMIT_DECIMALS = 4;

/** A limit as the owner sees it. A converted one has no more digits than anybody types. */
export function shownLimit(scale: FieldScale, sent: number): number {
  // Not by way of the scale's own float32: a limit never was one.
  const shown = scale.digits === null ? sent : scale.toShown(sent);
  return scale.digits === null ? shown : Number(shown.toFixed(LIMIT_DECIMALS));
}

/** The range as the owner sees it: a reversed scale swaps its ends. */
export function shownRange(scale: FieldScale, { low, high }: Range): Range {
  const [a, b] = [low, high].map((limit) => (limit === null ? null : shownLimit(scale, limit))) as [
    number | null,
    number | null,
  ];
  return scale.isReversed ? { low: b, high: a } : { low: a, high: b };
}

/** A range that holds from a time until another, in Unix milliseconds; without them, always. */
export interface TimedRange extends Range {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The right range of a field, as the owner sees it: to be drawn, and in words; '' if there is no rule. */
export interface Allowed {
  readonly bands: readonly TimedRange[];
  readonly ranges: string;
}

/**
 * The right ranges of a scale's field by some rules, each range once. The rules that follow a crop cycle are drawn by the
 * spans of its stages, as the device sends them.
 */
export function allowedOf(
  scale: FieldScale,
  rules: readonly RangeRule[],
  rangeText: (scale: FieldScale, range: Range) => string,
  spans: readonly (TimedRange & Pick<RangeRule, 'field'>)[] = [],
): Allowed {
  const own = rules.filter(({ field }) => field === scale.field);
  const byText = new Map(own.map((rule) => [rangeText(scale, rule), shownRange(scale, rule)]));
  const fixed = own.filter(({ cycle }) => cycle === undefined || spans.length === 0);
  const always = new Map(fixed.map((rule) => [rangeText(scale, rule), shownRange(scale, rule)]));
  const ofStages = spans
    .filter(({ field }) => field === scale.field)
    .map(({ from, to, ...range }): TimedRange => ({ ...shownRange(scale, range), from, to }));
  return { bands: [...always.values(), ...ofStages], ranges: [...byText.keys()].join('; ') };
}

/** The range as the device has to send it. */
export function sentRange(scale: FieldScale, { low, high }: Range): Range {
  const [a, b] = [low, high].map((limit) => (limit === null ? null : scale.toSent(limit))) as [
    number | null,
    number | null,
  ];
  return scale.isReversed ? { low: b, high: a } : { low: a, high: b };
}

/** A difference as the owner sees it: every scale is a straight line. */
export function shownMargin(scale: FieldScale, margin: number): number {
  const shown = Math.abs(withoutNoise(scale.toShown(margin) - scale.toShown(0)));
  return scale.digits === null ? margin : Number(shown.toFixed(LIMIT_DECIMALS));
}

/** The same of what the device sends. */
export function sentMargin(scale: FieldScale, margin: number): number {
  return Math.abs(withoutNoise(scale.toSent(margin) - scale.toSent(0)));
}

/** The side of a value as the owner sees it. */
export function shownSide(scale: FieldScale, side: 'low' | 'high'): 'low' | 'high' {
  if (!scale.isReversed) return side;
  return side === 'low' ? 'high' : 'low';
}

/** On which side a value that was sent lies outside; null: on none. */
export function sideOf({ low, high }: Range, sent: number): 'low' | 'high' | null {
  const value = shortestFloat32(sent);
  if (low !== null && value < low) return 'low';
  return high !== null && value > high ? 'high' : null;
}

/** The range that all rules of a field allow together, as the device sends it; null if there is no rule, or no such range. */
export function bandOf(
  field: RangeRule['field'],
  rules: readonly Pick<RangeRule, 'field' | 'low' | 'high'>[],
): Range | null {
  let [low, high]: [number | null, number | null] = [null, null];
  for (const rule of rules) {
    if (rule.field !== field) continue;
    if (rule.low !== null) low = low === null ? rule.low : Math.max(low, rule.low);
    if (rule.high !== null) high = high === null ? rule.high : Math.min(high, rule.high);
  }
  if ((low === null && high === null) || (low !== null && high !== null && low > high)) return null;
  return { low, high };
}
