/** The height of the drawing in its own coordinates. The width is one per step between values. */
export const HEIGHT = 20;
const MARGIN = 1.5;
/** The number of values of a sparkline: one for each hour of a day, or shorter steps. */
export const SPARKLINE_STEPS = 24;

/** A right range; null means no bound on that side. */
export interface SparklineBand {
  readonly low: number | null;
  readonly high: number | null;
  /**
   * The first and last position, counted in values: 0 is the oldest one. By default the band is as wide as the drawing.
   */
  readonly from?: number;
  readonly to?: number;
}

interface Box {
  readonly x: number;
  readonly width: number;
  /** The upper edge. */
  readonly y: number;
  readonly height: number;
}

export interface SparklineDrawing {
  /** An SVG path; empty if there are fewer than two values. */
  readonly path: string;
  readonly bands: readonly Box[];
}

const NOTHING: SparklineDrawing = { path: '', bands: [] };

/**
 * Returns the drawing of values at equal steps, oldest first; null is a gap. Coordinates are 0…`values.length - 1` and
 * 0…`HEIGHT`. A constant value is drawn in the middle. The bounds of bands are always in view.
 */
export function sparklineDrawing(
  values: readonly (number | null)[],
  bands: readonly SparklineBand[] = [],
): SparklineDrawing {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return NOTHING;
  const bounds = bands.flatMap((band) => [band.low, band.high]).filter((bound) => bound !== null);
  const low = Math.min(...known, ...bounds);
  const high = Math.max(...known, ...bounds);
  const scale = high > low ? (HEIGHT - 2 * MARGIN) / (high - low) : 0;
  const yOf = (value: number): number => rounded(scale === 0 ? HEIGHT / 2 : HEIGHT - MARGIN - (value - low) * scale);
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
  const boxes = bands.map(({ low, high, from = 0, to = values.length - 1 }): Box => {
    const top = high === null ? 0 : yOf(high);
    const bottom = low === null ? HEIGHT : yOf(low);
    return { x: rounded(from), width: rounded(to - from), y: top, height: rounded(bottom - top) };
  });
  return { path: path.join(''), bands: boxes };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
