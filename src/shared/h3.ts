import { isUint64Text } from './protocol/uint64.ts';

// The layout of an H3 cell index, from the H3 documentation ("H3 Index representations"): 1 bit 0, 4 bits mode (1: a
// cell), 3 bits 0, 4 bits resolution, 7 bits base cell, then fifteen digits of 3 bits: 0 to 6 up to the resolution, 7
// after it.

const BASE_CELLS = 122n;
const DIGITS = 15;
/** The base cells that are pentagons. They have no neighbour in direction 1, so their first digit can't be 1. */
const PENTAGONS: ReadonlySet<bigint> = new Set([4n, 14n, 24n, 38n, 49n, 58n, 63n, 72n, 83n, 97n, 107n, 117n]);

/**
 * The average area of a cell of each resolution, 0 to 15, in square metres (H3 documentation, "Tables of Cell
 * Statistics").
 */
const AVERAGE_AREA_M2: readonly number[] = [
  4_357_449_416_078, 609_788_441_794, 86_801_780_399, 12_393_434_655, 1_770_347_654, 252_903_858, 36_129_062, 5_161_293,
  737_328, 105_333, 15_047.5, 2149.64, 307.092, 43.8702, 6.26717, 0.895311,
];

/** A location as an H3 cell. `index` is the hexadecimal form that H3 tools accept. */
export type Cell =
  | { readonly valid: true; readonly index: string; readonly resolution: number; readonly averageAreaM2: number }
  | { readonly valid: false; readonly index: string };

/** Reads a location (an unsigned 64-bit value in decimal, which may be no cell). Throws RangeError on other texts. */
export function readCell(location: string): Cell {
  if (!isUint64Text(location)) throw new RangeError('A location is an unsigned 64-bit decimal');
  const bits = BigInt(location);
  const index = bits.toString(16);
  const resolution = Number((bits >> 52n) & 0xfn);
  const baseCell = (bits >> 45n) & 0x7fn;
  if (bits >> 56n !== 0x08n || baseCell >= BASE_CELLS) return { valid: false, index };
  let turned = false;
  for (let position = 1; position <= DIGITS; position++) {
    const digit = (bits >> BigInt(3 * (DIGITS - position))) & 7n;
    if (position <= resolution ? digit === 7n : digit !== 7n) return { valid: false, index };
    if (position <= resolution && digit !== 0n && !turned) {
      if (digit === 1n && PENTAGONS.has(baseCell)) return { valid: false, index };
      turned = true;
    }
  }
  return { valid: true, index, resolution, averageAreaM2: AVERAGE_AREA_M2[resolution]! };
}

/** The size of a cell in everyday terms. The renderer has the words. */
export type CellSize =
  | 'continent'
  | 'region'
  | 'county'
  | 'city'
  | 'district'
  | 'block'
  | 'plot'
  | 'room'
  | 'bed'
  | 'table';

const SIZES: readonly CellSize[] = ['continent', 'continent', 'region', 'region', 'county', 'city', 'city', 'district'];

/** Returns a familiar thing of about the size of a resolution's cell. */
export function cellSize(resolution: number): CellSize {
  if (resolution >= 15) return 'table';
  if (resolution >= 14) return 'bed';
  if (resolution >= 13) return 'room';
  if (resolution >= 11) return 'plot';
  return resolution >= 9 ? 'block' : (SIZES[resolution] ?? 'district');
}
