import type uPlot from 'uplot';
import type { ChartColours } from './chart-colours.ts';

/** A time that a chart marks with a number. */
export interface NumberedTime {
  readonly number: number;
  /** Unix milliseconds. */
  readonly time: number;
}

const RADIUS_PX = 8;
const FONT_PX = 10;

/** Draws a line at each time, and its number at the top if there is room. */
export function drawNoteLines(u: uPlot, notes: readonly NumberedTime[], colours: ChartColours): void {
  const { ctx } = u;
  const ratio = window.devicePixelRatio;
  const { left, top, width, height } = u.bbox;
  const radius = RADIUS_PX * ratio;
  let lastNumber = Number.NEGATIVE_INFINITY;
  ctx.save();
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.font = `600 ${FONT_PX * ratio}px system-ui, sans-serif`;
  for (const { number, time } of notes) {
    const x = Math.round(u.valToPos(time, 'x', true));
    if (x < left || x > left + width) continue;
    ctx.beginPath();
    ctx.setLineDash([2 * ratio, 3 * ratio]);
    ctx.strokeStyle = colours.note;
    ctx.lineWidth = ratio;
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + height);
    ctx.stroke();
    if (x - lastNumber < 2 * radius) continue;
    lastNumber = x;
    const y = top + radius;
    ctx.setLineDash([]);
    ctx.beginPath();
    const half = Math.max(radius, ctx.measureText(String(number)).width / 2 + 3 * ratio);
    ctx.roundRect(x - half, y - radius, 2 * half, 2 * radius, radius);
    ctx.fillStyle = colours.note;
    ctx.fill();
    ctx.fillStyle = colours.onNote;
    ctx.fillText(String(number), x, y + 0.5 * ratio);
  }
  ctx.restore();
}
