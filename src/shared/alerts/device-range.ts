import type { FieldUnitChoice } from '../measures/field-scale.ts';
import { convert, REFERENCE_UNITS, withoutNoise } from '../measures/units.ts';
import type { FieldName } from '../protocol/fields.ts';
import type { RangeRule } from './rule.ts';

/** The owner's units of a device, as its notes have them. */
type DeviceUnits = { readonly [field in FieldName]?: FieldUnitChoice | undefined };

/**
 * A rule in the unit that a device sends. That of one device is kept so; one for several is kept in the reference units.
 * Numbers of a unit that nothing here converts are compared as they are.
 */
export function rangeAt(rule: RangeRule, units: DeviceUnits): RangeRule {
  const choice = units[rule.field];
  if (rule.scope.kind === 'device' || choice === undefined || 'label' in choice) return rule;
  const reference = REFERENCE_UNITS[rule.field];
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
