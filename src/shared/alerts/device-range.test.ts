import { expect, it } from 'vitest';
import { RANGE_RULE } from '../../../test/support/alerts.ts';
import { rangeAt } from './device-range.ts';
import type { RangeRule } from './rule.ts';

const WARM: RangeRule = { ...RANGE_RULE, id: crypto.randomUUID(), field: 'tempWater', low: 15, high: 25, margin: 1 };

it('a rule for several devices is applied in the unit that each sends', () => {
  const fahrenheit = rangeAt(WARM, { tempWater: { sent: 'fahrenheit' } });
  expect(fahrenheit).toEqual({ ...WARM, low: 59, high: 77, margin: 1.8 });
  const group = { ...WARM, scope: { kind: 'group', group: crypto.randomUUID() } } as const;
  const strong = { ...group, field: 'ec', low: null, high: 1000, margin: 100 } as const;
  expect(rangeAt(strong, { ec: { sent: 'millisiemens' } })).toMatchObject({ low: null, high: 2, margin: 0.2 });
});

it('it is unchanged if a device sends the reference unit, or only shows another one', () => {
  expect(rangeAt(WARM, {})).toBe(WARM);
  expect(rangeAt(WARM, { tempWater: { sent: 'celsius', shown: 'fahrenheit' } })).toBe(WARM);
  expect(rangeAt(WARM, { tempAmbient: { sent: 'fahrenheit' } })).toBe(WARM);
});

it('a rule of one device is stored in its unit, and an unknown unit is compared unchanged', () => {
  const own: RangeRule = { ...WARM, scope: { kind: 'device', device: '00'.repeat(32) } };
  expect(rangeAt(own, { tempWater: { sent: 'fahrenheit' } })).toBe(own);
  expect(rangeAt(WARM, { tempWater: { label: 'Rankine' } })).toBe(WARM);
});
