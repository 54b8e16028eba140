import { type CalibrationFault, type CalibrationPoint, calibrationFault } from '../../shared/measures/correction.ts';
import type { FieldScale } from '../../shared/measures/field-scale.ts';
import { withoutNoise } from '../../shared/measures/units.ts';
import type { LogAct } from '../../shared/owner-data/journal.ts';
import type { FieldName } from '../../shared/protocol/fields.ts';

interface TypedPoint {
  readonly reference: string;
  readonly shown: string;
}

/** The typed fields of a calibration, in the displayed unit. */
export interface CalibrationForm {
  readonly field: FieldName;
  readonly points: readonly [TypedPoint, TypedPoint];
}

export type CalibrationFormFault = CalibrationFault | 'notNumber' | 'incomplete';

const EMPTY: TypedPoint = { reference: '', shown: '' };

/** Returns the form of an entry, or an empty one. */
export function calibrationForm(act: LogAct | undefined, scale: (field: FieldName) => FieldScale): CalibrationForm {
  const { field = 'ph', points = [] } = act ?? {};
  const typed = (point: CalibrationPoint | undefined): TypedPoint =>
    point === undefined
      ? EMPTY
      : { reference: shownText(scale(field), point.reference), shown: shownText(scale(field), point.shown) };
  return { field, points: [typed(points[0]), typed(points[1])] };
}

/** Returns a value that the device sent, as the owner would type it. */
export function shownText(scale: FieldScale, sent: number): string {
  return String(withoutNoise(scale.toShown(sent)));
}

/** Returns the act of a form, or what is wrong with it. An empty second point is left out. */
export function calibrationAct(
  { field, points }: CalibrationForm,
  scale: FieldScale,
): { readonly act: LogAct } | { readonly fault: CalibrationFormFault } {
  const [first, second] = points;
  const isSecondEmpty = second.reference.trim() === '' && second.shown.trim() === '';
  const typed = isSecondEmpty ? [first] : [first, second];
  if (typed.some(({ reference, shown }) => reference.trim() === '' || shown.trim() === ''))
    return { fault: 'incomplete' };
  const read = (text: string) => scale.toSent(Number(text.trim().replace(',', '.')));
  const sent = typed.map(({ reference, shown }) => ({ reference: read(reference), shown: read(shown) }));
  if (sent.some(({ reference, shown }) => Number.isNaN(reference) || Number.isNaN(shown)))
    return { fault: 'notNumber' };
  const fault = calibrationFault(field, sent);
  return fault === null ? { act: { kind: 'calibrated', field, points: sent } } : { fault };
}
