import { describe, expect, it } from 'vitest';
import { type KeptSpan, keptSince, NO_RETENTION, type Retention, retention, spanKept } from './retention.ts';

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);
const months = (count: number): KeptSpan => ({ count, unit: 'months' });

describe('the retention of readings', () => {
  const rules: Retention = {
    ...{ private: months(24), public: months(12), strangers: months(3) },
    devices: [{ id: A, kept: null }],
  };

  it('is set by store, shorter for strangers, and by a device’s own rule', () => {
    expect(spanKept(rules, 'private', { id: B, isMine: true })).toEqual(months(24));
    expect(spanKept(rules, 'public', { id: B, isMine: true })).toEqual(months(12));
    expect(spanKept(rules, 'public', { id: B, isMine: false })).toEqual(months(3));
    expect(spanKept({ ...rules, strangers: null }, 'public', { id: B, isMine: false })).toEqual(months(12));
    expect(spanKept(rules, 'public', { id: A, isMine: false })).toBeNull();
    expect(spanKept(NO_RETENTION, 'private', { id: B, isMine: true })).toBeNull();
  });

  it('lists each device once', () => {
    expect(retention.safeParse(rules).success).toBe(true);
    const twice = { ...rules, devices: [...rules.devices, { id: A, kept: months(1) }] };
    expect(retention.safeParse(twice).success).toBe(false);
  });
});

describe('rules of earlier versions', () => {
  it('are read in months', () => {
    const devices = [
      { id: A, months: 18 },
      { id: B, months: null },
    ];
    expect(retention.parse({ private: 24, public: null, strangers: 3, devices })).toEqual({
      ...{ private: months(24), public: null, strangers: months(3) },
      devices: [
        { id: A, kept: months(18) },
        { id: B, kept: null },
      ],
    });
  });
});

describe('the time since when readings are kept', () => {
  it.each([
    [{ count: 1, unit: 'days' }, true],
    [{ count: 7300, unit: 'days' }, true],
    [{ count: 0, unit: 'days' }, false],
    [{ count: 0.5, unit: 'days' }, false],
    [{ count: -1, unit: 'weeks' }, false],
    [{ count: 1041, unit: 'weeks' }, false],
    [{ count: 1, unit: 'hours' }, false],
    [0, false],
  ])('%o is one: %s', (span, isOne) => {
    expect(retention.safeParse({ ...NO_RETENTION, private: span }).success).toBe(isOne);
  });

  it('uses days and weeks of 24 hours', () => {
    const now = Date.parse('2026-03-30T10:00:00Z');
    expect(now - keptSince(now, { count: 1, unit: 'days' })).toBe(86_400_000);
    expect(now - keptSince(now, { count: 2, unit: 'weeks' })).toBe(14 * 86_400_000);
  });

  it.each([
    ['2026-11-22T10:00:00Z', 1, '2026-10-22T10:00:00.000Z'],
    ['2026-03-31T10:00:00Z', 1, '2026-02-28T10:00:00.000Z'],
    ['2024-03-31T10:00:00Z', 1, '2024-02-29T10:00:00.000Z'],
    ['2026-01-15T00:00:00Z', 13, '2024-12-15T00:00:00.000Z'],
    ['2024-02-29T23:59:59Z', 12, '2023-02-28T23:59:59.000Z'],
  ])('%s less %i months is %s', (now, count, expected) => {
    expect(new Date(keptSince(Date.parse(now), months(count))).toISOString()).toBe(expected);
  });
});
