import type { Input, Output } from '../../shared/owner-api.ts';
import { isUint64Text, MAX_UINT64 } from '../../shared/protocol/uint64.ts';
import type { KnownDevice } from '../store/owner-devices.ts';
import type { Axis, Position, Span } from '../store/reading-ranges.ts';
import { Rollup } from '../store/rollup.ts';
import { HOUR_MS } from '../store/unsigned.ts';
import { OwnerError } from './owner-error.ts';
import type { QueryState } from './queries.ts';
import { toOwnerReading } from './reading-values.ts';

/** The newest readings of a device, newest first. */
export function latestReadings(state: QueryState, { id, limit }: Input<'latestReadings'>): Output<'latestReadings'> {
  const known = state.device(id);
  const readings = state.readings.latest(known.numbers, state.summaries.axis(known), limit);
  return { readings: readings.map(toOwnerReading) };
}

/**
 * One page of a range. The cursor holds the axis and the position of the last reading, so pages fit together although
 * readings come in and the axis in force may change meanwhile.
 */
export function readingsPage(state: QueryState, input: Input<'readingsPage'>): Output<'readingsPage'> {
  const known = state.device(input.id);
  const cursor = input.cursor === null ? null : parseCursor(input.cursor);
  const axis = cursor?.axis ?? state.summaries.axis(known);
  const to =
    input.to === null ? (axis === 'timestamp' ? MAX_UINT64 : BigInt(Number.MAX_SAFE_INTEGER)) : BigInt(input.to);
  const span: Span = { axis, from: BigInt(input.from ?? 0), to };
  const readings = state.readings.page(known.numbers, span, cursor, input.limit);
  const last = readings.length < input.limit ? undefined : readings.at(-1);
  return {
    readings: readings.map(toOwnerReading),
    next: last === undefined ? null : `${axis}.${last.timestamp}.${last.seq}`,
    total: cursor === null ? countSpan(state, known, span) : null,
  };
}

function parseCursor(text: string): Position & { readonly axis: Axis } {
  const [axis, timestamp = '', seq = '', ...rest] = text.split('.');
  const isAxis = axis === 'timestamp' || axis === 'received';
  if (!isAxis || !isUint64Text(timestamp) || !isUint64Text(seq) || rest.length > 0) {
    throw new OwnerError('invalid_input', 'cursor: not one that a page gave');
  }
  return { axis, timestamp: BigInt(timestamp), seq: BigInt(seq) };
}

/** Readings in a span: whole hours by their sums, the rest one by one. */
function countSpan(state: QueryState, known: KnownDevice, span: Span): number {
  const hour = BigInt(HOUR_MS);
  const firstHour = (span.from + hour - 1n) / hour;
  const endHour = (span.to + 1n) / hour;
  if (span.axis === 'received' || firstHour >= endHour) {
    return state.readings.count(known.numbers, span, Number.MAX_SAFE_INTEGER);
  }
  const sums = new Rollup();
  state.hours.addTo(known.numbers, Number(firstHour), Number(endHour) - 1, () => sums);
  const before = { ...span, to: firstHour * hour - 1n };
  const after = { ...span, from: endHour * hour };
  return [before, after].reduce(
    (total, edge) =>
      edge.from > edge.to ? total : total + state.readings.count(known.numbers, edge, Number.MAX_SAFE_INTEGER),
    sums.readings,
  );
}
