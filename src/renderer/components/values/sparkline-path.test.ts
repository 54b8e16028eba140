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

  it('draws what does not change in the middle', () => {
    expect(pathOf([5, 5])).toBe(`M0 ${HEIGHT / 2}L1 ${HEIGHT / 2}`);
  });

  it('draws nothing of fewer than two values', () => {
    expect(pathOf([])).toBe('');
    expect(pathOf([null, 4, null])).toBe('');
    expect(sparklineDrawing([4], { low: 3, high: 5 }).band).toBeNull();
  });

  it('has the whole band in view, and a side without a bound reaches the edge', () => {
    expect(sparklineDrawing([2, 2], { low: 1, high: 3 })).toEqual({
      path: 'M0 10L1 10',
      band: { y: 1.5, height: 17 },
    });
    expect(sparklineDrawing([1, 2], { low: null, high: 3 }).band).toEqual({ y: 1.5, height: HEIGHT - 1.5 });
    expect(sparklineDrawing([5, 4], { low: 3, high: null }).band).toEqual({ y: 0, height: 18.5 });
  });

  it('lies above or below its band where the values are outside', () => {
    const { path, band } = sparklineDrawing([9, 9], { low: 1, high: 5 });
    expect(path).toBe('M0 1.5L1 1.5');
    expect(band!.y).toBe(10);
  });
});
