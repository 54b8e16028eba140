import { shortestFloat32 } from '../float32.ts';
import type { FieldScale } from '../measures/field-scale.ts';
import { withoutNoise } from '../measures/units.ts';
import type { RangeRule } from './rule.ts';

/** The right range of a field, in the unit that the device sends or in the owner's unit. */
export type Range = Pick<RangeRule, 'low' | 'high'>;
export type RangeWithMargin = Range & Pick<RangeRule, 'margin'>;

/** The decimals of a converted limit: enough to show what the owner typed. */
const LIMIT_DECIMALS = 4;

/** Returns a limit in the owner's unit. A converted limit has no more digits than a person would type. */
export function shownLimit(scale: FieldScale, sent: number): number {
  // Not rounded to a float32 as the scale does: a limit was never a float32.
  const shown = scale.digits === null ? sent : scale.toShown(sent);
  return scale.digits === null ? shown : Number(shown.toFixed(LIMIT_DECIMALS));
}

/** Returns the range in the owner's unit. A reversed scale swaps its ends. */
export function shownRange(scale: FieldScale, { low, high }: Range): Range {
  const [a, b] = [low, high].map((limit) => (limit === null ? null : shownLimit(scale, limit))) as [
    number | null,
    number | null,
  ];
  return scale.isReversed ? { low: b, high: a } : { low: a, high: b };
}

/** A range that applies from one time to another, in Unix milliseconds; always, if they are missing. */
export interface TimedRange extends Range {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The right range of a field in the owner's unit, as bands of a chart and in words; '' if there is no rule. */
export interface Allowed {
  readonly bands: readonly TimedRange[];
  readonly ranges: string;
}

/**
 * Returns the right ranges of a scale's field by some rules, each range once. Rules that follow a crop cycle are drawn
 * as `spans`, the ranges of its stages in the unit that the device sends.
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

/** Returns the range in the unit that the device sends. */
export function sentRange(scale: FieldScale, { low, high }: Range): Range {
  const [a, b] = [low, high].map((limit) => (limit === null ? null : scale.toSent(limit))) as [
    number | null,
    number | null,
  ];
  return scale.isReversed ? { low: b, high: a } : { low: a, high: b };
}

/** Returns a difference in the owner's unit. Every scale is linear. */
export function shownMargin(scale: FieldScale, margin: number): number {
  const shown = Math.abs(withoutNoise(scale.toShown(margin) - scale.toShown(0)));
  return scale.digits === null ? margin : Number(shown.toFixed(LIMIT_DECIMALS));
}

/** Returns a difference in the unit that the device sends. */
export function sentMargin(scale: FieldScale, margin: number): number {
  return Math.abs(withoutNoise(scale.toSent(margin) - scale.toSent(0)));
}

/** Returns the side of a value in the owner's unit. */
export function shownSide(scale: FieldScale, side: 'low' | 'high'): 'low' | 'high' {
  if (!scale.isReversed) return side;
  return side === 'low' ? 'high' : 'low';
}

/** Returns the side on which a sent value is outside the range; null if it is inside. */
export function sideOf({ low, high }: Range, sent: number): 'low' | 'high' | null {
  const value = shortestFloat32(sent);
  if (low !== null && value < low) return 'low';
  return high !== null && value > high ? 'high' : null;
}

/**
 * Returns the range that all rules of a field allow together, in the unit that the device sends; null if there is no
 * rule or no such range.
 */
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
