import { describe, expect, it } from 'vitest';
import { createFormat } from './format.ts';
import { shownDigits } from './shown-digits.ts';

const format = createFormat('en');
const shown = (field: Parameters<typeof shownDigits>[0], value: number) =>
  format.rounded(value, shownDigits(field, value));

describe('an opened value is shown', () => {
  it.each([
    ['tempWater', Math.fround(20.137 + Math.sin(1) / 7), '20.26'],
    ['ph', Math.fround(6.2), '6.2'],
    ['humidity', Math.fround(55.128), '55.13'],
    ['ec', Math.fround(812.4), '812'],
    ['waterLevel', Math.fround(-1432.7), '-1,433'],
  ] as const)('with the decimals of its field: %s %d', (field, value, text) => {
    expect(shown(field, value)).toBe(text);
  });

  it.each([
    ['ec', Math.fround(1.432), '1.43'],
    ['waterLevel', Math.fround(0.0123), '0.0123'],
    ['ph', Math.fround(0.00456), '0.00456'],
    ['ec', 0, '0'],
    ['ec', Math.fround(3e38), '3E38'],
  ] as const)('with three digits at least, so that no unit hides it: %s %d', (field, value, text) => {
    expect(shown(field, value)).toBe(text);
  });
});
