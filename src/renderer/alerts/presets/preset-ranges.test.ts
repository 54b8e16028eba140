import { expect, it } from 'vitest';
import { PRESETS } from '../../../shared/alerts/presets.ts';
import { type RangeRule, ruleInput } from '../../../shared/alerts/rule.ts';
import { NO_NOTES } from '../../../shared/owner-data/notes.ts';
import { perFieldName } from '../../../shared/protocol/fields.ts';
import { fitted, rulesOf } from './preset-ranges.ts';

const ID = 'ab'.repeat(32);
const RULE = '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11';
const newest = perFieldName(() => ({}) as never);
const device = { id: ID, newest, notes: NO_NOTES };

const rules = (given: Parameters<typeof fitted>[1], kept: readonly RangeRule[] = []) =>
  rulesOf(ID, 'Lettuce', fitted(PRESETS.lettuce, given, kept, { units: {}, leafOffset: null }));

it('creates a rule of this device for each field that it sends', () => {
  const made = rules({ ...device, newest: { ...newest, humidity: null } });
  expect(made.map((rule) => rule.kind === 'range' && rule.field)).toEqual(['ph', 'ec', 'tempWater', 'tempAmbient']);
  for (const rule of made) {
    expect(ruleInput.safeParse(rule).success).toBe(true);
    expect(rule).toMatchObject({ id: null, scope: { kind: 'device', device: ID }, isOn: true, name: 'Lettuce' });
  }
});

it('has the limits in the unit that the device sends', () => {
  const units = { ec: { sent: 'millisiemens' }, tempWater: { sent: 'fahrenheit' }, ph: { label: 'x' } } as const;
  const made = rules({ ...device, notes: { ...NO_NOTES, units } });
  const of = (field: string) => made.find((rule) => rule.kind === 'range' && rule.field === field);
  expect(of('ec')).toMatchObject({ low: 1.2, high: 2, margin: 0.05 });
  expect(of('tempWater')).toMatchObject({ low: 60.8, high: 77, margin: 0.9 });
  // The unit of pH is the owner's own label, so its numbers can't be converted.
  expect(of('ph')).toBeUndefined();
});

it('changes the device’s rule for a field, and keeps its channels', () => {
  const own = { ...rules(device)[0]!, id: RULE, low: 1, high: 2, severity: 'critical', isOn: false } as RangeRule;
  const all = { ...own, scope: { kind: 'all' } } as RangeRule;
  expect(rules(device, [all])[0]).toMatchObject({ id: null, severity: 'warning' });
  expect(rules(device, [all, own])[0]).toMatchObject({ id: RULE, low: 5.6, severity: 'critical', isOn: true });
});
