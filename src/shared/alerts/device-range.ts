import { derivedRow } from '../measures/derived.ts';
import type { FieldUnitChoice } from '../measures/field-scale.ts';
import { convert, REFERENCE_UNITS, withoutNoise } from '../measures/units.ts';
import type { FieldName } from '../protocol/fields.ts';
import type { RangeRule } from './rule.ts';

/** The owner's units of a device, as its notes have them. */
type DeviceUnits = { readonly [field in FieldName]?: FieldUnitChoice | undefined };

/** The part of a rule that has a unit, and what says which. */
type Limits = Pick<RangeRule, 'field' | 'low' | 'high' | 'margin' | 'cycle'> & { readonly scope?: RangeRule['scope'] };

/**
 * A rule in the unit that a device sends. That of one device is kept so; one for several, or of a crop cycle, is kept in the
 * reference units.
 * Numbers of a unit that nothing here converts are compared as they are.
 */
export function rangeAt<R extends Limits>(rule: R, units: DeviceUnits): R {
  // Derived values have one unit, whatever the device sends.
  if (derivedRow(rule.field) !== null) return rule;
  const field = rule.field as FieldName;
  const choice = units[field];
  if ((rule.scope?.kind === 'device' && rule.cycle === undefined) || choice === undefined || 'label' in choice)
    return rule;
  const reference = REFERENCE_UNITS[field];
  const { sent = reference } = choice;
  if (sent === reference) return rule;
  const inSent = (value: number): number => convert(value, reference, sent);
  const { low, high, margin } = rule;
  return {
    ...rule,
    low: low === null ? null : inSent(low),
    high: high === null ? null : inSent(high),
    margin: Math.abs(withoutNoise(inSent(margin) - inSent(0))),
  };
}
