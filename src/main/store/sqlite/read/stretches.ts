import { MAX_UINT64 } from '../../../../shared/protocol/uint64.ts';
import type { Axis, Position, Span } from '../../port.ts';
import { signedRanges, toSigned } from '../file/unsigned.ts';

/** A span, and, on the axis 'received', seqs that are known to hold all of its readings. */
export interface BoundedSpan extends Span {
  readonly seqs?: SeqBounds;
}

/** Seqs (unsigned) between two, both inclusive. */
export interface SeqBounds {
  readonly from: bigint;
  readonly to: bigint;
}

/** A stretch of one store's readings that lies in one piece in the primary key or in the index, in SQL over `r`. */
export interface Stretch {
  /**
   * The SQL that follows the table's name. The index is named, since SQLite takes a range of seqs for the better way
   * in.
   */
  readonly index: string;
  readonly where: string;
  readonly values: readonly bigint[];
  /** The columns that order it, each to be followed by a direction. */
  readonly order: readonly string[];
}

const BY_TIME = 'INDEXED BY readings_by_time';

/** The stretches that a span covers, in ascending order: from after a position on, and up to another. */
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
 * The stretches that a span covers against its order: from before a position on, and down to another. Readings of the
 * time or seq of `last` may come along.
 */
export function stretchesBefore(
  span: BoundedSpan,
  before: Position | null = null,
  last: Position | null = null,
): Stretch[] {
  if (span.axis === 'received') {
    const { seqs = { from: 0n, to: MAX_UINT64 } } = span;
    if (before !== null && before.seq === 0n) return [];
    const to = before === null || before.seq > seqs.to ? seqs.to : before.seq - 1n;
    const from = last !== null && last.seq > seqs.from ? last.seq : seqs.from;
    return stretchesOf({ ...span, seqs: { from, to } }).reverse();
  }
  const from = last !== null && last.timestamp > span.from ? last.timestamp : span.from;
  if (before === null || before.timestamp > span.to) return byTime(from, span.to).reverse();
  const earlier = before.timestamp === 0n ? [] : byTime(from, before.timestamp - 1n).reverse();
  return before.timestamp < span.from ? [] : [...sameTime(before, 'before').reverse(), ...earlier];
}

/** All of a device's readings between two values of an axis (by seq on the axis 'received'), in ascending order. */
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

/** The readings after a position, or before it, with its timestamp. */
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
