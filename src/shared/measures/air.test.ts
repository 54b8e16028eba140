import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dewPoint, saturationPressure, vapourPressureDeficit } from './air.ts';

it('has the saturation pressures of FAO-56, annex 2, table 2.3', () => {
  for (const [celsius, kPa] of [
    [1, 0.657],
    [10, 1.228],
    [15, 1.705],
    [20, 2.338],
    [25, 3.168],
    [30, 4.243],
    [35, 5.624],
  ] as const) {
    expect(saturationPressure(celsius)).toBeCloseTo(kPa, 2);
  }
});

it('has the deficit of FAO-56, example 5, for the air, and less of it at a cooler leaf', () => {
  // In the example, the saturation pressure at 24.5 °C is 3.075 kPa. At 60 % the air lacks two fifths of that.
  expect(saturationPressure(24.5)).toBeCloseTo(3.075, 3);
  expect(vapourPressureDeficit(24.5, 60)).toBeCloseTo(0.4 * 3.075, 3);
  expect(vapourPressureDeficit(25, 100)).toBe(0);
  expect(vapourPressureDeficit(25, 60, -2)).toBeCloseTo(2.809 - 0.6 * 3.168, 2);
});

it('has known dew points', () => {
  expect(dewPoint(20, 50)).toBeCloseTo(9.26, 1);
  expect(dewPoint(25, 60)).toBeCloseTo(16.69, 1);
  expect(dewPoint(30, 80)).toBeCloseTo(26.16, 1);
  expect(dewPoint(15, 100)).toBeCloseTo(15, 6);
});

it('returns nothing for impossible values', () => {
  for (const [celsius, humidity] of [
    [200, 50],
    [-60, 50],
    [20, 101],
    [20, -1],
    [Number.NaN, 50],
  ] as const) {
    expect(vapourPressureDeficit(celsius, humidity)).toBeNull();
    expect(dewPoint(celsius, humidity)).toBeNull();
  }
  expect(dewPoint(20, 0)).toBeNull();
});

it('never has a dew point above the air’s temperature, or a negative deficit', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -45, max: 60, noNaN: true }),
      fc.double({ min: 0.1, max: 100, noNaN: true }),
      (t, h) => {
        expect(dewPoint(t, h)!).toBeLessThanOrEqual(t + 1e-9);
        expect(vapourPressureDeficit(t, h)!).toBeGreaterThanOrEqual(-1e-12);
      },
    ),
  );
});
