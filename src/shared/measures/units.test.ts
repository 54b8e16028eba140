import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIELD_NAMES } from '../protocol/fields.ts';
import { type FieldUnitChoice, fieldScale, sharedLabel, shownBounds } from './field-scale.ts';
import { convert, QUANTITIES, REFERENCE_UNITS, UNITS, type UnitId, unitsOf } from './units.ts';

const unit = fc.constantFrom(...(Object.keys(UNITS) as UnitId[]));
const measured = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const isClose = (a: number, b: number) => Math.abs(a - b) <= 1e-8 * Math.max(1, Math.abs(a), Math.abs(b));

describe('convert', () => {
  it('agrees with thermometers, meters and rulers', () => {
    const known: [number, UnitId, number, UnitId][] = [
      [21.6, 'celsius', 70.88, 'fahrenheit'],
      [-40, 'celsius', -40, 'fahrenheit'],
      [0, 'celsius', 32, 'fahrenheit'],
      [212, 'fahrenheit', 100, 'celsius'],
      [1000, 'ppm500', 2, 'millisiemens'],
      [1000, 'ppm500', 2000, 'microsiemens'],
      [1000, 'ppm500', 1400, 'ppm700'],
      [1.4, 'millisiemens', 980, 'ppm700'],
      [254, 'millimetre', 10, 'inch'],
      [157, 'millimetre', 15.7, 'centimetre'],
      [2, 'inch', 5.08, 'centimetre'],
    ];
    for (const [value, from, result, to] of known) expect(convert(value, from, to)).toBe(result);
  });

  it('returns to the value through any units of a quantity, and keeps the order of values', () => {
    fc.assert(
      fc.property(unit, unit, unit, measured, measured, (a, b, c, value, other) => {
        fc.pre(UNITS[a].quantity === UNITS[b].quantity && UNITS[b].quantity === UNITS[c].quantity);
        expect(convert(value, a, a)).toBe(value);
        expect(isClose(convert(convert(value, a, b), b, a), value)).toBe(true);
        expect(isClose(convert(convert(value, a, b), b, c), convert(value, a, c))).toBe(true);
        if (value < other) expect(convert(value, a, b)).toBeLessThanOrEqual(convert(other, a, b));
      }),
    );
  });

  it('has the reference unit first among those of each field', () => {
    for (const field of FIELD_NAMES) expect(unitsOf(QUANTITIES[field])[0]).toBe(REFERENCE_UNITS[field]);
  });
});

describe('fieldScale', () => {
  it('keeps numbers if the owner chose nothing', () => {
    for (const field of FIELD_NAMES) {
      const scale = fieldScale(field, undefined);
      expect(scale.toShown(21.559999465942383)).toBe(21.559999465942383);
      expect(scale).toMatchObject({ unit: REFERENCE_UNITS[field], digits: null });
    }
    expect(fieldScale('ec', undefined)).toMatchObject({ symbol: 'ppm₅₀₀', header: 'ppm, 500 scale' });
  });

  it('converts the sensor’s decimal, not the digits of its float32', () => {
    expect(fieldScale('tempWater', { shown: 'fahrenheit' }).toShown(Math.fround(21.6))).toBe(70.88);
  });

  it('prefers the choice for the device to the one for all, and uses the unit that the device sends', () => {
    const general = { temperature: 'fahrenheit', distance: 'inch' } as const;
    expect(fieldScale('tempWater', undefined, general).toShown(100)).toBe(212);
    expect(fieldScale('tempWater', { shown: 'celsius' }, general).toShown(100)).toBe(100);
    expect(fieldScale('tempWater', { sent: 'fahrenheit' }, general).toShown(70.1)).toBe(70.1);
    expect(fieldScale('tempWater', { sent: 'fahrenheit' }).symbol).toBe('°F');
    expect(fieldScale('tempWater', { sent: 'fahrenheit', shown: 'celsius' }).toShown(212)).toBe(100);
    expect(fieldScale('ec', undefined, general).unit).toBe('ppm500');
  });

  it('never changes the number under a free label', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FIELD_NAMES), fc.string({ minLength: 1, maxLength: 20 }), measured, (...args) => {
        const [field, label, value] = args;
        const scale = fieldScale(field, { label }, { temperature: 'fahrenheit', conductivity: 'millisiemens' });
        expect(scale.toShown(value)).toBe(value);
        expect(scale.unit).toBeNull();
      }),
    );
    expect(fieldScale('ec', { label: '\u202eNTU\u2066' }).symbol).toBe('NTU');
  });

  it('shows a distance as per cent full: near is full', () => {
    const tank = { empty: 400, full: 50 };
    const scale = fieldScale('waterLevel', { tank }, { distance: 'inch' });
    expect([400, 50, 225, 435].map(scale.toShown)).toEqual([0, 100, 50, -10]);
    expect(scale).toMatchObject({ symbol: '%', header: '% full', isReversed: true });
    expect(shownBounds(scale, 50, 225)).toEqual({ min: 50, max: 100 });
    expect(fieldScale('waterLevel', { sent: 'centimetre', tank }).toShown(22.5)).toBe(50);
    // The owner may still choose the distance; without the tank's distances there is no per cent.
    expect(fieldScale('waterLevel', { shown: 'centimetre', tank }).toShown(225)).toBe(22.5);
    expect(fieldScale('waterLevel', { shown: 'percentFull' })).toMatchObject({ unit: 'millimetre' });
    // A sensor at the bottom measures the height of the water.
    expect(fieldScale('waterLevel', { tank: { empty: 0, full: 300 } })).toMatchObject({ isReversed: false });
  });

  it('shows a distance as such until the owner sets where empty and full are', () => {
    const of = (choice?: FieldUnitChoice) => fieldScale('waterLevel', choice);
    const tank = { empty: 400, full: 50 };
    expect(of()).toMatchObject({ label: 'waterDistance', header: 'mm, distance to water' });
    expect(of({ shown: 'inch' })).toMatchObject({ label: 'waterDistance', sentHeader: 'mm, distance to water' });
    expect(of({ tank })).toMatchObject({ label: 'waterLevel', sentHeader: 'mm, distance to water' });
    expect(of({ tank, shown: 'centimetre' })).toMatchObject({ label: 'waterDistance' });
    expect(of({ tank: { empty: 0, full: 300 }, shown: 'centimetre' })).toMatchObject({ label: 'waterLevel' });
    expect(of({ label: 'l' })).toMatchObject({ label: 'waterLevel', header: 'l' });
    for (const field of FIELD_NAMES) {
      if (field !== 'waterLevel') expect(fieldScale(field, undefined).label).toBe(field);
    }
    expect(sharedLabel('waterLevel', [of(), of({ tank })])).toBe('waterAny');
    expect(sharedLabel('waterLevel', [of({ tank })])).toBe('waterLevel');
    expect(sharedLabel('ph', [])).toBe('ph');
  });

  it('converts every shown value back to the device’s value, and keeps limits in order', () => {
    const tank = fc
      .record({ empty: fc.integer({ min: 0, max: 5000 }), full: fc.integer({ min: 0, max: 5000 }) })
      .filter(({ empty, full }) => empty !== full);
    const choices = fc.oneof(
      fc.constantFrom<FieldUnitChoice>(
        { shown: 'centimetre' },
        { shown: 'inch' },
        { sent: 'inch', shown: 'millimetre' },
      ),
      tank.map((each): FieldUnitChoice => ({ sent: 'centimetre', tank: each })),
    );
    fc.assert(
      fc.property(choices, measured, measured, (choice, a, b) => {
        const scale = fieldScale('waterLevel', choice);
        const size = Math.max(1, Math.abs(a)) * 1e-6;
        expect(Math.abs(scale.toSent(scale.toShown(a)) - a)).toBeLessThan(size + 1e-6);
        const { min, max } = shownBounds(scale, Math.min(a, b), Math.max(a, b));
        expect(min).toBeLessThanOrEqual(max);
      }),
    );
  });
});
