import { describe, expect, it } from 'vitest';
import { HEIGHT, sparklinePath } from './sparkline-path.ts';

describe('sparklinePath', () => {
  it('draws from the lowest to the highest value, higher values further up', () => {
    expect(sparklinePath([1, 3, 2])).toBe('M0 18.5L1 1.5L2 10');
  });

  it('leaves gaps as gaps, and a value between gaps as a dot', () => {
    expect(sparklinePath([1, 3, null, 2, null, 1, 1])).toBe('M0 18.5L1 1.5M3 10h0M5 18.5L6 18.5');
  });

  it('draws what does not change in the middle', () => {
    expect(sparklinePath([5, 5])).toBe(`M0 ${HEIGHT / 2}L1 ${HEIGHT / 2}`);
  });

  it('draws nothing of fewer than two values', () => {
    expect(sparklinePath([])).toBe('');
    expect(sparklinePath([null, 4, null])).toBe('');
  });
});
