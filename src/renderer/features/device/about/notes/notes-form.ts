import type { FieldUnitChoice } from '../../../../../shared/measures/field-scale.ts';
import type { UnitId } from '../../../../../shared/measures/units.ts';
import type { DeviceNotes } from '../../../../../shared/owner-api/devices.ts';
import { FIELD_NAMES, type FieldName } from '../../../../../shared/protocol/fields.ts';
import { type UnitForm, type UnitRefusal, unitChoiceOf, unitFormOf } from './unit-form.ts';

/** The units of time for a threshold, in milliseconds. */
export const THRESHOLD_UNITS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
export type ThresholdUnit = keyof typeof THRESHOLD_UNITS;
export const UNIT_NAMES = Object.keys(THRESHOLD_UNITS) as readonly ThresholdUnit[];

/** Maximum lengths, as in the contract. */
export const LONGEST_NAME = 200;
const LONGEST_THRESHOLD_MS = 366 * THRESHOLD_UNITS.days;

/** The notes as typed into the form, not yet checked. */
export interface NotesForm {
  readonly displayName: string;
  readonly units: Readonly<Record<FieldName, UnitForm>>;
  readonly text: string;
  readonly threshold: string;
  readonly thresholdUnit: ThresholdUnit;
  readonly status: '0' | '1' | '2';
  readonly mine: 'auto' | 'yes' | 'no';
}

/** What of a form can't be taken. */
export interface Refusals {
  readonly threshold: boolean;
  readonly units: Readonly<Partial<Record<FieldName, UnitRefusal>>>;
}

/** The form for notes; a threshold in the largest unit that leaves it whole, distances in `distanceUnit`. */
export function formOf(notes: DeviceNotes, distanceUnit: UnitId): NotesForm {
  const { silentAfterMs } = notes;
  const unit =
    silentAfterMs === null ? 'minutes' : UNIT_NAMES.findLast((each) => silentAfterMs % THRESHOLD_UNITS[each] === 0);
  return {
    displayName: notes.displayName ?? '',
    units: Object.fromEntries(
      FIELD_NAMES.map((field) => [field, unitFormOf(field, notes.units[field], distanceUnit)]),
    ) as Record<FieldName, UnitForm>,
    text: notes.text,
    threshold: silentAfterMs === null ? '' : String(silentAfterMs / THRESHOLD_UNITS[unit ?? 'seconds']),
    thresholdUnit: unit ?? 'seconds',
    status: String(notes.status) as NotesForm['status'],
    mine: notes.mine === null ? 'auto' : notes.mine ? 'yes' : 'no',
  };
}

/**
 * The notes of a form, or what of it can't be taken. Whoever saves it has seen the units, so nothing is left to ask of
 * earlier labels.
 */
export function notesOf(form: NotesForm, distanceUnit: UnitId): { notes: DeviceNotes } | { refused: Refusals } {
  const silentAfterMs = thresholdOf(form);
  const units: Partial<Record<FieldName, FieldUnitChoice>> = {};
  const refusedUnits: Partial<Record<FieldName, UnitRefusal>> = {};
  for (const field of FIELD_NAMES) {
    const checked = unitChoiceOf(field, form.units[field], distanceUnit);
    if ('refused' in checked) refusedUnits[field] = checked.refused;
    else if (checked.choice !== undefined) units[field] = checked.choice;
  }
  if (silentAfterMs === undefined || Object.keys(refusedUnits).length > 0) {
    return { refused: { threshold: silentAfterMs === undefined, units: refusedUnits } };
  }
  const name = form.displayName.trim().slice(0, LONGEST_NAME);
  return {
    notes: {
      displayName: name === '' ? null : name,
      units,
      earlierLabels: {},
      text: form.text.trim(),
      silentAfterMs,
      status: Number(form.status) as DeviceNotes['status'],
      mine: form.mine === 'auto' ? null : form.mine === 'yes',
    },
  };
}

function thresholdOf({ threshold, thresholdUnit }: NotesForm): number | null | undefined {
  if (threshold.trim() === '') return null;
  const ms = Math.round(Number(threshold.replace(',', '.')) * THRESHOLD_UNITS[thresholdUnit]);
  return ms >= 1000 && ms <= LONGEST_THRESHOLD_MS ? ms : undefined;
}
