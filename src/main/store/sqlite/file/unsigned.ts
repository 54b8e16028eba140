import { MAX_UINT64 } from '../../../../shared/protocol/uint64.ts';
import { HOUR_MS } from '../../counts.ts';

/**
 * Unsigned 64-bit values in the stores: the signed integer with the same bits. `(x < 0), x` is their unsigned order, so
 * a range of them is at most two ranges of signed integers.
 */

const MIN_SIGNED = -(2n ** 63n);
const MAX_SIGNED = 2n ** 63n - 1n;

/** Returns the signed integer with the same 64 bits. */
export function toSigned(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

/** Returns the unsigned value of a stored integer. */
export function toUnsigned(stored: bigint): bigint {
  return BigInt.asUintN(64, stored);
}

/** A range of signed integers with the same sign, both bounds inclusive. */
export interface SignedRange {
  /** 1 if they are negative: the value of `(x < 0)` in SQL. */
  readonly isNegative: 0 | 1;
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Returns the signed ranges of an unsigned one (both bounds inclusive) in ascending unsigned order; none if it is
 * empty.
 */
export function signedRanges(from: bigint, to: bigint): SignedRange[] {
  if (from > to) return [];
  const ranges: SignedRange[] = [];
  if (from <= MAX_SIGNED) ranges.push({ isNegative: 0, from, to: to < MAX_SIGNED ? to : MAX_SIGNED });
  if (to > MAX_SIGNED) {
    ranges.push({ isNegative: 1, from: from > MAX_SIGNED ? toSigned(from) : MIN_SIGNED, to: toSigned(to) });
  }
  return ranges;
}

/** Returns the hour (in units of 3,600,000 ms since 1970) of a stored timestamp. */
export function hourOf(timestamp: number | bigint): number {
  if (typeof timestamp === 'number' && timestamp >= 0) return Math.floor(timestamp / HOUR_MS);
  return Number(toUnsigned(BigInt(timestamp)) / BigInt(HOUR_MS));
}

/**
 * Returns the timestamps of an hour as signed ranges: two for the one hour that contains the change of the sign bit.
 */
export function timestampsOfHour(hour: number): SignedRange[] {
  const from = BigInt(hour) * BigInt(HOUR_MS);
  const to = from + BigInt(HOUR_MS - 1);
  return signedRanges(from, to < MAX_UINT64 ? to : MAX_UINT64);
}
