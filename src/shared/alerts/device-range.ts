import { derivedRow } from '../measures/derived.ts';
import type { FieldUnitChoice } from '../measures/field-scale.ts';
import { convert, REFERENCE_UNITS, withoutNoise } from '../measures/units.ts';
import type { FieldName } from '../protocol/fields.ts';
import type { RangeRule } from './rule.ts';

/** The owner's units for a device, from its notes. */
type DeviceUnits = { readonly [field in FieldName]?: FieldUnitChoice | undefined };

/** The parts of a rule that have a unit, and those that decide which unit. */
type Limits = Pick<RangeRule, 'field' | 'low' | 'high' | 'margin' | 'cycle'> & { readonly scope?: RangeRule['scope'] };

/**
 * Returns a rule in the unit that the device sends. A rule for one device is stored in that unit; a rule for several
 * devices, or of a crop cycle, is stored in the reference units. Numbers in a unit that can't be converted stay as they
 * are.
 */
export function rangeAt<R extends Limits>(rule: R, units: DeviceUnits): R {
  // Derived values always have the same unit.
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
