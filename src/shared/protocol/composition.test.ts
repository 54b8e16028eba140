import { describe, expect, test } from 'vitest';
import { type Composed, Composition, compose, compositionOf, isComposition } from './composition.ts';

const ID = 'c5785e1865b708938aff8161d573006496663b1aa10834e396dc566869a2c66a';
const HEADER = `${ID}|1|1700000000000|0`;
/** Returns a reading with values of ph, ec, waterLevel, tempWater, tempAmbient and humidity. */
const reading = (...values: (number | null | Uint8Array)[]): Composed => ({
  ...{ deviceId: ID, seq: 1n, timestamp: 1_700_000_000_000n, keyVersion: 0 },
  values,
});

describe('rebuilt raw strings', () => {
  test.each([
    [
      `${HEADER}|ec=1800|ph=6.20|waterLevel=80|tempAmbient=24.50|humidity=60.00`,
      reading(6.2, 1800, 80, null, 24.5, 60),
    ],
    [`${HEADER}|ec= 0|ph=0.00|waterLevel= 7|tempWater=21.05`, reading(0, 0, 7, 21.05, null, null)],
    [`${HEADER}|ec=-3|ph=-0.25`, reading(-0.25, -3, null, null, null, null)],
    [`${HEADER}|ph=7.00`, reading(7, new Uint8Array(32), null, null, null, null)],
    [HEADER, reading(null, null, null, null, null, null)],
  ])('%s has the composition of the firmware', (raw, from) => {
    expect(compositionOf(raw, from)).toBe(Composition.FIRMWARE);
    expect(compose(Composition.FIRMWARE, from)).toBe(raw);
  });

  test('a raw string of only the header beside values has its own composition', () => {
    expect(compositionOf(HEADER, reading(6.2, 1800))).toBe(Composition.HEADER);
  });

  test.each([
    ['another order', `${HEADER}|ph=6.20|ec=1800`],
    ['other decimals', `${HEADER}|ec=1800.0|ph=6.20`],
    ['another spelling of the id', `${HEADER.toUpperCase()}|ec=1800|ph=6.20`],
    ['no padding', `${HEADER}|ec=8|ph=6.20`],
    ['a name that is not a field', `${HEADER}|ec=1800|ph=6.20|co2=400`],
    ['a zero before the seq', `${HEADER.replace('|1|', '|01|')}|ec=1800|ph=6.20`],
  ])('%s has none', (_what, raw) => {
    expect(compositionOf(raw, reading(6.2, raw.includes('ec=8') ? 8 : 1800))).toBeNull();
  });
});

test('numbers that stores keep name a composition', () => {
  expect([0, 1].every(isComposition)).toBe(true);
  expect([-1, 2, null, '1', 1n].some(isComposition)).toBe(false);
});
