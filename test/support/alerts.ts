import type { RuleInput } from '../../src/shared/alerts/rule.ts';

type RangeInput = Extract<RuleInput, { kind: 'range' }>;

/** pH between 5.5 and 6.5 on all devices, told at once. */
export const RANGE_RULE: RangeInput = {
  id: null,
  kind: 'range',
  name: 'pH',
  scope: { kind: 'all' },
  field: 'ph',
  low: 5.5,
  high: 6.5,
  margin: 0.1,
  forMinutes: 0,
  repeatMinutes: null,
  severity: 'warning',
  channels: 'all',
  isOn: true,
};
