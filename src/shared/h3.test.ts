import fc from 'fast-check';
import { getHexagonAreaAvg, getPentagons, getRes0Cells, isValidCell, latLngToCell, UNITS } from 'h3-js';
import { describe, expect, it } from 'vitest';
import { cellSize, readCell } from './h3.ts';

const decimal = (index: string) => BigInt(`0x${index}`).toString();

describe('readCell', () => {
  it('reads every cell that h3-js makes', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.integer({ min: 0, max: 15 }),
        (latitude, longitude, resolution) => {
          const index = latLngToCell(latitude, longitude, resolution);
          expect(readCell(decimal(index))).toMatchObject({ valid: true, index, resolution });
        },
      ),
    );
    for (const index of [...getRes0Cells(), ...getPentagons(7)]) expect(readCell(decimal(index)).valid).toBe(true);
  });

  it('agrees with h3-js on damaged cells', () => {
    const anyCell = fc.constantFrom(...getPentagons(3), ...getRes0Cells(), latLngToCell(-23.5, -46.6, 8));
    fc.assert(
      fc.property(anyCell, fc.array(fc.integer({ min: 0, max: 63 }), { maxLength: 3 }), (index, flips) => {
        let bits = BigInt(`0x${index}`);
        for (const flip of flips) bits ^= 1n << BigInt(flip);
        expect(readCell(bits.toString()).valid).toBe(isValidCell(bits.toString(16)));
      }),
      { numRuns: 5000 },
    );
  });

  it('refuses other 64-bit values', () => {
    for (const location of ['0', '1', '18446744073709551615', '613916942794711040']) {
      expect(readCell(location).valid).toBe(isValidCell(BigInt(location).toString(16)));
    }
    expect(readCell('18446744073709551615').valid).toBe(false);
    expect(() => readCell('18446744073709551616')).toThrow(RangeError);
    expect(() => readCell('-1')).toThrow(RangeError);
  });

  it('knows the average areas', () => {
    for (let resolution = 0; resolution <= 15; resolution++) {
      const cell = readCell(decimal(latLngToCell(48.1, 11.5, resolution)));
      if (!cell.valid) throw new Error('no cell');
      expect(cell.averageAreaM2 / getHexagonAreaAvg(resolution, UNITS.m2)).toBeCloseTo(1, 2);
    }
  });
});

it('has a word for each resolution', () => {
  const sizes = Array.from({ length: 16 }, (_, resolution) => cellSize(resolution));
  expect(sizes).toEqual([
    'continent',
    'continent',
    'region',
    'region',
    'county',
    'city',
    'city',
    'district',
    'district',
    'block',
    'block',
    'plot',
    'plot',
    'room',
    'bed',
    'table',
  ]);
});
