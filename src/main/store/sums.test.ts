import { expect, it } from 'vitest';
import { FIELD_NAMES, perFieldName } from '../../shared/protocol/fields.ts';
import { Sums } from './sums.ts';

const SEALED = new Uint8Array(28);
const PH = FIELD_NAMES.indexOf('ph');
const HUMIDITY = FIELD_NAMES.indexOf('humidity');
const NONE = { count: 0, sealed: 0, min: null, max: null, mean: null };

/** Returns the sums of values of pH. */
function sumsOf(...values: readonly unknown[]): Sums {
  const sums = new Sums();
  for (const value of values) sums.addReading({ ...perFieldName(() => null), ph: value as number });
  return sums;
}

it('have nothing at first', () => {
  expect(new Sums().toStep(7)).toEqual({ time: 7, readings: 0, fields: perFieldName(() => NONE) });
});

it('count plain, sealed and absent values of each field, with least, most and mean', () => {
  const sums = new Sums();
  sums.addReading({ ...perFieldName(() => null), ph: 4, humidity: SEALED });
  sums.addReading({ ...perFieldName(() => null), ph: 7, ec: 0 });
  sums.addReading({ ...perFieldName(() => null), ph: -2, humidity: 60 });
  expect(sums.toStep(3_600_000)).toEqual({
    time: 3_600_000,
    readings: 3,
    fields: {
      ...perFieldName(() => NONE),
      ph: { count: 3, sealed: 0, min: -2, max: 7, mean: 3 },
      ec: { count: 1, sealed: 0, min: 0, max: 0, mean: 0 },
      humidity: { count: 1, sealed: 1, min: 60, max: 60, mean: 60 },
    },
  });
  expect([sums.sum[PH], sums.sum[HUMIDITY]]).toEqual([9, 60]);
});

it('take a row whose fields begin at an offset', () => {
  const sums = new Sums();
  sums.addValues([99, 88, 1, null, null, null, null, '', 77], 2);
  expect(sums.readings).toBe(1);
  expect(sums.count).toEqual([1, 0, 0, 0, 0, 0]);
  expect(sums.sealed).toEqual([0, 0, 0, 0, 0, 1]);
  expect(sums.sum).toEqual([1, 0, 0, 0, 0, 0]);
});

it('add up with other sums', () => {
  const sums = sumsOf(5, SEALED, 6);
  sums.add(sumsOf(4, 8, 9, SEALED, SEALED));
  expect(sums.toStep(0)).toEqual({
    time: 0,
    readings: 8,
    fields: { ...perFieldName(() => NONE), ph: { count: 5, sealed: 3, min: 4, max: 9, mean: 6.4 } },
  });
  sums.add(sumsOf(null, 7));
  expect(sums.toStep(0)).toMatchObject({ readings: 10, fields: { ph: { count: 6, min: 4, max: 9, mean: 6.5 } } });
});

it('stay the same but for sealed values if the other sums have no plain value', () => {
  const sums = sumsOf(5);
  const others = sumsOf(SEALED);
  // Sums of an earlier version may have these.
  others.min[PH] = 1;
  others.max[PH] = 9;
  others.sum[PH] = Number.POSITIVE_INFINITY;
  sums.add(others);
  expect(sums.toStep(0).fields.ph).toEqual({ count: 1, sealed: 1, min: 5, max: 5, mean: 5 });
});

it('take the sums of one field', () => {
  const sums = sumsOf(5);
  sums.addField(PH, 2, 4, 6, 10);
  expect(sums.toStep(0).fields.ph).toEqual({ count: 3, sealed: 0, min: 4, max: 6, mean: 5 });
  sums.addField(PH, 1, 4.5, 5.5, 5);
  expect(sums.toStep(0).fields.ph).toEqual({ count: 4, sealed: 0, min: 4, max: 6, mean: 5 });
  expect(sums.readings).toBe(1);
});

it('have a mean between the least and the most value, whatever was rounded', () => {
  const sums = sumsOf(5, 6);
  sums.sum[PH] = 12.1;
  expect(sums.mean(PH)).toBe(6);
  sums.sum[PH] = 9.9;
  expect(sums.mean(PH)).toBe(5);
  sums.sum[PH] = 11.5;
  expect(sums.mean(PH)).toBe(5.75);
  expect(sums.mean(HUMIDITY)).toBe(null);
});

it('have a mean also if the sum is more than a number can be', () => {
  const most = Number.MAX_VALUE;
  expect(sumsOf(most, most).mean(PH)).toBe(most);
  expect(sumsOf(-most, -most).mean(PH)).toBe(-most);
  const sums = sumsOf(most, most);
  sums.add(sumsOf(-most / 2, -most, -most));
  expect(sums.sum[PH]).toBeNaN();
  expect(sums.mean(PH)).toBe(0);
  sums.min[PH] = -most / 2;
  expect(sums.mean(PH)).toBe(most / 4);
});
