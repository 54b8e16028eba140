import type { Input, Output } from '../../../shared/owner-api/contract.ts';
import { isUint64Text, MAX_UINT64 } from '../../../shared/protocol/uint64.ts';
import { OwnerError } from '../../common/owner-error.ts';
import type { Position } from '../../store/reading.ts';
import type { Axis, Span } from '../../store/stores-view.ts';
import { knownDevice, type QueryScope } from './queries.ts';
import { toOwnerReading } from './reading-values.ts';

/** Returns the newest readings of a device, newest first. */
export async function latestReadings(
  { stores, memory }: QueryScope,
  { id, limit }: Input<'latestReadings'>,
): Promise<Output<'latestReadings'>> {
  const known = await knownDevice(stores, id);
  const readings = await stores.latest(id, await memory.summaries.axis(stores, known), limit);
  return { readings: readings.map(toOwnerReading) };
}

/**
 * Returns one page of a range. The cursor has the axis and the position of the last reading, so pages fit together
 * although new readings arrive and the device's axis may change meanwhile.
 */
export async function readingsPage(
  { stores, memory }: QueryScope,
  input: Input<'readingsPage'>,
): Promise<Output<'readingsPage'>> {
  const known = await knownDevice(stores, input.id);
  const cursor = input.cursor === null ? null : parseCursor(input.cursor);
  const axis = cursor?.axis ?? (await memory.summaries.axis(stores, known));
  const to =
    input.to === null ? (axis === 'timestamp' ? MAX_UINT64 : BigInt(Number.MAX_SAFE_INTEGER)) : BigInt(input.to);
  const span: Span = { axis, from: BigInt(input.from ?? 0), to };
  const { order = 'ascending', filter = null } = input;
  const readings = await stores.page(input.id, span, cursor, input.limit, { order, filter });
  const last = readings.length < input.limit ? undefined : readings.at(-1);
  return {
    readings: readings.map(toOwnerReading),
    next: last === undefined ? null : `${axis}.${last.timestamp}.${last.seq}`,
    total: cursor === null ? await stores.count(input.id, span, undefined, filter) : null,
  };
}

function parseCursor(text: string): Position & { readonly axis: Axis } {
  const [axis, timestamp = '', seq = '', ...rest] = text.split('.');
  const isAxis = axis === 'timestamp' || axis === 'received';
  if (!isAxis || !isUint64Text(timestamp) || !isUint64Text(seq) || rest.length > 0) {
    throw new OwnerError('invalid_input', 'cursor: not from an earlier page');
  }
  return { axis, timestamp: BigInt(timestamp), seq: BigInt(seq) };
}
