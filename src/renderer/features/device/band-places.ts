import type { Range } from '../../../shared/alerts/shown-range.ts';

/** Where a band begins and ends on a bar, and where the value is, in per cent of it. */
export interface BandPlaces {
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

/** Room beside a band on either side, as a part of it. */
const BESIDE = 0.6;

/** Lays a range out on a bar, with room for what is outside of it; a value far outside is at the bar's end. */
export function bandPlaces(value: number, { low, high }: Range): BandPlaces {
  const bound = low ?? high ?? 0;
  const size =
    low !== null && high !== null ? high - low : Math.max(Math.abs(bound) / 2, Math.abs(value - bound) * 1.5, 1e-9);
  const [start, end] = [low ?? bound - size, high ?? bound + size];
  const [least, most] = [start - size * BESIDE, end + size * BESIDE];
  const place = (of: number): number => Math.min(100, Math.max(0, ((of - least) / (most - least)) * 100));
  return { from: low === null ? 0 : place(start), to: high === null ? 100 : place(end), at: place(value) };
}
