import { shortestFloat32 } from '../float32.ts';
import type { FieldName } from '../protocol/fields.ts';
import { withoutNoise } from './units.ts';

/** A reference of a calibration: its true value, and the value that the device sent, both in the sent unit. */
export interface CalibrationPoint {
  readonly reference: number;
  readonly shown: number;
}

/** How values of a field are corrected from a time on, until the field's next correction. */
export interface Correction {
  readonly field: FieldName;
  /** Unix milliseconds; a value of exactly this time is corrected too. */
  readonly from: number;
  readonly slope: number;
  /** In the unit that the device sends. */
  readonly offset: number;
}

/** A calibration in the log. */
export interface Calibration {
  readonly id: number;
  readonly at: number;
  readonly field: FieldName;
  readonly points: readonly CalibrationPoint[];
}

/** With a slope outside these limits, the sensor is broken, or its owner made a typing error. */
export const LEAST_SLOPE = 0.2;
export const GREATEST_SLOPE = 5;
/** The largest reference or shown value in any unit. */
export const MOST_CALIBRATED = 100_000;
/**
 * The largest plausible pH, and its largest difference from a reference; a larger one is a typing error. Only for pH,
 * whose unit is always the same.
 */
const MOST_PH = 14;
const MOST_PH_OFF = 5;

export type CalibrationFault = 'sameReference' | 'sameShown' | 'absurdSlope' | 'absurdValue' | 'noPh' | 'farOff';

/** Returns the fault of a calibration's points; null if they are right. */
export function calibrationFault(field: FieldName, points: readonly CalibrationPoint[]): CalibrationFault | null {
  const values = points.flatMap(({ reference, shown }) => [reference, shown]);
  if (!values.every((value) => Number.isFinite(value) && Math.abs(value) <= MOST_CALIBRATED)) return 'absurdValue';
  if (field === 'ph' && points.some(({ reference }) => reference < 0 || reference > MOST_PH)) return 'noPh';
  if (field === 'ph' && points.some(({ reference, shown }) => Math.abs(reference - shown) > MOST_PH_OFF))
    return 'farOff';
  const [first, second] = points;
  if (first === undefined || second === undefined) return null;
  if (first.reference === second.reference) return 'sameReference';
  if (first.shown === second.shown) return 'sameShown';
  const { slope } = lineOf(points);
  return slope >= LEAST_SLOPE && slope <= GREATEST_SLOPE ? null : 'absurdSlope';
}

/**
 * Returns the line through the points of a calibration; with one point, its slope is 1. Corrections do not add up:
 * `shown` is the value that the device sent, so each calibration is independent of earlier ones.
 */
export function lineOf([first, second]: readonly CalibrationPoint[]): Pick<Correction, 'slope' | 'offset'> {
  if (first === undefined) return { slope: 1, offset: 0 };
  const slope = second === undefined ? 1 : (second.reference - first.reference) / (second.shown - first.shown);
  return { slope, offset: first.reference - slope * first.shown };
}

/**
 * Returns the corrections of calibrations in the order of time. Of two at the same time, the one entered last counts.
 */
export function correctionsOf(calibrations: readonly Calibration[]): Correction[] {
  const byTime = new Map<string, Correction>();
  for (const { at, field, points } of calibrations.toSorted((a, b) => a.at - b.at || a.id - b.id)) {
    byTime.set(`${field} ${at}`, { field, from: at, ...lineOf(points) });
  }
  return [...byTime.values()];
}

/** Returns the correction of a field at a time; null if there is none. `corrections` are in the order of time. */
export function correctionAt(corrections: readonly Correction[], field: FieldName, time: number): Correction | null {
  return corrections.findLast((each) => each.field === field && each.from <= time) ?? null;
}

/** Returns a corrected value: slope times the value plus the offset, to twelve significant digits. */
export function correct(correction: Correction | null, sent: number): number {
  if (correction === null) return sent;
  return withoutNoise(correction.slope * shortestFloat32(sent) + correction.offset);
}

/** Returns the shown value of a sent value at a time, in the unit that the device sends. */
export function correctedValue(
  corrections: readonly Correction[],
  field: FieldName,
  time: number,
  sent: number,
): number {
  return corrections.length === 0 ? sent : correct(correctionAt(corrections, field, time), sent);
}

/** Returns the time of a reading that selects its correction: the time that the device's charts use. */
export function correctionTime(
  { timestamp, receivedAt }: { readonly timestamp: string | bigint; readonly receivedAt: number },
  clockNotSet: boolean,
): number {
  return clockNotSet ? receivedAt : Number(timestamp);
}
