import type { FieldName } from '../protocol/fields.ts';
import type { Correction } from './correction.ts';
import type { FieldUnitChoice } from './field-scale.ts';
import { convert, QUANTITIES, type Quantity, REFERENCE_UNITS } from './units.ts';

/**
 * The largest error of a sensor before its owner should act, in the reference unit of its quantity; for conductivity a
 * fraction of the value. A change by a third of it between two calibrations is a drift.
 */
const MOST_OFF: Readonly<Record<Quantity, number>> = {
  acidity: 0.3,
  conductivity: 0.1,
  distance: 20,
  temperature: 1,
  humidity: 5,
  pressure: 0.1,
};
/** With a slope outside these limits, a pH probe is worn, and another sensor measures something else. */
const SOUND_SLOPE = { least: 0.85, most: 1.18 };

/** The drift of a sensor according to its calibrations. */
export interface Drift {
  readonly field: FieldName;
  /** For each calibration, in the order of time: how much too high the sensor showed a given true value. */
  readonly steps: readonly { readonly at: number; readonly off: number }[];
  /**
   * `once`: one calibration shows no drift. `grows`: the error is too large and larger than at the previous
   * calibration, or the slope is outside its limits.
   */
  readonly verdict: 'once' | 'steady' | 'drifts' | 'grows';
}

/**
 * Returns the drift of a field's sensor from its corrections, in the order of time, at a true value in the unit that
 * the device sends; null if it was never calibrated.
 */
export function driftOf(
  corrections: readonly Correction[],
  field: FieldName,
  value: number,
  choice?: FieldUnitChoice,
): Drift | null {
  const own = corrections.filter((each) => each.field === field);
  const last = own.at(-1);
  if (last === undefined) return null;
  const steps = own.map(({ from, slope, offset }) => ({ at: from, off: (value - offset) / slope - value }));
  const [before, now] = [steps.at(-2), steps.at(-1)!];
  const most = mostOff(field, value, choice);
  const isSound = last.slope >= SOUND_SLOPE.least && last.slope <= SOUND_SLOPE.most;
  if (before === undefined) return { field, steps, verdict: isSound ? 'once' : 'grows' };
  const hasGrown = Math.abs(now.off) > Math.abs(before.off) && Math.abs(now.off) >= most;
  const change = Math.abs(now.off - before.off);
  return { field, steps, verdict: hasGrown || !isSound ? 'grows' : change >= most / 3 ? 'drifts' : 'steady' };
}

function mostOff(field: FieldName, value: number, choice: FieldUnitChoice | undefined): number {
  const quantity = QUANTITIES[field];
  const most = MOST_OFF[quantity];
  if (quantity === 'conductivity') return Math.abs(value) * most;
  if (choice !== undefined && 'label' in choice) return Number.POSITIVE_INFINITY;
  const sent = choice?.sent ?? REFERENCE_UNITS[field];
  return Math.abs(convert(most, REFERENCE_UNITS[field], sent) - convert(0, REFERENCE_UNITS[field], sent));
}
