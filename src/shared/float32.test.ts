import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortestFloat32 } from './float32.ts';

describe('shortestFloat32', () => {
  it('returns the sensor’s decimal', () => {
    expect(shortestFloat32(Math.fround(6.2))).toBe(6.2);
    expect(shortestFloat32(6.199999809)).toBe(6.2);
    expect(shortestFloat32(21.29999924)).toBe(21.3);
    expect(shortestFloat32(-0.10000000149)).toBe(-0.1);
  });

  it('keeps other numbers', () => {
    for (const value of [6.2, 0, -0, 1073741824, 16777217, 0.1234567890123, 1e300, -5, 0.5, Number.NaN, -Infinity]) {
      expect(shortestFloat32(value)).toBe(value);
    }
  });

  it('never changes the float32 that a number is', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true }), (value) => {
        expect(Math.fround(shortestFloat32(value))).toBe(value);
      }),
    );
  });

  it('returns every decimal of up to six digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: 0, max: 5 }), (whole, decimals) => {
        const value = Number(`${whole}e-${decimals}`);
        expect(shortestFloat32(Math.fround(value))).toBe(value === 0 ? Math.fround(value) : value);
      }),
    );
  });
});
