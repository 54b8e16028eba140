import { MAX_UINT64 } from '../../../../shared/protocol/uint64.ts';
import type { Position } from '../../reading.ts';
import type { Axis, Span } from '../../stores-view.ts';
import { signedRanges, toSigned } from '../file/unsigned.ts';

/** A span. On the axis 'received', `seqs` is a range that contains all of its readings. */
export interface BoundedSpan extends Span {
  readonly seqs?: SeqBounds;
}

/** A range of seqs (unsigned), both inclusive. */
export interface SeqBounds {
  readonly from: bigint;
  readonly to: bigint;
}

/** Readings of one store that are contiguous in the primary key or in the index, as SQL over `r`. */
export interface Stretch {
  /**
   * The SQL that follows the table's name. It names the index, because SQLite would choose the range of seqs instead.
   */
  readonly index: string;
  readonly where: string;
  readonly values: readonly bigint[];
  /** The columns to order by; each needs a direction after it. */
  readonly order: readonly string[];
}

const BY_TIME = 'INDEXED BY readings_by_time';

/** Returns the stretches of a span in ascending order: after a position, and up to another. */
export function stretchesOf(span: BoundedSpan, after: Position | null = null, last: Position | null = null): Stretch[] {
  if (span.axis === 'received') {
    const arrivals = { where: 'r.received_at BETWEEN ? AND ?', values: [toSigned(span.from), toSigned(span.to)] };
    const { seqs = { from: 0n, to: MAX_UINT64 } } = span;
    const first = after === null || after.seq < seqs.from ? seqs.from : after.seq + 1n;
    return bySeq(first, last !== null && last.seq < seqs.to ? last.seq : seqs.to).map((stretch) => ({
      ...stretch,
      where: `${stretch.where} AND ${arrivals.where}`,
      values: [...stretch.values, ...arrivals.values],
    }));
  }
  const afterTime = after === null ? span.from : after.timestamp + 1n;
  const stretches = byTime(
    afterTime > span.from ? afterTime : span.from,
    last !== null && last.timestamp < span.to ? last.timestamp : span.to,
  );
  if (after === null || after.timestamp < span.from || after.timestamp > span.to) return stretches;
  return [...sameTime(after), ...stretches];
}

/**
 * Returns the stretches of a span in reverse: before a position, and down to another. Other readings with the time or
 * seq of `last` may be included.
 */
export function stretchesBefore(
  span: BoundedSpan,
  before: Position | null = null,
  last: Position | null = null,
): Stretch[] {
  if (span.axis === 'received') {
    const { seqs = { from: 0n, to: MAX_UINT64 } } = span;
    const to = before === null || before.seq > seqs.to ? seqs.to : before.seq - 1n;
    const from = last !== null && last.seq > seqs.from ? last.seq : seqs.from;
    return stretchesOf({ ...span, seqs: { from, to } }).reverse();
  }
  const from = last !== null && last.timestamp > span.from ? last.timestamp : span.from;
  if (before === null || before.timestamp > span.to) return byTime(from, span.to).reverse();
  const earlier = byTime(from, before.timestamp - 1n).reverse();
  return before.timestamp < span.from ? [] : [...sameTime(before, 'before').reverse(), ...earlier];
}

/**
 * Returns all of a device's readings between two values of an axis (by seq on the axis 'received'), in ascending order.
 */
export function stretchesBetween(axis: Axis, from: bigint, to: bigint): Stretch[] {
  return axis === 'timestamp' ? byTime(from, to) : bySeq(from, to);
}

function bySeq(first: bigint, last: bigint): Stretch[] {
  return signedRanges(first, last).map(({ from, to }) => {
    return { index: '', where: 'r.seq BETWEEN ? AND ?', values: [from, to], order: ['r.seq'] };
  });
}

function byTime(first: bigint, last: bigint): Stretch[] {
  return signedRanges(first, last).map(({ isNegative, from, to }) => ({
    index: BY_TIME,
    where: `(r.timestamp < 0) = ${isNegative} AND r.timestamp BETWEEN ? AND ?`,
    values: [from, to],
    order: ['r.timestamp', '(r.seq < 0)', 'r.seq'],
  }));
}

/** Returns the readings with the timestamp of a position, after or before it. */
function sameTime(position: Position, side: 'after' | 'before' = 'after'): Stretch[] {
  const timestamp = toSigned(position.timestamp);
  const sign = timestamp < 0n ? 1 : 0;
  const ranges = side === 'after' ? signedRanges(position.seq + 1n, MAX_UINT64) : signedRanges(0n, position.seq - 1n);
  return ranges.map(({ isNegative, from, to }) => ({
    index: BY_TIME,
    where: `(r.timestamp < 0) = ${sign} AND r.timestamp = ? AND (r.seq < 0) = ${isNegative} AND r.seq BETWEEN ? AND ?`,
    values: [timestamp, from, to],
    order: ['r.seq'],
  }));
}
