import type { PresetRange } from '../../../shared/alerts/presets.ts';
import type { RangeRule, RuleInput } from '../../../shared/alerts/rule.ts';
import type { RangeWithMargin } from '../../../shared/alerts/shown-range.ts';
import { type DerivedBy, isDerived, referenceUnitOf } from '../../../shared/measures/derived.ts';
import { convert, type UnitId, withoutNoise } from '../../../shared/measures/units.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { isSent } from '../../format/values.ts';

/** The ranges of a preset for one field of a device. */
export interface FittedRange {
  readonly preset: PresetRange;
  /** In the unit that the device sends; null if that unit can't be converted. */
  readonly range: RangeWithMargin | null;
  /** Whether the device sends the field at all. */
  readonly isSent: boolean;
  /** This device's own rule, which the preset changes; null if it adds a rule. */
  readonly replaced: RangeRule | null;
}

/** Returns the ranges of a preset for a device. */
export function fitted(
  ranges: readonly PresetRange[],
  { id, newest, notes }: Pick<DeviceSummary, 'id' | 'newest' | 'notes'>,
  rules: readonly RangeRule[],
  by: DerivedBy,
): FittedRange[] {
  return ranges.map((preset) => {
    const { field } = preset;
    const choice = isDerived(field) ? undefined : notes.units[field];
    const sent = choice === undefined ? referenceUnitOf(field) : 'label' in choice ? null : choice.sent;
    const own = rules.find((rule) => rule.field === field && rule.scope.kind === 'device' && rule.scope.device === id);
    return {
      preset,
      range: sent === null ? null : inUnit(preset, sent ?? referenceUnitOf(field)),
      isSent: isSent(newest, field, by),
      replaced: own ?? null,
    };
  });
}

function inUnit({ field, low, high, margin }: PresetRange, unit: UnitId): RangeWithMargin {
  const of = (value: number) => convert(value, referenceUnitOf(field), unit);
  return {
    low: low === null ? null : of(low),
    high: high === null ? null : of(high),
    margin: withoutNoise(of(margin) - of(0)),
  };
}

/** Returns the rules that applying the preset writes. Fields that the device does not send are left out. */
export function rulesOf(device: string, name: string, ranges: readonly FittedRange[]): RuleInput[] {
  return ranges.flatMap(({ preset, range, isSent, replaced }): RuleInput[] => {
    if (range === null || !isSent) return [];
    const { low, high, margin } = range;
    const { field, forMinutes } = preset;
    // The rule keeps its severity, repeats and channels.
    if (replaced !== null) return [{ ...replaced, name, low, high, margin, forMinutes, isOn: true }];
    return [
      {
        ...{ id: null, kind: 'range', name, scope: { kind: 'device', device }, field, low, high, margin },
        ...{ forMinutes, repeatMinutes: null, severity: 'warning', channels: 'all', isOn: true },
      },
    ];
  });
}
