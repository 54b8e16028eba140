import { correctedValue } from '../../shared/measures/correction.ts';
import { type Drift, driftOf } from '../../shared/measures/drift.ts';
import { QUANTITIES } from '../../shared/measures/units.ts';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import type { FieldName } from '../../shared/protocol/fields.ts';

/** The pH at which the drift is computed if the newest value is sealed. */
const NEUTRAL = 7;

/**
 * Returns the drift of a device's sensor by its calibrations, at its newest plain value; null if it has no calibration.
 */
export function deviceDrift(
  { corrections, newest, notes }: Pick<DeviceSummary, 'corrections' | 'newest' | 'notes'>,
  field: FieldName,
): Drift | null {
  const last = corrections.findLast((each) => each.field === field);
  if (last === undefined) return null;
  const value = newest[field];
  const at =
    typeof value?.value === 'number'
      ? correctedValue(corrections, field, value.measuredAt ?? value.receivedAt, value.value)
      : QUANTITIES[field] === 'acidity'
        ? NEUTRAL
        : last.offset;
  return driftOf(corrections, field, at, notes.units[field]);
}
