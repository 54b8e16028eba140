import { describe, expect, it } from 'vitest';
import { AT, someFacts } from '../../../../test/support/alert-notices.ts';
import { channelRecord, type Delivery, delivery, EMPTY_OUTBOX, keptOutbox, NO_RECORD, waitAfter } from './delivery.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

it('each try waits for longer, and the last one is an hour after the first', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8].map(waitAfter);
  expect(waits).toEqual([
    ...[5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 15 * MINUTE, 15 * MINUTE],
    520 * SECOND,
  ]);
  expect(waits.reduce((sum: number, wait) => sum + wait!, 0)).toBe(60 * MINUTE);
  expect([waitAfter(9), waitAfter(0)]).toEqual([null, null]);
});

describe('what is kept of a message', () => {
  const one: Delivery = {
    ...{ facts: someFacts(), channel: crypto.randomUUID(), tries: 0, nextAt: AT, isQuiet: false },
  };

  it('is read as it was written', () => {
    expect(delivery.parse(JSON.parse(JSON.stringify(one)))).toEqual(one);
  });

  it.each([
    ['tries', -1],
    ['tries', 0.5],
    ['nextAt', -1],
    ['channel', 'ntfy'],
    ['isQuiet', 0],
    ['facts', {}],
    ['more', 1],
  ])('is damaged with another %s: %s', (name, value) => {
    expect(delivery.safeParse({ ...one, [name]: value }).success).toBe(false);
  });
});

describe('what is kept of a channel', () => {
  const held = { count: 1, since: AT, isCritical: true, about: ['Tank'] };
  const lastFailure = { at: AT, fault: 'refused', detail: 'x', isPermanent: false, isGivenUp: true } as const;
  const one = { begunAt: [AT], held, summaryAt: AT, lastSuccessAt: AT, lastFailure };

  it('is read as it was written', () => {
    for (const record of [NO_RECORD, one]) expect(channelRecord.parse(record)).toEqual(record);
    expect(NO_RECORD).toEqual({ begunAt: [], held: null, summaryAt: null, lastSuccessAt: null, lastFailure: null });
  });

  it.each([
    ['begunAt', [-1]],
    ['held', { ...held, count: 0 }],
    ['held', { ...held, count: 1.5 }],
    ['held', { ...held, more: 1 }],
    ['held', {}],
    ['lastFailure', { ...lastFailure, fault: 'other' }],
    ['lastFailure', { ...lastFailure, more: 1 }],
    ['lastFailure', {}],
    ['summaryAt', 'now'],
    ['more', 1],
  ])('is damaged with another %s: %j', (name, value) => {
    expect(channelRecord.safeParse({ ...one, [name]: value }).success).toBe(false);
  });

  it('is part of what is kept of the outbox', () => {
    expect(EMPTY_OUTBOX).toEqual({ deliveries: [], records: {} });
    const kept = { deliveries: [], records: { a: one } };
    expect(keptOutbox.parse(kept)).toEqual(kept);
    expect(keptOutbox.safeParse({ deliveries: [{}], records: {} }).success).toBe(false);
    expect(keptOutbox.safeParse({ deliveries: [], records: { a: {} } }).success).toBe(false);
  });
});
