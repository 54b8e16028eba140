import type { DeviceNotes } from '../../../../../shared/owner-data/notes.ts';

/** The units of time for a threshold, in milliseconds. */
export const THRESHOLD_UNITS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
export type ThresholdUnit = keyof typeof THRESHOLD_UNITS;
export const UNIT_NAMES = Object.keys(THRESHOLD_UNITS) as readonly ThresholdUnit[];

/** The maximum lengths, as in the contract. */
export const LONGEST_NAME = 200;
const LONGEST_THRESHOLD_MS = 366 * THRESHOLD_UNITS.days;

/** The notes as typed into the form, not yet checked. */
export interface NotesForm {
  readonly displayName: string;
  readonly text: string;
  readonly threshold: string;
  readonly thresholdUnit: ThresholdUnit;
  readonly status: '0' | '1' | '2';
  readonly mine: 'auto' | 'yes' | 'no';
  readonly isHidden: boolean;
}

/** Returns the form of notes. A threshold is shown in the largest unit in which it is a whole number. */
export function formOf(notes: DeviceNotes): NotesForm {
  const { silentAfterMs } = notes;
  const unit =
    silentAfterMs === null ? 'minutes' : UNIT_NAMES.findLast((each) => silentAfterMs % THRESHOLD_UNITS[each] === 0);
  return {
    displayName: notes.displayName ?? '',
    text: notes.text,
    threshold: silentAfterMs === null ? '' : String(silentAfterMs / THRESHOLD_UNITS[unit ?? 'seconds']),
    thresholdUnit: unit ?? 'seconds',
    status: String(notes.status) as NotesForm['status'],
    mine: notes.mine === null ? 'auto' : notes.mine ? 'yes' : 'no',
    isHidden: notes.isHidden,
  };
}

/**
 * Returns the form after another answer to whether the device is the owner's. Other people's devices are hidden unless
 * the owner decides otherwise.
 */
export function withMine(form: NotesForm, mine: NotesForm['mine']): NotesForm {
  return { ...form, mine, isHidden: mine === 'no' || (form.isHidden && form.mine !== 'no') };
}

/** Returns the notes of a form, which has neither units nor earlier labels; null if the threshold is invalid. */
export function notesOf(form: NotesForm): Omit<DeviceNotes, 'units' | 'earlierLabels'> | null {
  const silentAfterMs = thresholdOf(form);
  if (silentAfterMs === undefined) return null;
  const name = form.displayName.trim().slice(0, LONGEST_NAME);
  return {
    displayName: name === '' ? null : name,
    text: form.text.trim(),
    silentAfterMs,
    status: Number(form.status) as DeviceNotes['status'],
    mine: form.mine === 'auto' ? null : form.mine === 'yes',
    isHidden: form.isHidden,
  };
}

function thresholdOf({ threshold, thresholdUnit }: NotesForm): number | null | undefined {
  if (threshold.trim() === '') return null;
  const ms = Math.round(Number(threshold.replace(',', '.')) * THRESHOLD_UNITS[thresholdUnit]);
  return ms >= 1000 && ms <= LONGEST_THRESHOLD_MS ? ms : undefined;
}
