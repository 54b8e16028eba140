import { expect, it } from 'vitest';
import type { FieldName } from '../protocol/fields.ts';
import { ANY_FIELDS, type DerivedBy, derivedValue, quantityOf, sourcesOf, unitChoiceOf } from './derived.ts';
import { fieldScale } from './field-scale.ts';

const AIR: Partial<Record<FieldName, number>> = { tempAmbient: 25, humidity: 60 };
const sent = (values: typeof AIR) => (field: FieldName) => values[field];
const NOTHING: DerivedBy = { units: {}, leafOffset: null };

it('derives the air of FAO-56: at 25 °C and 60 %, two fifths of 3.168 kPa are missing', () => {
  expect(derivedValue('vpd', sent(AIR), NOTHING)).toBeCloseTo(0.4 * 3.168, 2);
  expect(derivedValue('dewPoint', sent(AIR), NOTHING)).toBeCloseTo(16.69, 1);
});

it('derives the leaf only by the owner’s offset: e°(23 °C) is 2.809 kPa', () => {
  expect(derivedValue('vpdLeaf', sent(AIR), NOTHING)).toBeNull();
  expect(derivedValue('vpdLeaf', sent(AIR), { units: {}, leafOffset: -2 })).toBeCloseTo(2.809 - 0.6 * 3.168, 2);
  const [air, same] = [NOTHING, { units: {}, leafOffset: 0 }];
  expect(derivedValue('vpdLeaf', sent(AIR), same)).toBe(derivedValue('vpd', sent(AIR), air));
});

it('reads the units that the device sends, and none that it can’t convert', () => {
  const fahrenheit = { units: { tempAmbient: { sent: 'fahrenheit' } }, leafOffset: null } as const;
  expect(derivedValue('vpd', sent({ tempAmbient: 77, humidity: 60 }), fahrenheit)).toBeCloseTo(1.267, 3);
  expect(derivedValue('vpd', sent(AIR), { units: { humidity: { label: 'g/kg' } }, leafOffset: null })).toBeNull();
});

it('needs both values, and plausible ones', () => {
  expect(derivedValue('vpd', sent({ tempAmbient: 25 }), NOTHING)).toBeNull();
  expect(derivedValue('dewPoint', sent({ humidity: 25 }), NOTHING)).toBeNull();
  expect(derivedValue('vpd', sent({ tempAmbient: 25, humidity: 130 }), NOTHING)).toBeNull();
  expect(derivedValue('dewPoint', sent({ tempAmbient: 25, humidity: 0 }), NOTHING)).toBeNull();
});

it('lists the fields after the measured ones, with their sources', () => {
  expect(ANY_FIELDS.slice(-3)).toEqual(['vpd', 'vpdLeaf', 'dewPoint']);
  expect(sourcesOf('ph')).toEqual(['ph']);
  expect(sourcesOf('vpd')).toEqual(['tempAmbient', 'humidity']);
  expect([quantityOf('vpd'), quantityOf('dewPoint'), quantityOf('ph')]).toEqual(['pressure', 'temperature', 'acidity']);
});

it('shows a dew point in the owner’s unit of air temperature, and marks it in files', () => {
  const scaleBy = (units: Parameters<typeof unitChoiceOf>[0], general = {}) =>
    fieldScale('dewPoint', unitChoiceOf(units, 'dewPoint'), general);
  expect(scaleBy({})).toMatchObject({ symbol: '°C', header: '°C, derived', decimals: 1 });
  for (const scale of [scaleBy({ tempAmbient: { sent: 'fahrenheit' } }), scaleBy({}, { temperature: 'fahrenheit' })]) {
    expect(scale).toMatchObject({ symbol: '°F', header: '°F, derived', sentHeader: '°C, derived' });
    expect([scale.toShown(10), scale.toSent(50)]).toEqual([50, 10]);
  }
  expect(fieldScale('vpd', unitChoiceOf({ tempAmbient: { sent: 'fahrenheit' } }, 'vpd'), {}).symbol).toBe('kPa');
});
