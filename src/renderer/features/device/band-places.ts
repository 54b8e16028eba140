import type { Range } from '../../../shared/alerts/shown-range.ts';

/** The start and the end of a band on a bar, and the position of the value, in per cent of the bar's width. */
export interface BandPlaces {
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

/** The margin on either side of a band, relative to the band's size. */
const BESIDE = 0.6;

/** Places a range on a bar with margins for values outside. A value far outside is at the end of the bar. */
export function bandPlaces(value: number, { low, high }: Range): BandPlaces {
  const bound = low ?? high ?? 0;
  const size =
    low !== null && high !== null ? high - low : Math.max(Math.abs(bound) / 2, Math.abs(value - bound) * 1.5, 1e-9);
  const [start, end] = [low ?? bound - size, high ?? bound + size];
  const [least, most] = [start - size * BESIDE, end + size * BESIDE];
  const place = (of: number): number => Math.min(100, Math.max(0, ((of - least) / (most - least)) * 100));
  return { from: low === null ? 0 : place(start), to: high === null ? 100 : place(end), at: place(value) };
}
