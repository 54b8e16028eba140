import { expect, it } from 'vitest';
import { DEFAULT_UNITS, fieldUnits } from './units.ts';

it('puts the label of the owner before the default, an empty one too', () => {
  expect(fieldUnits({ notes: { unitLabels: {} } })).toEqual(DEFAULT_UNITS);
  const units = fieldUnits({ notes: { unitLabels: { ec: 'µS/cm', humidity: '', tempWater: undefined } } });
  expect(units).toEqual({ ...DEFAULT_UNITS, ec: 'µS/cm', humidity: '' });
});

it('cleans a label of what would change the text around it', () => {
  const units = fieldUnits({ notes: { unitLabels: { ec: '\u202eppm\u2066', ph: '\u0000', humidity: ' % \n' } } });
  expect([units.ec, units.ph, units.humidity]).toEqual(['ppm', '', '%']);
});
