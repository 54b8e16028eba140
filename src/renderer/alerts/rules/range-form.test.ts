import { expect, it } from 'vitest';
import type { RangeRule } from '../../../shared/alerts/rule.ts';
import { fieldScale } from '../../../shared/measures/field-scale.ts';
import { inScale, newRange, type RangeForm, rangeFormOf, rangeOf, typedNumber } from './range-form.ts';

const ID = '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11';
const celsius = fieldScale('tempWater', undefined);
const fahrenheit = fieldScale('tempWater', { shown: 'fahrenheit' });
const typed: RangeForm = { ...newRange({ kind: 'all' }, 'tempWater'), low: '65', high: '75,5', margin: '0.9' };

function ruleOf(form: RangeForm, scale = fahrenheit): RangeRule {
  const made = rangeOf(form, scale, null);
  if ('refused' in made) throw new Error(made.refused);
  return { ...made.rule, id: ID };
}

it('converts a form to a rule in the unit that the device sends, and back', () => {
  const rule = ruleOf(typed);
  expect(rule).toMatchObject({ kind: 'range', margin: 0.5, forMinutes: 10, repeatMinutes: null });
  expect(rule.low).toBeCloseTo(18.3333, 4);
  expect(rangeFormOf(rule, fahrenheit)).toEqual({ ...typed, high: '75.5' });
});

it('keeps limits that were not edited', () => {
  const rule = { ...ruleOf(typed), low: 18.333333, high: 24.1234567 };
  const made = rangeOf({ ...rangeFormOf(rule, fahrenheit), severity: 'critical' }, fahrenheit, rule);
  expect(made).toEqual({ rule: { ...rule, severity: 'critical' } });
});

it('reads limits in another unit if the rule is for devices shown in it', () => {
  expect(inScale({ ...typed, low: '68', high: '', margin: '1.8' }, fahrenheit, celsius)).toMatchObject({
    low: '20',
    high: '',
    margin: '1',
  });
  expect(inScale({ ...typed, low: 'warm' }, fahrenheit, celsius).low).toBe('warm');
});

it.each([
  [{ low: '', high: '' }, 'limits'],
  [{ low: 'warm' }, 'limits'],
  [{ low: '80' }, 'order'],
  [{ margin: '6' }, 'margin'],
  [{ margin: '-1' }, 'margin'],
  [{ forMinutes: '1.5' }, 'for'],
  [{ forMinutes: '1441' }, 'for'],
  [{ repeatMinutes: '4' }, 'repeat'],
] as const)('refuses %o: %s', (change, refused) => {
  expect(rangeOf({ ...typed, ...change }, fahrenheit, null)).toEqual({ refused });
});

it('reads numbers with a comma too', () => {
  expect(typedNumber(' 5,5 ')).toBe(5.5);
  expect(typedNumber('')).toBeNull();
  expect(typedNumber('5..5')).toBeNull();
});
