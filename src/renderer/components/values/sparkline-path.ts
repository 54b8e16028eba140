/** The height of the drawing's own coordinates; the width is one per value. */
export const HEIGHT = 20;
const MARGIN = 1.5;

/** The values that are right; null: no bound on that side. */
export interface SparklineBand {
  readonly low: number | null;
  readonly high: number | null;
}

export interface SparklineDrawing {
  /** An SVG path; empty if there are fewer than two values. */
  readonly path: string;
  /** The band from its upper edge down; null where there is none, or nothing is drawn. */
  readonly band: { readonly y: number; readonly height: number } | null;
}

const NOTHING: SparklineDrawing = { path: '', band: null };

/**
 * The drawing of values at equal steps, oldest first; null is a gap. Coordinates are 0…`values.length - 1` and 0…`HEIGHT`; a
 * constant value is drawn in the middle. The bounds of a band are always in view.
 */
export function sparklineDrawing(
  values: readonly (number | null)[],
  band: SparklineBand | null = null,
): SparklineDrawing {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return NOTHING;
  const bounds = [band?.low, band?.high].filter((bound) => typeof bound === 'number');
  const low = Math.min(...known, ...bounds);
  const high = Math.max(...known, ...bounds);
  const scale = high > low ? (HEIGHT - 2 * MARGIN) / (high - low) : 0;
  const yOf = (value: number): number =>
    Math.round((scale === 0 ? HEIGHT / 2 : HEIGHT - MARGIN - (value - low) * scale) * 100) / 100;
  const path: string[] = [];
  let drawing = false;
  values.forEach((value, index) => {
    if (value === null) {
      drawing = false;
      return;
    }
    const point = `${index} ${yOf(value)}`;
    // A single value between gaps is drawn as a dot: a line of length zero with round ends.
    const alone = !drawing && (values[index + 1] ?? null) === null;
    path.push(alone ? `M${point}h0` : `${drawing ? 'L' : 'M'}${point}`);
    drawing = true;
  });
  if (bounds.length === 0) return { path: path.join(''), band: null };
  const top = typeof band?.high === 'number' ? yOf(band.high) : 0;
  const bottom = typeof band?.low === 'number' ? yOf(band.low) : HEIGHT;
  return { path: path.join(''), band: { y: top, height: Math.round((bottom - top) * 100) / 100 } };
}
