import { describe, expect, it } from 'vitest';
import { fieldScale } from '../measures/field-scale.ts';
import { createFormat } from './format.ts';
import { beyondTank, columnDecimals, meanText, openedText, stepMeanText, valueText } from './scaled.ts';

const format = createFormat('en');
const water = fieldScale('tempWater', undefined);
const level = fieldScale('waterLevel', undefined);
const labelled = fieldScale('ph', { label: 'x' });

const plain = (...values: number[]) => values.map((shown) => ({ shown: Math.fround(shown), isOpened: false }));

describe('a value', () => {
  it('is padded to the decimals of its unit, and keeps further ones', () => {
    expect(valueText(format, water, 21)).toBe('21.00');
    expect(valueText(format, water, Math.fround(21.53))).toBe('21.53');
    expect(valueText(format, water, 21.5312)).toBe('21.5312');
    expect(valueText(format, level, 157)).toBe('157');
    expect(valueText(format, labelled, 6)).toBe('6');
    expect(valueText(format, fieldScale('tempWater', { shown: 'fahrenheit' }), 70)).toBe('70.0');
    expect(valueText(format, water, 3e38)).toBe('3E38');
  });

  it('of a tank is never less than empty or more than full', () => {
    const tank = fieldScale('waterLevel', { tank: { empty: 400, full: 50 } });
    expect([-25.2, 0, 60, 100, 101].map((shown) => valueText(format, tank, shown))).toEqual([
      '0.0',
      '0.0',
      '60.0',
      '100.0',
      '100.0',
    ]);
    expect([openedText(format, tank, -3), meanText(format, tank, 120), stepMeanText(format, tank, -1)]).toEqual([
      '0.0',
      '100.0',
      '0.0',
    ]);
    expect([-25.2, 0, 100, 101].map((shown) => beyondTank(tank, shown))).toEqual([
      'belowEmpty',
      null,
      null,
      'aboveFull',
    ]);
    expect([valueText(format, level, -5), beyondTank(level, -5)]).toEqual(['-5', null]);
  });

  it('that was opened is padded in the same way', () => {
    expect(openedText(format, water, Math.fround(21.4999))).toBe('21.50');
    expect(openedText(format, water, 21, 4)).toBe('21.0000');
  });

  it('that is a mean has as many decimals as any other mean', () => {
    expect([999, 982.04, 1006.125].map((mean) => meanText(format, level, mean))).toEqual(['999.0', '982.0', '1,006.1']);
    expect(meanText(format, water, 21.5)).toBe('21.50');
    expect(meanText(format, labelled, 0.01234)).toBe('0.0123');
  });

  it('that is a mean beside single values has decimals like theirs', () => {
    const siemens = fieldScale('ec', { shown: 'microsiemens' });
    expect([2398, 2402.4, 2411.27].map((mean) => stepMeanText(format, siemens, mean))).toEqual([
      '2,398',
      '2,402',
      '2,411',
    ]);
    expect(stepMeanText(format, water, 21.5)).toBe('21.50');
    expect(stepMeanText(format, level, 0.4567)).toBe('0.457');
    expect(stepMeanText(format, labelled, 6.25)).toBe('6.25');
  });
});

describe('the decimals of a column', () => {
  it('are those of the longest value, and of the unit at least', () => {
    expect(columnDecimals(water, [])).toBe(2);
    expect(columnDecimals(water, plain(21, 21.5))).toBe(2);
    expect(columnDecimals(water, plain(21, 21.5312))).toBe(4);
    expect(columnDecimals(labelled, plain(6, 6.25))).toBe(2);
  });

  it('ignore a value that is far longer than all others, or written with an exponent', () => {
    expect(columnDecimals(water, plain(21, 0.000001234))).toBe(2);
    expect(columnDecimals(water, plain(21, 1e-9, 1e12))).toBe(2);
  });

  it('are those of a shown opened value', () => {
    expect(columnDecimals(water, [{ shown: 21.53123, isOpened: true }])).toBe(2);
  });
});
