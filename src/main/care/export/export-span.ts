import { MAX_UINT64 } from '../../../shared/protocol/uint64.ts';
import type { Span } from '../../store/stores-view.ts';

/** Returns the span of measurement times between two Unix milliseconds; null means no bound. */
export function exportSpan(from: number | null, to: number | null): Span {
  return { axis: 'timestamp', from: BigInt(from ?? 0), to: to === null ? MAX_UINT64 : BigInt(to) };
}
