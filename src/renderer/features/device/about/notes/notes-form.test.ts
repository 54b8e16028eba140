import { describe, expect, it } from 'vitest';
import { type DeviceNotes, deviceNotes, NO_NOTES as none } from '../../../../../shared/owner-api/devices.ts';
import { formOf, notesOf } from './notes-form.ts';

const notes: DeviceNotes = {
  displayName: 'Tank',
  units: { ec: { shown: 'microsiemens' }, waterLevel: { tank: { empty: 400, full: 50 } }, ph: { label: 'mV' } },
  earlierLabels: {},
  text: 'Behind the door',
  silentAfterMs: 90_000,
  status: 2,
  mine: false,
};

const MM = 'millimetre';

describe('the form of notes', () => {
  it('gives back the notes that it was made of', () => {
    for (const each of [notes, none]) {
      expect(notesOf(formOf(each, MM), MM)).toEqual({ notes: each });
      expect(deviceNotes.parse(each)).toEqual(each);
    }
  });

  it('shows a threshold in a whole unit', () => {
    expect(formOf({ ...none, silentAfterMs: 7_200_000 }, MM)).toMatchObject({ threshold: '2', thresholdUnit: 'hours' });
    expect(formOf(notes, MM)).toMatchObject({ threshold: '90', thresholdUnit: 'seconds' });
    expect(formOf({ ...none, silentAfterMs: 1500 }, MM)).toMatchObject({ threshold: '1.5', thresholdUnit: 'seconds' });
  });

  it('takes only what the node takes', () => {
    const of = (threshold: string) => notesOf({ ...formOf(none, MM), threshold, thresholdUnit: 'days' }, MM);
    for (const threshold of ['0', '-1', 'x', '367', 'Infinity'])
      expect(of(threshold)).toEqual({ refused: { threshold: true, units: {} } });
    expect(of('0,5')).toMatchObject({ notes: { silentAfterMs: 43_200_000 } });
    expect(notesOf({ ...formOf(none, MM), displayName: '   ' }, MM)).toMatchObject({ notes: { displayName: null } });
    const long = notesOf({ ...formOf(none, MM), displayName: 'x'.repeat(300) }, MM);
    const bad = { ...formOf(none, MM).units.waterLevel, empty: '5' };
    expect(notesOf({ ...formOf(none, MM), units: { ...formOf(none, MM).units, waterLevel: bad } }, MM)).toEqual({
      refused: { threshold: false, units: { waterLevel: 'tank' } },
    });
    expect('notes' in long && deviceNotes.safeParse(long.notes).success).toBe(true);
  });
});
