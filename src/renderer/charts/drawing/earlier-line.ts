import type uPlot from 'uplot';
import type { FieldData } from '../series/chart-data.ts';
import { withOpacity } from './chart-colours.ts';

const OPACITY = 0.5;
const DASH_PX = [5, 4];

/**
 * Draws a line of earlier values. It is pale and dashed, so that it looks different from the current ones. Gaps stay
 * open.
 */
export function drawEarlier(u: uPlot, earlier: FieldData, colour: string): void {
  const { ctx } = u;
  const ratio = window.devicePixelRatio;
  const { left, top, width, height } = u.bbox;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.beginPath();
  let isDrawing = false;
  for (const [index, time] of earlier.times.entries()) {
    const value = earlier.mean[index];
    if (value == null) {
      isDrawing = false;
      continue;
    }
    const [x, y] = [u.valToPos(time, 'x', true), u.valToPos(value, 'y', true)];
    if (isDrawing) ctx.lineTo(x, y);
    else ctx.moveTo(x, y);
    isDrawing = true;
  }
  ctx.strokeStyle = withOpacity(colour, OPACITY);
  ctx.lineWidth = 1.5 * ratio;
  ctx.setLineDash(DASH_PX.map((px) => px * ratio));
  ctx.stroke();
  ctx.restore();
}

/** Returns the lowest and highest value of a line in view; null if there is none. */
export function boundsInView(
  { times, mean }: FieldData,
  { from, to }: { readonly from: number; readonly to: number },
): [least: number, greatest: number] | null {
  let bounds: [number, number] | null = null;
  for (const [index, time] of times.entries()) {
    const value = mean[index];
    if (value == null || time < from || time > to) continue;
    bounds = bounds === null ? [value, value] : [Math.min(bounds[0], value), Math.max(bounds[1], value)];
  }
  return bounds;
}
