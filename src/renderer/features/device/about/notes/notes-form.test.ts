import { describe, expect, it } from 'vitest';
import { type DeviceNotes, deviceNotes, NO_NOTES as none } from '../../../../../shared/owner-data/notes.ts';
import { formOf, notesOf, withMine } from './notes-form.ts';

const notes: DeviceNotes = {
  displayName: 'Tank',
  units: { ec: { shown: 'microsiemens' }, waterLevel: { tank: { empty: 400, full: 50 } }, ph: { label: 'mV' } },
  earlierLabels: { ec: 'µS/cm' },
  text: 'Behind the door',
  silentAfterMs: 90_000,
  status: 2,
  mine: false,
  isHidden: true,
};

describe('the form of notes', () => {
  it('converts notes to the form and back', () => {
    for (const each of [notes, none]) {
      const { units, earlierLabels, ...ofForm } = deviceNotes.parse(each);
      expect(notesOf(formOf(each))).toEqual(ofForm);
    }
  });

  it('hides another owner’s device, and shows it once it is the owner’s', () => {
    const other = withMine(formOf(none), 'no');
    expect(notesOf(other)).toMatchObject({ mine: false, isHidden: true });
    expect(withMine(other, 'yes')).toMatchObject({ mine: 'yes', isHidden: false });
    expect(withMine({ ...other, isHidden: false }, 'auto').isHidden).toBe(false);
    expect(withMine({ ...formOf(none), isHidden: true }, 'yes').isHidden).toBe(true);
  });

  it('shows a threshold in a whole unit', () => {
    expect(formOf({ ...none, silentAfterMs: 7_200_000 })).toMatchObject({ threshold: '2', thresholdUnit: 'hours' });
    expect(formOf(notes)).toMatchObject({ threshold: '90', thresholdUnit: 'seconds' });
    expect(formOf({ ...none, silentAfterMs: 1500 })).toMatchObject({ threshold: '1.5', thresholdUnit: 'seconds' });
  });

  it('accepts only what the node accepts', () => {
    const of = (threshold: string) => notesOf({ ...formOf(none), threshold, thresholdUnit: 'days' });
    for (const threshold of ['0', '-1', 'x', '367', 'Infinity']) expect(of(threshold)).toBeNull();
    expect(of('0,5')).toMatchObject({ silentAfterMs: 43_200_000 });
    expect(notesOf({ ...formOf(none), displayName: '   ' })).toMatchObject({ displayName: null });
    const long = notesOf({ ...formOf(none), displayName: 'x'.repeat(300) });
    expect(deviceNotes.safeParse({ ...none, ...long }).success).toBe(true);
  });
});
