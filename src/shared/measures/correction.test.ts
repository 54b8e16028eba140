import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CalibrationFault,
  type CalibrationPoint,
  calibrationFault,
  correct,
  correctedValue,
  correctionsOf,
  lineOf,
} from './correction.ts';
import { driftOf } from './drift.ts';

const point = (reference: number, shown: number): CalibrationPoint => ({ reference, shown });
const calibrated = (id: number, at: number, ...points: CalibrationPoint[]) => ({
  id,
  at,
  field: 'ph' as const,
  points,
});

describe('a correction', () => {
  it('passes through the points of its calibration, without noise of binary fractions', () => {
    const one = { field: 'ph' as const, from: 0, ...lineOf([point(6.4, 6.1)]) };
    expect([6.1, 6.2, Math.fround(6.2)].map((sent) => correct(one, sent))).toEqual([6.4, 6.5, 6.5]);
    const two = { field: 'ph' as const, from: 0, ...lineOf([point(4.01, 4.2), point(7, 7.05)]) };
    expect(two.slope).toBeCloseTo(2.99 / 2.85, 12);
    expect([4.2, 7.05].map((sent) => correct(two, sent))).toEqual([4.01, 7]);
  });

  it('applies from its time until the next one of its field', () => {
    const corrections = correctionsOf([calibrated(2, 200, point(7, 8)), calibrated(1, 100, point(7, 6))]);
    const at = (time: number) => correctedValue(corrections, 'ph', time, 5);
    expect([99, 100, 199, 200, 1e15].map(at)).toEqual([5, 6, 6, 4, 4]);
    expect(correctedValue(corrections, 'ec', 150, 5)).toBe(5);
  });

  it('is that of the later entered calibration, of two of the same time', () => {
    const corrections = correctionsOf([calibrated(9, 100, point(7, 8)), calibrated(3, 100, point(7, 6))]);
    expect(corrections).toHaveLength(1);
    expect(correctedValue(corrections, 'ph', 100, 5)).toBe(4);
  });

  it('keeps the order of values, for any valid points', () => {
    const value = fc.double({ min: -1000, max: 1000, noNaN: true });
    fc.assert(
      fc.property(value, value, value, value, value, value, (a, b, c, d, x, y) => {
        const points = [point(a, b), point(c, d)];
        if (calibrationFault('ec', points) !== null) return;
        const correction = { field: 'ec' as const, from: 0, ...lineOf(points) };
        const [less, more] = [Math.min(x, y), Math.max(x, y)];
        expect(correct(correction, less)).toBeLessThanOrEqual(correct(correction, more));
      }),
    );
  });
});

it.each<[string, CalibrationPoint[], CalibrationFault | null]>([
  ['two buffers', [point(4, 4.2), point(7, 7.1)], null],
  ['one buffer', [point(7, 7.3)], null],
  ['the same reference twice', [point(7, 7.1), point(7, 7.2)], 'sameReference'],
  ['the same shown value twice', [point(4, 7), point(7, 7)], 'sameShown'],
  ['values that are swapped', [point(4, 7.1), point(7, 4.2)], 'absurdSlope'],
  ['a slope of almost nothing', [point(7, 4), point(7.001, 7)], 'absurdSlope'],
  ['no number', [point(Number.NaN, 7)], 'absurdValue'],
  ['infinity', [point(7, Number.POSITIVE_INFINITY)], 'absurdValue'],
  ['a reference that is no pH', [point(15, 14)], 'noPh'],
  ['a missing decimal point', [point(7, 71)], 'farOff'],
])('says of %s what is wrong', (_, points, fault) => {
  expect(calibrationFault('ph', points)).toBe(fault);
});

describe('the drift', () => {
  const drift = (...shown: number[]) => {
    const corrections = correctionsOf(shown.map((each, index) => calibrated(index, index * 1000, point(7, each))));
    return driftOf(corrections, 'ph', 6)?.verdict;
  };
  it.each([
    [[7.2], 'once'],
    [[7.02, 7.05], 'steady'],
    [[7.0, 7.2], 'drifts'],
    [[7.1, 7.4], 'grows'],
    // The error is larger than acceptable, but no longer grows.
    [[7.6, 7.4], 'drifts'],
    [[], undefined],
  ])('of a pH sensor that showed %j for 7 is: %s', (shown, verdict) => {
    expect(drift(...shown)).toBe(verdict);
  });

  it('is the sensor’s error at a value', () => {
    const corrections = correctionsOf([calibrated(1, 10, point(4, 4.2), point(7, 7))]);
    expect(driftOf(corrections, 'ph', 4)?.steps).toEqual([{ at: 10, off: expect.closeTo(0.2, 10) }]);
  });

  it('of a worn probe grows from its first calibration on', () => {
    const corrections = correctionsOf([calibrated(1, 10, point(4, 5), point(7, 7))]);
    expect(driftOf(corrections, 'ph', 7)?.verdict).toBe('grows');
  });

  it('is evaluated in the unit that the device sends', () => {
    const at = (id: number, shown: number) => ({ id, at: id, field: 'tempWater' as const, points: [point(70, shown)] });
    const corrections = correctionsOf([at(1, 70.5), at(2, 71.5)]);
    expect(driftOf(corrections, 'tempWater', 70)?.verdict).toBe('grows');
    expect(driftOf(corrections, 'tempWater', 70, { sent: 'fahrenheit' })?.verdict).toBe('drifts');
  });
});
