import { expect, it } from 'vitest';
import { logTotals } from './log-totals.ts';

const dosed = (product: string, value: number, unit: 'ml' | 'g' = 'ml') => ({
  act: { kind: 'dosed' as const, product, amount: { value, unit } },
});

it('sums up by kind, product and unit, without the noise of binary fractions', () => {
  expect(
    logTotals([dosed('A', 0.1), dosed('B', 5), dosed('A', 0.2), dosed('A', 3, 'g'), {}, { act: { kind: 'cleaned' } }]),
  ).toEqual([
    { kind: 'dosed', product: 'A', unit: 'ml', value: 0.3 },
    { kind: 'dosed', product: 'B', unit: 'ml', value: 5 },
    { kind: 'dosed', product: 'A', unit: 'g', value: 3 },
  ]);
});
