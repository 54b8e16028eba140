import type uPlot from 'uplot';
import { type ChartColours, withOpacity } from './chart-colours.ts';

/** The right range of a field, in the scale of its chart; null means no bound. */
export interface Band {
  readonly low: number | null;
  readonly high: number | null;
  /** The times between which the range applies, in Unix milliseconds. A missing one means no such end. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /**
   * The colour of its line, if the lines of the chart have different ranges. Then only the bounds are drawn, as filled
   * bands would mix.
   */
  readonly colour?: string;
}

const FILL_OPACITY = 0.1;
const EDGE_OPACITY = 0.75;
const DASH_PX = [2, 3];

/** Draws the right ranges behind the lines: a pale band with a dotted line at each bound. */
export function drawBands(u: uPlot, bands: readonly Band[], { allowed }: ChartColours): void {
  const { ctx } = u;
  const ratio = window.devicePixelRatio;
  const { left, top, width, height } = u.bbox;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.lineWidth = ratio;
  ctx.setLineDash(DASH_PX.map((px) => px * ratio));
  ctx.fillStyle = withOpacity(allowed, FILL_OPACITY);
  for (const { low, high, from, to, colour } of bands) {
    const begin = from === undefined ? left : Math.max(left, u.valToPos(from, 'x', true));
    const end = to === undefined ? left + width : Math.min(left + width, u.valToPos(to, 'x', true));
    if (end <= begin) continue;
    ctx.strokeStyle = withOpacity(colour ?? allowed, EDGE_OPACITY);
    const upper = high === null ? top : u.valToPos(high, 'y', true);
    const lower = low === null ? top + height : u.valToPos(low, 'y', true);
    if (colour === undefined) ctx.fillRect(begin, upper, end - begin, lower - upper);
    for (const [bound, y] of [
      [high, upper],
      [low, lower],
    ] as const) {
      if (bound === null) continue;
      ctx.beginPath();
      ctx.moveTo(begin, Math.round(y) + 0.5);
      ctx.lineTo(end, Math.round(y) + 0.5);
      ctx.stroke();
    }
  }
  ctx.restore();
}

/**
 * Returns the bounds that must fit into a chart of values from `least` to `greatest`: those no farther from the values
 * than the values are apart. A distant bound would flatten the line.
 */
export function boundsNear(bands: readonly Band[], least: number, greatest: number): number[] {
  const reach = greatest - least || Math.max(Math.abs(greatest) * 0.02, 0.5);
  return bands
    .flatMap(({ low, high }) => [low, high])
    .filter((bound) => bound !== null)
    .filter((bound) => bound >= least - reach && bound <= greatest + reach);
}
