import { describe, expect, it } from 'vitest';
import { type DeviceNotes, deviceNotes } from '../../../../shared/owner-api.ts';
import { formOf, notesOf } from './notes-form.ts';

const notes: DeviceNotes = {
  displayName: 'Tank',
  unitLabels: { ec: 'µS/cm', humidity: '' },
  silentAfterMs: 90_000,
  status: 2,
  mine: false,
};
const none: DeviceNotes = { displayName: null, unitLabels: {}, silentAfterMs: null, status: 0, mine: null };

describe('the form of notes', () => {
  it('gives back the notes that it was made of', () => {
    for (const each of [notes, none]) {
      expect(notesOf(formOf(each))).toEqual({ notes: each });
      expect(deviceNotes.parse(each)).toEqual(each);
    }
  });

  it('shows a threshold in a whole unit', () => {
    expect(formOf({ ...none, silentAfterMs: 7_200_000 })).toMatchObject({ threshold: '2', thresholdUnit: 'hours' });
    expect(formOf(notes)).toMatchObject({ threshold: '90', thresholdUnit: 'seconds' });
    expect(formOf({ ...none, silentAfterMs: 1500 })).toMatchObject({ threshold: '1.5', thresholdUnit: 'seconds' });
  });

  it('takes only what the node takes', () => {
    const of = (threshold: string) => notesOf({ ...formOf(none), threshold, thresholdUnit: 'days' });
    for (const threshold of ['0', '-1', 'x', '367', 'Infinity'])
      expect(of(threshold)).toEqual({ refused: 'threshold' });
    expect(of('0,5')).toMatchObject({ notes: { silentAfterMs: 43_200_000 } });
    expect(notesOf({ ...formOf(none), displayName: '   ' })).toMatchObject({ notes: { displayName: null } });
    const long = notesOf({ ...formOf(none), displayName: 'x'.repeat(300) });
    expect('notes' in long && deviceNotes.safeParse(long.notes).success).toBe(true);
  });
});
