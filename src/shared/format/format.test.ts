import { describe, expect, it } from 'vitest';
import { createFormat, hourAndMinute, localeFor } from './format.ts';
import { wholeMinutes } from './spans.ts';

const HOUR = 3_600_000;

describe('a time of day', () => {
  it('does not break before its am or pm', () => {
    const format = createFormat('en-US');
    const time = new Date(2020, 10, 22, 23, 5).getTime();
    for (const text of [format.time(time), format.dateTime(time), format.shortDateTime(time)]) {
      expect(text).toMatch(/:00[\u00a0\u202f]PM$/);
    }
    // The only break: a narrow place breaks the text after the day.
    expect(format.dateTime(time)).toContain(', ');
  });
});

describe('createFormat', () => {
  const en = createFormat('en-US');
  const pt = createFormat('pt-BR');
  const es = createFormat('es');

  it('shows the shortest decimal of a float32', () => {
    expect(en.number(Math.fround(6.2))).toBe('6.2');
    expect(en.number(6.199999809)).toBe('6.2');
    expect(pt.number(Math.fround(1234.5))).toBe('1.234,5');
    expect(en.number(-40)).toBe('-40');
  });

  it('writes very large and very small values with an exponent', () => {
    expect(en.number(Math.fround(3.4e38))).toBe('3.4E38');
    expect(en.number(Math.fround(1e12))).toBe('1E12');
    expect(en.number(Math.fround(1.5e-8))).toBe('1.5E-8');
    expect(en.number(0)).toBe('0');
  });

  it('shows an age in its largest unit, and never a future time', () => {
    expect(en.age(12_345)).toBe('12 sec ago');
    expect(en.age(3 * HOUR + 59 * 60_000)).toBe('3 hr ago');
    expect(en.age(-5000)).toBe('now');
    expect(es.age(2 * 60_000)).toBe('hace 2 min');
  });

  it('shows a duration in two units', () => {
    expect(en.duration(2 * HOUR + 5 * 60_000 + 40_000)).toBe('2 hr 5 min');
    expect(en.duration(24 * HOUR)).toBe('1 day');
    expect(en.duration(400)).toBe('0 sec');
  });

  it('writes a unit of time in the same way in an age and in a duration', () => {
    for (const locale of ['en-US', 'en-GB', 'pt-BR', 'pt', 'es', 'es-MX']) {
      const format = createFormat(locale);
      for (const ms of [4000, 60_000, 21 * 60_000, HOUR, 2 * HOUR, 72 * HOUR]) {
        expect(format.age(ms), locale).toContain(format.duration(ms));
        expect(format.age(ms), locale).not.toContain('.');
      }
    }
  });

  it('writes hours of one width in a 24-hour format', () => {
    for (const locale of ['es', 'pt-BR', 'en-GB']) {
      expect(new Intl.DateTimeFormat(locale, { ...hourAndMinute(locale), timeZone: 'UTC' }).format(9 * HOUR)).toBe(
        '09:00',
      );
    }
  });

  it('shows sizes in powers of 1000', () => {
    expect(en.bytes(0)).toBe('0 kB');
    expect(en.bytes(940)).toBe('0.9 kB');
    expect(en.bytes(1_250_000)).toBe('1.3 MB');
    expect(pt.bytes(57_344)).toBe('57,3 kB');
  });
});

describe('localeFor', () => {
  it("uses the browser's region of the chosen language", () => {
    expect(localeFor('en', ['de-DE', 'en-GB', 'en-US'])).toBe('en-GB');
    expect(localeFor('es', ['en-GB'])).toBe('es');
  });
});

it.each([
  [-1, 0],
  [999, 0],
  [1_999, 1_000],
  [59_999, 59_000],
  [60_000, 60_000],
  [179_999, 120_000],
])('a span of %i ms in a sentence is %i ms', (ms, expected) => {
  expect(wholeMinutes(ms)).toBe(expected);
});
