import type { RangeRule, RuleInput, RuleScope, Severity } from '../../../shared/alerts/rule.ts';
import {
  type RangeWithMargin,
  sentMargin,
  sentRange,
  shownMargin,
  shownRange,
} from '../../../shared/alerts/shown-range.ts';
import type { AnyField } from '../../../shared/measures/derived.ts';
import type { FieldScale } from '../../../shared/measures/field-scale.ts';

/** A range rule as typed into the form, in the units that the owner chose. */
export interface RangeForm {
  readonly name: string;
  readonly scope: RuleScope;
  readonly field: AnyField;
  readonly low: string;
  readonly high: string;
  readonly margin: string;
  readonly forMinutes: string;
  /** Empty if the message is not repeated. */
  readonly repeatMinutes: string;
  readonly severity: Severity;
  readonly channels: RangeRule['channels'];
  readonly isOn: boolean;
}

/** The reason why the form is refused, by input. */
export type RangeRefusal = 'limits' | 'order' | 'margin' | 'for' | 'repeat';

type RangeInput = Extract<RuleInput, { kind: 'range' }>;

/** Returns the typed number, with a point or a comma; null if the text is not a number. */
export function typedNumber(text: string): number | null {
  const trimmed = text.trim().replace(',', '.');
  const value = Number(trimmed);
  return trimmed === '' || !Number.isFinite(value) ? null : value;
}

const limitText = (limit: number | null): string => (limit === null ? '' : String(limit));

/** Returns the form of a new rule for one field. */
export function newRange(scope: RuleScope, field: AnyField): RangeForm {
  return {
    ...{ name: '', scope, field, low: '', high: '', margin: '0', forMinutes: '10', repeatMinutes: '' },
    ...{ severity: 'warning', channels: 'all', isOn: true },
  };
}

/** Returns the form of an existing rule. */
export function rangeFormOf(rule: RangeRule, scale: FieldScale): RangeForm {
  const { name, scope, field, severity, channels, isOn } = rule;
  return {
    ...{ name, scope, field, severity, channels, isOn },
    ...limitTexts(scale, rule),
    forMinutes: String(rule.forMinutes),
    repeatMinutes: rule.repeatMinutes === null ? '' : String(rule.repeatMinutes),
  };
}

function limitTexts(scale: FieldScale, range: RangeWithMargin): Pick<RangeForm, 'low' | 'high' | 'margin'> {
  const { low, high } = shownRange(scale, range);
  return { low: limitText(low), high: limitText(high), margin: String(shownMargin(scale, range.margin)) };
}

/** Returns the form with its limits converted from one scale to another, after the owner changed the rule's devices. */
export function inScale(form: RangeForm, from: FieldScale, to: FieldScale): RangeForm {
  if (from.unit === to.unit && from.isReversed === to.isReversed && from.symbol === to.symbol) return form;
  const range = typedRange(form, from);
  return range === null ? form : { ...form, ...limitTexts(to, range) };
}

/** Returns the typed range in the unit that the device sends; null if it can't be parsed. */
function typedRange({ low, high, margin }: RangeForm, scale: FieldScale): RangeWithMargin | null {
  const typed = [low, high].map((text) => (text.trim() === '' ? null : (typedNumber(text) ?? undefined)));
  const kept = typedNumber(margin === '' ? '0' : margin);
  if (typed.includes(undefined) || kept === null) return null;
  const [a, b] = typed as [number | null, number | null];
  return { ...sentRange(scale, { low: a, high: b }), margin: sentMargin(scale, kept) };
}

/** Returns a whole number of minutes within bounds; null if the text is not one. */
function typedMinutes(text: string, least: number, most: number): number | null {
  const minutes = typedNumber(text);
  return minutes !== null && Number.isInteger(minutes) && minutes >= least && minutes <= most ? minutes : null;
}

const MOST_FOR = 1440;
const LEAST_REPEAT = 5;
const MOST_REPEAT = 10_080;

/** Returns how often a rule repeats its message, in minutes. null: never. undefined: the text is not valid. */
export function repeatOf(text: string): number | null | undefined {
  return text.trim() === '' ? null : (typedMinutes(text, LEAST_REPEAT, MOST_REPEAT) ?? undefined);
}

/**
 * Returns the rule of a form, or the input that is not valid. `before` is the rule to change; limits that the owner did
 * not edit keep its exact values.
 */
export function rangeOf(
  form: RangeForm,
  scale: FieldScale,
  before: RangeRule | null,
): { readonly rule: RangeInput } | { readonly refused: RangeRefusal } {
  const untouched = before !== null && before.field === form.field ? limitTexts(scale, before) : null;
  const isUntouched =
    untouched !== null && (['low', 'high', 'margin'] as const).every((key) => form[key] === untouched[key]);
  const range = isUntouched ? before! : typedRange(form, scale);
  if (range === null || (range.low === null && range.high === null)) return { refused: 'limits' };
  if (range.low !== null && range.high !== null) {
    if (range.low >= range.high) return { refused: 'order' };
    if (range.margin * 2 > range.high - range.low) return { refused: 'margin' };
  }
  const shown = typedNumber(form.margin === '' ? '0' : form.margin);
  if (shown === null || shown < 0) return { refused: 'margin' };
  const forMinutes = typedMinutes(form.forMinutes, 0, MOST_FOR);
  if (forMinutes === null) return { refused: 'for' };
  const repeatMinutes = repeatOf(form.repeatMinutes);
  if (repeatMinutes === undefined) return { refused: 'repeat' };
  const { scope, field, severity, channels, isOn } = form;
  const { low, high, margin } = range;
  return {
    rule: {
      ...{ id: before?.id ?? null, kind: 'range', name: form.name.trim(), scope, field },
      ...{ low, high, margin, forMinutes, repeatMinutes, severity, channels, isOn },
    },
  };
}
