import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIELD_NAMES, type FieldName } from '../../../../shared/protocol/fields.ts';
import { freshest, unchangedSince } from './freshness.ts';

const sealed = new Uint8Array([1]);
type Values = Partial<Record<FieldName, number | Uint8Array>>;
const reading = (seq: number, values: Values) => ({
  seq,
  fields: Object.fromEntries(FIELD_NAMES.map((name) => [name, values[name] ?? null])) as Record<FieldName, unknown>,
});
const measured = (seq: number, tempWater = 20 + seq / 10) => reading(seq, { ec: 600, tempWater, humidity: 55 });
const seqOf = (readings: ReturnType<typeof reading>[], field: FieldName) =>
  freshest(readings.toReversed(), field)?.reading.seq ?? null;

describe('freshest', () => {
  it('uses the manual entry for pH, and the reading before it for the values that it repeats', () => {
    const readings = [measured(1), measured(2), reading(3, { ec: 600, tempWater: 20.2, humidity: 55, ph: 5.9 })];
    expect([seqOf(readings, 'ph'), seqOf(readings, 'tempWater'), seqOf(readings, 'ec')]).toEqual([3, 2, 2]);
    expect(freshest(readings.toReversed(), 'ph')?.isEntered).toBe(true);
    // The next measurement has newer values for the other fields, and says nothing about the pH.
    const more = [...readings, measured(4)];
    expect([seqOf(more, 'ph'), seqOf(more, 'tempWater')]).toEqual([3, 4]);
  });

  it('recognises two entries in a row', () => {
    const repeated = { ec: 600, tempWater: 20.1, humidity: 55 };
    const readings = [measured(1), reading(2, { ...repeated, ph: 5.9 }), reading(3, { ...repeated, ph: 6 })];
    expect([seqOf(readings, 'ph'), seqOf(readings, 'humidity')]).toEqual([3, 1]);
  });

  it('treats each reading of a device with a pH sensor as measured, even if nothing else changes', () => {
    const readings = [1, 2, 3].map((seq) => reading(seq, { ph: 5 + seq, ec: 600, humidity: 55 }));
    expect([seqOf(readings, 'ph'), seqOf(readings, 'humidity')]).toEqual([3, 3]);
    expect(freshest(readings.toReversed(), 'ph')?.isEntered).toBe(false);
  });

  it('uses the arrival for sealed values, since no two are equal', () => {
    const readings = [1, 2].map((seq) => reading(seq, { ec: new Uint8Array([seq]) }));
    expect([seqOf(readings, 'ec'), seqOf(readings, 'ph')]).toEqual([2, null]);
  });

  it('returns a reading with the field, never an older one than a measurement of it', () => {
    const value = fc.constantFrom(null, null, 1, 2);
    const any = fc
      .array(fc.tuple(value, value, value), { maxLength: 12 })
      .map((rows) =>
        rows.map(([ph, ec, humidity], seq) =>
          reading(seq, { ...(ph && { ph }), ...(ec && { ec }), ...(humidity && { humidity }) }),
        ),
      );
    fc.assert(
      fc.property(any, fc.constantFrom('ph' as const, 'ec' as const, 'humidity' as const), (readings, field) => {
        const having = readings.filter(({ fields }) => fields[field] !== null);
        const found = freshest(readings.toReversed(), field);
        expect(found === null).toBe(having.length === 0);
        if (found !== null) expect(having).toContain(found.reading);
        const newest = having.findLast(({ fields }) => field === 'ph' || fields.ph === null);
        if (newest !== undefined) expect(found?.reading.seq).toBeGreaterThanOrEqual(newest.seq);
      }),
    );
  });
});

describe('unchangedSince', () => {
  const since = (values: (number | Uint8Array | null)[]) =>
    unchangedSince(values.map((value, seq) => reading(seq, value === null ? {} : { ec: value })).toReversed(), 'ec')
      ?.seq;

  it('returns the time of the value’s last change', () => {
    expect(since([5, 6, 6, 6])).toBe(1);
    expect(since([6, 5, 6])).toBe(2);
    expect(since([6, null, 6, null])).toBe(0);
    expect(since([5, 6, sealed, 6])).toBe(3);
  });

  it('returns nothing for sealed or missing values', () => {
    expect(since([6, sealed])).toBeUndefined();
    expect(since([null])).toBeUndefined();
    expect(since([])).toBeUndefined();
  });
});
