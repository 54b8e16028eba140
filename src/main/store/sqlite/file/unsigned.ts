import { MAX_UINT64 } from '../../../../shared/protocol/uint64.ts';
import { HOUR_MS } from '../../port.ts';

/**
 * Unsigned 64-bit values as the stores keep them: the signed integer of the same bits. `(x < 0), x` is their unsigned
 * order, so a range of them is at most two ranges of signed integers.
 */

const MIN_SIGNED = -(2n ** 63n);
const MAX_SIGNED = 2n ** 63n - 1n;

/** The signed integer of the same 64 bits. */
export function toSigned(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

/** The unsigned value of a stored integer. */
export function toUnsigned(stored: bigint): bigint {
  return BigInt.asUintN(64, stored);
}

/** Signed integers from `from` to `to`, both inclusive, all of one sign. */
export interface SignedRange {
  /** 1 where they are negative: the value of `(x < 0)` in SQL. */
  readonly isNegative: 0 | 1;
  readonly from: bigint;
  readonly to: bigint;
}

/** The signed ranges of an unsigned one, both bounds inclusive, in ascending unsigned order; none where it is empty. */
export function signedRanges(from: bigint, to: bigint): SignedRange[] {
  if (from > to) return [];
  const ranges: SignedRange[] = [];
  if (from <= MAX_SIGNED) ranges.push({ isNegative: 0, from, to: to < MAX_SIGNED ? to : MAX_SIGNED });
  if (to > MAX_SIGNED) {
    ranges.push({ isNegative: 1, from: from > MAX_SIGNED ? toSigned(from) : MIN_SIGNED, to: toSigned(to) });
  }
  return ranges;
}

/** The hour (in units of 3,600,000 ms since 1970) of a stored timestamp. */
export function hourOf(timestamp: number | bigint): number {
  if (typeof timestamp === 'number' && timestamp >= 0) return Math.floor(timestamp / HOUR_MS);
  return Number(toUnsigned(BigInt(timestamp)) / BigInt(HOUR_MS));
}

/** The timestamps of an hour as signed ranges: two for the one hour in which the sign bit turns. */
export function timestampsOfHour(hour: number): SignedRange[] {
  const from = BigInt(hour) * BigInt(HOUR_MS);
  const to = from + BigInt(HOUR_MS - 1);
  return signedRanges(from, to < MAX_UINT64 ? to : MAX_UINT64);
}
