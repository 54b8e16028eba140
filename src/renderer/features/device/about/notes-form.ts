import type { DeviceNotes } from '../../../../shared/owner-api.ts';
import { FIELD_NAMES, type FieldName } from '../../../../shared/protocol/fields.ts';
import { DEFAULT_UNITS } from '../../../../shared/units.ts';

/** Units of time that a threshold is given in, in milliseconds. */
export const THRESHOLD_UNITS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
export type ThresholdUnit = keyof typeof THRESHOLD_UNITS;

/** Lengths that the contract takes. */
export const LONGEST_NAME = 200;
export const LONGEST_UNIT = 20;
const LONGEST_THRESHOLD_MS = 366 * THRESHOLD_UNITS.days;

/** The notes as a form has them: text that is not yet checked. */
export interface NotesForm {
  readonly displayName: string;
  readonly units: Readonly<Record<FieldName, string>>;
  readonly threshold: string;
  readonly thresholdUnit: ThresholdUnit;
  readonly status: '0' | '1' | '2';
  readonly mine: 'auto' | 'yes' | 'no';
}

/** The form for notes; a threshold in the largest unit that leaves it whole. */
export function formOf(notes: DeviceNotes): NotesForm {
  const { silentAfterMs } = notes;
  const units = Object.keys(THRESHOLD_UNITS) as ThresholdUnit[];
  const unit =
    silentAfterMs === null ? 'minutes' : units.findLast((each) => silentAfterMs % THRESHOLD_UNITS[each] === 0);
  return {
    displayName: notes.displayName ?? '',
    units: Object.fromEntries(
      FIELD_NAMES.map((field) => [field, notes.unitLabels[field] ?? DEFAULT_UNITS[field]]),
    ) as Record<FieldName, string>,
    threshold: silentAfterMs === null ? '' : String(silentAfterMs / THRESHOLD_UNITS[unit ?? 'seconds']),
    thresholdUnit: unit ?? 'seconds',
    status: String(notes.status) as NotesForm['status'],
    mine: notes.mine === null ? 'auto' : notes.mine ? 'yes' : 'no',
  };
}

/** The notes of a form; `threshold` where that can't be taken. A unit left at its default is none of the owner's. */
export function notesOf(form: NotesForm): { notes: DeviceNotes } | { refused: 'threshold' } {
  const silentAfterMs = thresholdOf(form);
  if (silentAfterMs === undefined) return { refused: 'threshold' };
  const name = form.displayName.trim().slice(0, LONGEST_NAME);
  return {
    notes: {
      displayName: name === '' ? null : name,
      unitLabels: Object.fromEntries(
        FIELD_NAMES.map((field) => [field, form.units[field].trim().slice(0, LONGEST_UNIT)] as const).filter(
          ([field, unit]) => unit !== DEFAULT_UNITS[field],
        ),
      ),
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
