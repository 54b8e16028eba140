import { describe, expect, it } from 'vitest';
import { hourOf, signedRanges, timestampsOfHour, toSigned, toUnsigned } from './unsigned.ts';

const HOUR = 3_600_000n;
const [MAX_SIGNED, MIN_SIGNED, MAX] = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 64n - 1n];

it.each([
  [0n, 0n],
  [MAX_SIGNED, MAX_SIGNED],
  [2n ** 63n, MIN_SIGNED],
  [MAX, -1n],
])('%d is stored as the signed integer %d', (value, stored) => {
  expect([toSigned(value), toUnsigned(stored)]).toEqual([stored, value]);
});

describe('an unsigned range has signed ones', () => {
  const plain = (from: bigint, to: bigint) => ({ isNegative: 0, from, to });
  const negative = (from: bigint, to: bigint) => ({ isNegative: 1, from, to });

  it.each([
    [5n, 4n, []],
    [5n, 5n, [plain(5n, 5n)]],
    [5n, MAX_SIGNED, [plain(5n, MAX_SIGNED)]],
    [MAX_SIGNED, MAX_SIGNED, [plain(MAX_SIGNED, MAX_SIGNED)]],
    [5n, MAX_SIGNED + 1n, [plain(5n, MAX_SIGNED), negative(MIN_SIGNED, MIN_SIGNED)]],
    [MAX_SIGNED, MAX, [plain(MAX_SIGNED, MAX_SIGNED), negative(MIN_SIGNED, -1n)]],
    [MAX_SIGNED + 1n, MAX_SIGNED + 1n, [negative(MIN_SIGNED, MIN_SIGNED)]],
    [MAX_SIGNED + 2n, MAX, [negative(MIN_SIGNED + 1n, -1n)]],
  ])('%d to %d', (from, to, ranges) => {
    expect(signedRanges(from, to)).toEqual(ranges);
  });
});

describe('the hour of a timestamp', () => {
  it.each([
    [0, 0],
    [3_599_999, 0],
    [3_600_000, 1],
    [3_600_000n, 1],
    [3_599_999n, 0],
    [-1, Number(MAX / HOUR)],
    [-1n, Number(MAX / HOUR)],
    [MIN_SIGNED, Number(2n ** 63n / HOUR)],
  ])('%d', (timestamp, hour) => {
    expect(hourOf(timestamp)).toBe(hour);
  });

  it('is found by its range', () => {
    expect(timestampsOfHour(2)).toEqual([{ isNegative: 0, from: 7_200_000n, to: 10_799_999n }]);
    const [signs, last] = [Number(2n ** 63n / HOUR), Number(MAX / HOUR)];
    expect(timestampsOfHour(signs)).toEqual([
      { isNegative: 0, from: BigInt(signs) * HOUR, to: MAX_SIGNED },
      { isNegative: 1, from: MIN_SIGNED, to: toSigned(BigInt(signs + 1) * HOUR - 1n) },
    ]);
    expect(timestampsOfHour(last)).toEqual([{ isNegative: 1, from: toSigned(BigInt(last) * HOUR), to: -1n }]);
    expect(timestampsOfHour(last - 1)).toEqual([
      { isNegative: 1, from: toSigned(BigInt(last - 1) * HOUR), to: toSigned(BigInt(last) * HOUR - 1n) },
    ]);
  });
});
