import { expect, it } from 'vitest';
import type { RangeRule } from '../../../shared/alerts/rule.ts';
import { evaluate } from './evaluate.ts';

const ID = 'ab'.repeat(32);
const MINUTE = 60_000;
const START = 1_800_000_000_000;
const rule = {
  ...{ id: 'r', kind: 'range', name: '', scope: { kind: 'all' }, field: 'ph', low: 5.5, high: 6.5, margin: 0.1 },
  ...{ forMinutes: 2, repeatMinutes: null, severity: 'critical', channels: 'all', isOn: true },
} as const satisfies RangeRule;

const values = (...list: number[]) =>
  list.map((value, index) => ({ value, timestamp: START + index * MINUTE, receivedAt: START + index * MINUTE + 500 }));

it('finds the same alerts as the node', () => {
  expect(evaluate(rule, ID, values(6, 6.1), false)).toBeNull();
  expect(evaluate(rule, ID, values(6, 5.2), false)).toMatchObject({ state: 'pending', side: 'low' });
  expect(evaluate(rule, ID, values(6, 5.2, 5.0, 5.3), false)).toEqual({
    ...{ kind: 'range', device: ID, field: 'ph', store: null, severity: 'critical', state: 'firing' },
    ...{ since: START + MINUTE, side: 'low', value: 5.3, extreme: 5, limit: 5.5 },
  });
  expect(evaluate(rule, ID, values(6, 5.2, 5.0, 5.3, 6), false)).toBeNull();
});

it('uses the arrival if the clock is not set', () => {
  const uptime = values(5.2, 5.2, 5.2).map((each) => ({ ...each, timestamp: 1000 }));
  expect(evaluate(rule, ID, uptime, true)).toMatchObject({ state: 'firing', since: START + 500 });
});

it('ignores a backlog', () => {
  const late = values(5.2, 5.2, 5.2).map((each) => ({ ...each, receivedAt: START + 600 * MINUTE }));
  expect(evaluate(rule, ID, late, false)).toMatchObject({ state: 'pending' });
});
