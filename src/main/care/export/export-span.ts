import { MAX_UINT64 } from '../../../shared/protocol/uint64.ts';
import type { Span } from '../../store/port.ts';

/** The readings of a range, by their measurement; null: no bound. */
export function exportSpan(from: number | null, to: number | null): Span {
  return { axis: 'timestamp', from: BigInt(from ?? 0), to: to === null ? MAX_UINT64 : BigInt(to) };
}
