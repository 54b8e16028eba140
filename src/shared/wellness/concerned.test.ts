import { expect, it } from 'vitest';
import type { RangeRule } from '../alerts/rule.ts';
import { type FieldName, perFieldName } from '../protocol/fields.ts';
import { unwatchedFields } from './concerned.ts';

const DEVICE = 'ab'.repeat(32);
const GROUP = '00000000-0000-4000-8000-000000000001';

function ruleOf(field: FieldName, more: Partial<RangeRule> = {}): RangeRule {
  const common = { kind: 'range', name: '', low: 1, high: 2, margin: 0, forMinutes: 0, repeatMinutes: null } as const;
  const told = { severity: 'warning', channels: 'all', isOn: true, scope: { kind: 'all' } } as const;
  return { id: GROUP, field, ...common, ...told, ...more };
}

it('finds the fields of a device that no rule watches', () => {
  const newest = { ...perFieldName(() => null), ph: { value: 6, at: 1 }, ec: { value: 900, at: 1 } };
  const device = { id: DEVICE, mine: true, newest } as unknown as Parameters<typeof unwatchedFields>[1];
  const groups = [{ id: GROUP, name: 'Beds', isCollapsed: false, devices: [DEVICE] }];
  const unwatched = (...rules: RangeRule[]) => unwatchedFields(rules, device, groups);
  expect(unwatched()).toEqual(['ph', 'ec']);
  expect(unwatched(ruleOf('ph'), ruleOf('humidity'))).toEqual(['ec']);
  expect(unwatched(ruleOf('ph', { isOn: false }))).toEqual(['ph', 'ec']);
  expect(unwatched(ruleOf('ec', { scope: { kind: 'group', group: GROUP } }))).toEqual(['ph']);
  expect(unwatched(ruleOf('ec', { scope: { kind: 'device', device: 'cd'.repeat(32) } }))).toEqual(['ph', 'ec']);
});
