import { shortestFloat32 } from '../float32.ts';
import type { FieldName } from '../protocol/fields.ts';
import { withoutNoise } from './units.ts';

/** A reference that a sensor was held against: its true value, and the value that the device sent, both in the unit sent. */
export interface CalibrationPoint {
  readonly reference: number;
  readonly shown: number;
}

/** Which values of a field are corrected and how: those from a time on, until the field's next correction. */
export interface Correction {
  readonly field: FieldName;
  /** Unix milliseconds; a value of this very time is corrected too. */
  readonly from: number;
  readonly slope: number;
  /** In the unit that the device sends. */
  readonly offset: number;
}

/** A calibration of the log. */
export interface Calibration {
  readonly id: number;
  readonly at: number;
  readonly field: FieldName;
  readonly points: readonly CalibrationPoint[];
}

/** A sensor whose slope is further off is broken, or its owner mistyped. */
export const LEAST_SLOPE = 0.2;
export const GREATEST_SLOPE = 5;
/** The largest reference or shown value in any unit. */
export const MOST_CALIBRATED = 100_000;
/** A shown value further from a single reference is a mistyped one; of a pH only, whose unit is always the same. */
const MOST_PH = 14;
const MOST_PH_OFF = 5;

export type CalibrationFault = 'sameReference' | 'sameShown' | 'absurdSlope' | 'absurdValue' | 'noPh' | 'farOff';

/** Returns the fault of a calibration's points; null: they are fine. */
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
 * The line through the points of a calibration: through one with the slope 1. Corrections do not add up: `shown` is the
 * value that the device sent, so that each calibration stands for itself.
 */
export function lineOf([first, second]: readonly CalibrationPoint[]): Pick<Correction, 'slope' | 'offset'> {
  if (first === undefined) return { slope: 1, offset: 0 };
  const slope = second === undefined ? 1 : (second.reference - first.reference) / (second.shown - first.shown);
  return { slope, offset: first.reference - slope * first.shown };
}

/** The corrections by calibrations, in the order of time. Of two at the same time the one that was entered last counts. */
export function correctionsOf(calibrations: readonly Calibration[]): Correction[] {
  const byTime = new Map<string, Correction>();
  for (const { at, field, points } of calibrations.toSorted((a, b) => a.at - b.at || a.id - b.id)) {
    byTime.set(`${field} ${at}`, { field, from: at, ...lineOf(points) });
  }
  return [...byTime.values()];
}

/** The correction of a field that is in force at a time; null: none is. `corrections` are in the order of time. */
export function correctionAt(corrections: readonly Correction[], field: FieldName, time: number): Correction | null {
  return corrections.findLast((each) => each.field === field && each.from <= time) ?? null;
}

/** A value by a correction: slope times the value plus the offset, to twelve significant digits. */
export function correct(correction: Correction | null, sent: number): number {
  if (correction === null) return sent;
  return withoutNoise(correction.slope * shortestFloat32(sent) + correction.offset);
}

/** A value of a time as it is shown, in the unit that the device sends. */
export function correctedValue(
  corrections: readonly Correction[],
  field: FieldName,
  time: number,
  sent: number,
): number {
  return corrections.length === 0 ? sent : correct(correctionAt(corrections, field, time), sent);
}

/** The time of a reading that decides which correction is in force: by the axis of the device's charts. */
export function correctionTime(
  { timestamp, receivedAt }: { readonly timestamp: string | bigint; readonly receivedAt: number },
  clockNotSet: boolean,
): number {
  return clockNotSet ? receivedAt : Number(timestamp);
}
