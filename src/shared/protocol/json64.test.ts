import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson64, stringifyJson64 } from './json64.ts';
import { MAX_UINT64 } from './uint64.ts';

describe('parseJson64', () => {
  it('reads and writes every unsigned 64-bit integer with all its digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX_UINT64 }), (value) => {
        const text = `{"location":${value}}`;
        const read = parseJson64(text) as { location: number | bigint };
        expect(BigInt(read.location)).toBe(value);
        expect(typeof read.location).toBe(value <= BigInt(Number.MAX_SAFE_INTEGER) ? 'number' : 'bigint');
        expect(stringifyJson64(read)).toBe(text);
      }),
    );
  });

  it('writes any JSON back unchanged, with big integers and strings of digits', () => {
    const tree = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: 'binary' }),
        fc.bigInt({ min: 2n ** 53n, max: MAX_UINT64 }),
        fc.bigInt({ min: 2n ** 53n, max: MAX_UINT64 }).map(String),
        fc.maxSafeInteger(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('node')),
        fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('node')),
      ),
    })).node;
    fc.assert(
      fc.property(tree, (value) => {
        const text = stringifyJson64(value);
        expect(stringifyJson64(parseJson64(text))).toBe(text);
      }),
    );
  });

  it('reads numbers below 2^53 and fractions as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeInteger(), fc.double({ min: -1e15, max: 1e15, noNaN: true })), (value) => {
        const text = JSON.stringify(value);
        expect(parseJson64(text)).toBe(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['18446744073709551615', MAX_UINT64],
    ['622485130170302463', 622485130170302463n],
    ['-9223372036854775808', -9223372036854775808n],
    ['18446744073709551615.0', MAX_UINT64],
    ['1.8446744073709551615e19', MAX_UINT64],
    ['184467440737095516150e-1', MAX_UINT64],
    ['1E+19', 10n ** 19n],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    // Not an integer: it must not count as one because a double can't store its fraction.
    ['9007199254740993.5', Number.NaN],
    ['4503599627370496.5', Number.NaN],
    ['9007199254740993.50', Number.NaN],
    ['9007199254740993.05', Number.NaN],
    ['18446744073709551615.00', MAX_UINT64],
    ['4503599627370496.0', 4503599627370496],
    ['1e400', Number.POSITIVE_INFINITY],
    ['-0', -0],
    ['"18446744073709551615"', '18446744073709551615'],
  ])('reads %s', (text, value) => {
    expect(parseJson64(text)).toBe(value);
  });

  it('keeps __proto__ as a plain member', () => {
    const read = parseJson64('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
    expect(Object.keys(read)).toEqual(['__proto__']);
    expect(read.polluted).toBeUndefined();
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it.each(['', '{', '{"a":01}', 'NaN', "{'a':1}", '1 2'])('throws SyntaxError on %j', (text) => {
    expect(() => parseJson64(text)).toThrow(SyntaxError);
  });

  it('throws RangeError, not worse, on text nested too deeply', () => {
    expect(() => parseJson64('['.repeat(100_000) + ']'.repeat(100_000))).toThrow(RangeError);
  });
});

describe('stringifyJson64', () => {
  it('indents on request', () => {
    expect(stringifyJson64({ a: [MAX_UINT64] }, 1)).toBe('{\n "a": [\n  18446744073709551615\n ]\n}');
  });
});
