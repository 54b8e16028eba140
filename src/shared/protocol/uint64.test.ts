import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareUint64Text, isUint64Text, MAX_UINT64 } from './uint64.ts';

const uint64 = fc.bigInt({ min: 0n, max: MAX_UINT64 });

describe('isUint64Text', () => {
  it('accepts every unsigned 64-bit integer in BigInt’s spelling', () => {
    fc.assert(fc.property(uint64, (value) => isUint64Text(value.toString())));
  });

  it('refuses every integer outside the range', () => {
    const outside = fc.oneof(fc.bigInt({ max: -1n }), fc.bigInt({ min: MAX_UINT64 + 1n, max: MAX_UINT64 * 1000n }));
    fc.assert(fc.property(outside, (value) => !isUint64Text(value.toString())));
  });

  it('accepts only BigInt’s spelling', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9+\-. ]{1,22}$/)), (text) => {
        const canonical = /^[0-9]+$/.test(text) && BigInt(text).toString() === text && BigInt(text) <= MAX_UINT64;
        expect(isUint64Text(text)).toBe(canonical);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['0', '9', '10', '9007199254740993', '18446744073709551615'])('takes %j', (text) => {
    expect(isUint64Text(text)).toBe(true);
  });

  it.each(['', '00', '01', '-0', '-1', '+1', '1.0', '1e3', ' 1', '1 ', '1\n', '0x1', '١', '18446744073709551616'])(
    'refuses %j',
    (text) => {
      expect(isUint64Text(text)).toBe(false);
    },
  );
});

describe('compareUint64Text', () => {
  it('orders as the integers do', () => {
    // Small numbers too, so that equal pairs and different lengths occur.
    const any = fc.oneof(uint64, fc.bigInt({ min: 0n, max: 12n }));
    fc.assert(
      fc.property(any, any, (a, b) => {
        const expected = a < b ? -1 : a > b ? 1 : 0;
        expect(Math.sign(compareUint64Text(a.toString(), b.toString()))).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
