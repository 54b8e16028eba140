import { describe, expect, it } from 'vitest';
import type { OwnerReading } from '../../../shared/owner-api/readings.ts';
import { perFieldName } from '../../../shared/protocol/fields.ts';
import type { OpenedFields } from '../../format/values.ts';
import { type ColumnId, compareReadings, delayOf, rawJson, sortReadings, timeOf } from './row.ts';

const absent = perFieldName(() => null);

function reading(
  seq: string,
  over: Partial<Omit<OwnerReading, 'fields'>> & { ph?: OwnerReading['fields']['ph'] } = {},
) {
  const { ph = null, ...rest } = over;
  return {
    seq,
    timestamp: '1000',
    receivedAt: 2000,
    keyVersion: 0,
    store: 'private',
    ...rest,
    fields: { ...absent, ph },
  } as OwnerReading;
}

function order(readings: OwnerReading[], column: ColumnId, clockNotSet = false): string[] {
  return readings.toSorted((a, b) => compareReadings(a, b, column, clockNotSet)).map(({ seq }) => seq);
}

describe('compareReadings', () => {
  it('orders by seq as a 64-bit value', () => {
    const seqs = ['18446744073709551615', '9', '10', '9007199254740993', '9007199254740992'];
    expect(
      order(
        seqs.map((seq) => reading(seq)),
        'seq',
      ),
    ).toEqual(['9', '10', '9007199254740992', '9007199254740993', '18446744073709551615']);
  });

  it('orders by time, or by seq if the clock is not set', () => {
    const readings = [
      reading('1', { timestamp: '900' }),
      reading('2', { timestamp: '80' }),
      reading('3', { timestamp: '7000' }),
    ];
    expect(order(readings, 'time')).toEqual(['2', '1', '3']);
    expect(order(readings, 'time', true)).toEqual(['1', '2', '3']);
  });

  it('orders by a derived value', () => {
    const air = (seq: string, humidity: number): OwnerReading => ({
      ...reading(seq),
      fields: { ...absent, tempAmbient: 25, humidity },
    });
    const sorted = sortReadings(
      [air('1', 60), reading('2'), air('3', 80)],
      { id: 'vpd', desc: false },
      false,
      () => undefined,
    );
    expect(sorted.map(({ seq }) => seq)).toEqual(['3', '1', '2']);
  });

  it('puts numbers before sealed and sealed before absent', () => {
    const sealed = { cipher: 'aa', nonce: 'bb' };
    const readings = [
      reading('1'),
      reading('2', { ph: sealed, keyVersion: 2 }),
      reading('3', { ph: sealed, keyVersion: 1 }),
      reading('4', { ph: 7 }),
      reading('5', { ph: -7 }),
      reading('6', { ph: 7 }),
    ];
    expect(order(readings, 'ph')).toEqual(['5', '4', '6', '3', '2', '1']);
  });

  it('orders opened values among plain ones, and failed values before still sealed ones', () => {
    const ph = { cipher: 'aa', nonce: 'bb' };
    const readings = ['1', '2', '3', '4'].map((seq) => reading(seq, seq === '1' ? { ph: 6 } : { ph, keyVersion: 1 }));
    const opened: Record<string, OpenedFields> = {
      2: { ph: { ok: true, value: 5, keyIndex: 0 } },
      4: { ph: { ok: false, reason: 'wrong_key', keyVersion: 1 } },
    };
    const sorted = readings.toSorted((a, b) => compareReadings(a, b, 'ph', false, (seq) => opened[seq]));
    expect(sorted.map(({ seq }) => seq)).toEqual(['2', '1', '4', '3']);
  });

  it('keeps readings without the field at the end in both directions', () => {
    const readings = [reading('1'), reading('2', { ph: 7 }), reading('3'), reading('4', { ph: 5 })];
    const sorted = (desc: boolean) =>
      sortReadings(readings, { id: 'ph', desc }, false, () => undefined).map(({ seq }) => seq);
    expect([sorted(false), sorted(true)]).toEqual([
      ['4', '2', '1', '3'],
      ['2', '4', '3', '1'],
    ]);
  });

  it('puts unknown delays last in both directions', () => {
    const readings = [
      reading('1', { timestamp: '18446744073709551615' }),
      reading('2', { receivedAt: 5000, timestamp: '4000' }),
      reading('3', { receivedAt: 5000, timestamp: '6000' }),
    ];
    const sorted = (desc: boolean) =>
      sortReadings(readings, { id: 'delay', desc }, false, () => undefined).map(({ seq }) => seq);
    expect([sorted(false), sorted(true)]).toEqual([
      ['3', '2', '1'],
      ['2', '3', '1'],
    ]);
  });

  it('orders by arrival, delay and store', () => {
    const readings = [
      reading('1', { receivedAt: 5000, timestamp: '4999', store: 'public' }),
      reading('2', { receivedAt: 3000, timestamp: '1000' }),
    ];
    expect(order(readings, 'receivedAt')).toEqual(['2', '1']);
    expect(order(readings, 'delay')).toEqual(['1', '2']);
    expect(order(readings, 'store')).toEqual(['2', '1']);
  });
});

it('has no delay for an unset clock, and no date beyond the calendar', () => {
  expect(delayOf(reading('1'), false)).toBe(1000);
  expect(delayOf(reading('1'), true)).toBeNull();
  expect(delayOf(reading('1', { timestamp: '18446744073709551615' }), false)).toBeNull();
  expect(timeOf('8640000000000001')).toBeNull();
  expect(timeOf('0')).toBe(0);
});

describe('rawJson', () => {
  const jsonOf = (ph: OwnerReading['fields']['ph']) => JSON.parse(rawJson(reading('1', { ph }), 'sealed')) as unknown;

  it('has the node’s reading', () => {
    const sealed = { cipher: 'aa', nonce: 'bb' };
    expect(jsonOf(sealed)).toEqual(reading('1', { ph: sealed }));
    expect(jsonOf(6.2)).toEqual(reading('1', { ph: 6.2 }));
  });

  it('describes sealed values without their bytes', () => {
    expect(jsonOf({ cipher: '', nonce: '' })).toMatchObject({ fields: { ph: 'sealed', ec: null } });
  });
});
