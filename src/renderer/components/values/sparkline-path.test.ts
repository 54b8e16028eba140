import { describe, expect, it } from 'vitest';
import { HEIGHT, sparklineDrawing } from './sparkline-path.ts';

const pathOf = (values: readonly (number | null)[]) => sparklineDrawing(values).path;

describe('sparklineDrawing', () => {
  it('draws from the lowest to the highest value, higher values further up', () => {
    expect(pathOf([1, 3, 2])).toBe('M0 18.5L1 1.5L2 10');
  });

  it('leaves gaps as gaps, and a value between gaps as a dot', () => {
    expect(pathOf([1, 3, null, 2, null, 1, 1])).toBe('M0 18.5L1 1.5M3 10h0M5 18.5L6 18.5');
  });

  it('draws an unchanging value in the middle', () => {
    expect(pathOf([5, 5])).toBe(`M0 ${HEIGHT / 2}L1 ${HEIGHT / 2}`);
  });

  it('draws nothing for fewer than two values', () => {
    expect(pathOf([])).toBe('');
    expect(pathOf([null, 4, null])).toBe('');
    expect(sparklineDrawing([4], [{ low: 3, high: 5 }]).bands).toEqual([]);
  });

  it('has the whole band in view, and a side without a bound reaches the edge', () => {
    const whole = { x: 0, width: 1 };
    expect(sparklineDrawing([2, 2], [{ low: 1, high: 3 }])).toEqual({
      path: 'M0 10L1 10',
      bands: [{ ...whole, y: 1.5, height: 17 }],
    });
    const bandsOf = (values: readonly number[], low: number | null, high: number | null) =>
      sparklineDrawing(values, [{ low, high }]).bands;
    expect(bandsOf([1, 2], null, 3)).toEqual([{ ...whole, y: 1.5, height: HEIGHT - 1.5 }]);
    expect(bandsOf([5, 4], 3, null)).toEqual([{ ...whole, y: 0, height: 18.5 }]);
  });

  it('has bands one after another, all in view', () => {
    const bands = [
      { low: 1, high: 3, from: 0, to: 1.5 },
      { low: 3, high: 5, from: 1.5, to: 3 },
    ];
    expect(sparklineDrawing([2, 2, 2, 2], bands).bands).toEqual([
      { x: 0, width: 1.5, y: 10, height: 8.5 },
      { x: 1.5, width: 1.5, y: 1.5, height: 8.5 },
    ]);
  });

  it('draws the line above or below its band if the values are outside', () => {
    const { path, bands } = sparklineDrawing([9, 9], [{ low: 1, high: 5 }]);
    expect(path).toBe('M0 1.5L1 1.5');
    expect(bands[0]!.y).toBe(10);
  });
});
