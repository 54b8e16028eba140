import { expect, test } from 'vitest';
import { FIELD_NAMES, type FieldName } from '../shared/protocol/fields.ts';
import { CURVES, drifted, measure, traitsOf } from './curves.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 5);
const SEEDS = [1, 2, 3, 200].map((fill) => new Uint8Array(32).fill(fill));

/** Returns one field's values, one for each step. */
function series(seed: Uint8Array, name: FieldName, length: number, step: number): number[] {
  const traits = traitsOf(seed);
  return Array.from({ length: Math.floor(length / step) }, (_, index) => measure(traits, START + index * step)[name]);
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test('is a pure function of time and seed, and two devices differ', () => {
  expect(measure(traitsOf(SEEDS[0]!), START)).toEqual(measure(traitsOf(SEEDS[0]!.slice()), START));
  expect(measure(traitsOf(SEEDS[0]!), START)).not.toEqual(measure(traitsOf(SEEDS[1]!), START));
});

test('stays within what such a reservoir can measure, over 60 days', () => {
  for (const seed of SEEDS) {
    for (const name of FIELD_NAMES) {
      const values = series(seed, name, 60 * DAY, 7 * MINUTE);
      const [low, high] = CURVES[name].range;
      expect(Math.min(...values), name).toBeGreaterThanOrEqual(low);
      expect(Math.max(...values), name).toBeLessThanOrEqual(high);
    }
  }
});

test('afternoons are warmer and drier than nights', () => {
  for (const seed of SEEDS) {
    const air = series(seed, 'tempAmbient', 30 * DAY, HOUR);
    const humidity = series(seed, 'humidity', 30 * DAY, HOUR);
    const at = (values: number[], hour: number) => mean(values.filter((_, index) => index % 24 === hour));
    expect(at(air, 15) - at(air, 3)).toBeGreaterThan(4);
    expect(at(humidity, 3) - at(humidity, 15)).toBeGreaterThan(8);
  }
});

test('the water follows the air some hours late', () => {
  for (const seed of SEEDS) {
    const warmest = (name: FieldName) => {
      const values = series(seed, name, 40 * DAY, HOUR);
      const byHour = Array.from({ length: 24 }, (_, hour) => mean(values.filter((_, index) => index % 24 === hour)));
      return byHour.indexOf(Math.max(...byHour));
    };
    const lag = (warmest('tempWater') - warmest('tempAmbient') + 24) % 24;
    expect(lag).toBeGreaterThanOrEqual(3);
    expect(lag).toBeLessThanOrEqual(5);
  }
});

test('ec falls slowly and is dosed back up, ph drifts up and is corrected, the level is refilled', () => {
  const jumps = (name: FieldName, over: number, direction: 1 | -1) => {
    const values = series(SEEDS[0]!, name, 20 * DAY, 30 * MINUTE);
    return values.filter((value, index) => index > 0 && direction * (value - values[index - 1]!) > over).length;
  };
  // 20 days have 53 periods of 9 h, 34 of 14 h and 9 or 10 of 50 h. A jump may be split between two samples.
  expect(jumps('ec', 60, 1)).toBeGreaterThanOrEqual(45);
  expect(jumps('ec', 60, -1)).toBe(0);
  expect(jumps('ph', 0.2, -1)).toBeGreaterThanOrEqual(28);
  expect(jumps('ph', 0.2, 1)).toBe(0);
  expect(jumps('waterLevel', 30, -1)).toBeGreaterThanOrEqual(8);
  expect(jumps('waterLevel', 30, 1)).toBe(0);
});

test.each(FIELD_NAMES)('%s that drifts is out of its range within a minute, either way, and stays there', (field) => {
  const [low, high] = CURVES[field].range;
  const middle = (low + high) / 2;
  expect(drifted(field, middle, 'low', 0)).toBe(middle);
  expect(drifted(field, middle, 'low', 60_000)).toBeLessThan(low);
  expect(drifted(field, middle, 'high', 60_000)).toBeGreaterThan(high);
  expect(drifted(field, middle, 'high', 3_600_000)).toBe(drifted(field, middle, 'high', 60_000));
});
