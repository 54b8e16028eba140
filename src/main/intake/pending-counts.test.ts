import { beforeEach, expect, it } from 'vitest';
import { PendingCounts } from './pending-counts.ts';

const HOUR_MS = 3_600_000;

let pending: PendingCounts;
beforeEach(() => {
  pending = new PendingCounts();
});

it('is empty until something is counted', () => {
  expect([pending.isEmpty, pending.counts]).toEqual([true, { withheld: [], outcomes: [] }]);
  pending.addAll({ withheld: [], outcomes: [] });
  expect(pending.isEmpty).toBe(true);
  pending.addWithheld('ab', 'omit', 'ph', 1);
  expect(pending.isEmpty).toBe(false);
  const other = new PendingCounts();
  other.addOutcome('stored', 1, 1);
  expect(other.isEmpty).toBe(false);
});

it('counts withheld values by device, cause and field, with the first and the last time', () => {
  pending.addWithheld('ab', 'omit', 'ph', 50);
  pending.addWithheld('ab', 'omit', 'ec', 51);
  pending.addWithheld('ab', 'encrypted_only', 'ph', 52);
  pending.addWithheld('cd', 'omit', 'ph', 53);
  pending.addWithheld('ab', 'publish_to', null, 54);
  pending.addWithheld('ab', 'omit', 'ph', 60);
  pending.addWithheld('ab', 'omit', 'ph', 40);
  pending.addWithheld('ab', 'omit', 'ph', 45);
  const withheld = [
    { deviceId: 'ab', cause: 'omit', field: 'ph', count: 4, firstAt: 40, lastAt: 60 },
    { deviceId: 'ab', cause: 'omit', field: 'ec', count: 1, firstAt: 51, lastAt: 51 },
    { deviceId: 'ab', cause: 'encrypted_only', field: 'ph', count: 1, firstAt: 52, lastAt: 52 },
    { deviceId: 'cd', cause: 'omit', field: 'ph', count: 1, firstAt: 53, lastAt: 53 },
    { deviceId: 'ab', cause: 'publish_to', field: null, count: 1, firstAt: 54, lastAt: 54 },
  ];
  expect(pending.counts).toEqual({ withheld, outcomes: [] });
});

it('counts blocks by hour and outcome', () => {
  pending.addOutcome('stored', 2, 7 * HOUR_MS - 1);
  pending.addOutcome('stored', 3, 7 * HOUR_MS);
  pending.addOutcome('invalid_block', 1, 7 * HOUR_MS);
  pending.addOutcome('stored', 4, 8 * HOUR_MS - 1);
  const outcomes = [
    { hour: 6, outcome: 'stored', count: 2 },
    { hour: 7, outcome: 'stored', count: 7 },
    { hour: 7, outcome: 'invalid_block', count: 1 },
  ];
  expect(pending.counts).toEqual({ withheld: [], outcomes });
});

it('adds the counts of a write that failed to those since then', () => {
  pending.addWithheld('ab', 'omit', 'ph', 50);
  pending.addOutcome('stored', 2, 50);
  const older = { deviceId: 'ab', cause: 'omit', field: 'ph', count: 5, firstAt: 10, lastAt: 20 } as const;
  const other = { ...older, field: 'ec' } as const;
  pending.addAll({ withheld: [older, other], outcomes: [{ hour: 0, outcome: 'stored', count: 5 }] });
  expect(pending.counts).toEqual({
    withheld: [{ ...older, count: 6, lastAt: 50 }, other],
    outcomes: [{ hour: 0, outcome: 'stored', count: 7 }],
  });
});
