import { describe, expect, it } from 'vitest';
import type { FieldUnitChoice } from '../../../../shared/measures/field-scale.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { unitChoiceOf, unitChoicesOf, unitFormOf, unitsFormOf } from './unit-form.ts';

const again = (field: FieldName, choice: FieldUnitChoice | undefined, unit: 'millimetre' | 'inch' = 'millimetre') =>
  unitChoiceOf(field, unitFormOf(field, choice, unit), unit);

describe('the form of units', () => {
  it('converts a choice to the form and back', () => {
    const choices: [FieldName, FieldUnitChoice | undefined][] = [
      ['ec', undefined],
      ['ec', { shown: 'millisiemens' }],
      ['ec', { sent: 'millisiemens', shown: 'ppm700' }],
      ['tempWater', { sent: 'fahrenheit' }],
      ['ph', { label: 'mV' }],
      ['waterLevel', { tank: { empty: 400, full: 50 } }],
      ['waterLevel', { shown: 'centimetre', tank: { empty: 400, full: 50 } }],
      ['waterLevel', { sent: 'centimetre', tank: { empty: 300, full: 0 } }],
    ];
    for (const [field, choice] of choices) expect(again(field, choice)).toEqual({ choice });
    const tank = { tank: { empty: 254, full: 50.8 } };
    expect(again('waterLevel', tank, 'inch')).toEqual({ choice: tank });
  });

  it('accepts all fields together, or names the invalid ones', () => {
    const units = { ec: { shown: 'microsiemens' }, waterLevel: { tank: { empty: 400, full: 50 } } } as const;
    const form = unitsFormOf(units, 'millimetre');
    expect(unitChoicesOf(form, 'millimetre')).toEqual({ units });
    const bad = { ...form, waterLevel: { ...form.waterLevel, empty: '5' } };
    expect(unitChoicesOf(bad, 'millimetre')).toEqual({ refused: { waterLevel: 'tank' } });
  });

  it('shows distances in the unit in which they are given', () => {
    const form = unitFormOf('waterLevel', { tank: { empty: 254, full: 50.8 } }, 'inch');
    expect(form).toMatchObject({ empty: '10', full: '2', shown: 'percentFull' });
    expect(unitChoiceOf('waterLevel', { ...form, full: '2,5' }, 'inch')).toEqual({
      choice: { tank: { empty: 254, full: 63.5 } },
    });
  });

  it('refuses a tank without two distances, the empty one larger, and an empty label', () => {
    const form = unitFormOf('waterLevel', undefined, 'millimetre');
    const refused = { refused: 'tank' };
    for (const part of [
      { empty: '400' },
      { empty: '400', full: '400' },
      { empty: '50', full: '400' },
      { empty: '400', full: '-1' },
      { empty: 'x', full: '1' },
      { shown: 'percentFull' as const },
    ]) {
      expect(unitChoiceOf('waterLevel', { ...form, ...part }, 'millimetre')).toEqual(refused);
    }
    expect(unitChoiceOf('ec', { ...form, sent: 'label', label: ' ' }, 'millimetre')).toEqual({ refused: 'label' });
  });
});
