import { expect, it } from 'vitest';
import { actOf, formOf, lastAct } from './act-form.ts';

it('reads amounts with a point or a comma, and refuses other text', () => {
  const form = formOf('toppedUp', undefined);
  expect(actOf({ ...form, amount: ' 2,5 ' })).toEqual({ act: { kind: 'toppedUp', amount: { value: 2.5, unit: 'l' } } });
  const fault = (amount: string) => actOf({ ...form, amount });
  expect(fault('')).toEqual({ amount: 'amountMissing' });
  expect(['-3', '0', 'x', '1e9', 'Infinity'].map(fault)).toEqual([
    ...new Array(3).fill({ amount: 'notPositive' }),
    ...new Array(2).fill({ amount: 'tooMuch' }),
  ]);
  expect(actOf({ ...formOf('harvested', undefined), amount: '1.5', unit: 'pieces' })).toEqual({ amount: 'notWhole' });
});

it('needs a product if the kind has one, and an amount unless it is optional', () => {
  expect(actOf({ ...formOf('dosed', undefined), amount: '3' })).toEqual({ product: 'productMissing' });
  expect(actOf({ ...formOf('sprayed', undefined), product: ' Soap ' })).toEqual({
    act: { kind: 'sprayed', product: 'Soap' },
  });
  expect(actOf(formOf('note', undefined))).toEqual({ act: undefined });
});

it('proposes the last values of the kind at the same place', () => {
  const act = (product: string) => ({ kind: 'dosed' as const, product, amount: { value: 3, unit: 'g' as const } });
  const entry = (id: number, device: string | null, product: string) => ({
    ...{ id, device, at: id, text: '', updatedAt: 0 },
    act: act(product),
  });
  const entries = [entry(1, 'a', 'A'), entry(2, 'a', 'B'), entry(3, 'b', 'C')];
  expect(lastAct(entries, 'dosed', 'a')).toEqual(act('B'));
  expect(lastAct(entries, 'cleaned', 'a')).toBeUndefined();
  expect(formOf('dosed', act('B'))).toEqual({ kind: 'dosed', product: 'B', amount: '3', unit: 'g' });
});
