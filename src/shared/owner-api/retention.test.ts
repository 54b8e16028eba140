import { describe, expect, it } from 'vitest';
import { monthsBefore, monthsKept, NO_RETENTION, type Retention, retention } from './retention.ts';

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

describe('how long readings are kept', () => {
  const rules: Retention = { private: 24, public: 12, strangers: 3, devices: [{ id: A, months: null }] };

  it('is by store, shorter for strangers, and as the device has it where it has a rule', () => {
    expect(monthsKept(rules, 'private', { id: B, isMine: true })).toBe(24);
    expect(monthsKept(rules, 'public', { id: B, isMine: true })).toBe(12);
    expect(monthsKept(rules, 'public', { id: B, isMine: false })).toBe(3);
    expect(monthsKept({ ...rules, strangers: null }, 'public', { id: B, isMine: false })).toBe(12);
    expect(monthsKept(rules, 'public', { id: A, isMine: false })).toBeNull();
    expect(monthsKept(NO_RETENTION, 'private', { id: B, isMine: true })).toBeNull();
  });

  it('has each device once', () => {
    expect(retention.safeParse(rules).success).toBe(true);
    const twice = { ...rules, devices: [...rules.devices, { id: A, months: 1 }] };
    expect(retention.safeParse(twice).success).toBe(false);
  });
});

describe('months before a time', () => {
  it.each([
    ['2026-11-22T10:00:00Z', 1, '2026-10-22T10:00:00.000Z'],
    ['2026-03-31T10:00:00Z', 1, '2026-02-28T10:00:00.000Z'],
    ['2024-03-31T10:00:00Z', 1, '2024-02-29T10:00:00.000Z'],
    ['2026-01-15T00:00:00Z', 13, '2024-12-15T00:00:00.000Z'],
    ['2024-02-29T23:59:59Z', 12, '2023-02-28T23:59:59.000Z'],
  ])('%s less %i months is %s', (now, count, expected) => {
    expect(new Date(monthsBefore(Date.parse(now), count)).toISOString()).toBe(expected);
  });
});
