import type uPlot from 'uplot';
import { textScale } from '../../components/browser/small-screen.ts';
import type { FieldData } from '../series/chart-data.ts';
import type { View } from '../view.ts';
import { type Band, boundsNear, drawBands } from './allowed-bands.ts';
import type { ChartColours } from './chart-colours.ts';
import { withOpacity } from './chart-colours.ts';
import { boundsInView, drawEarlier } from './earlier-line.ts';
import { drawNoteLines, type NumberedTime } from './note-lines.ts';
import { createNumberTicks, createTimeTicks } from './ticks.ts';

/** Charts of one page share their cursor by this key. */
const SYNC_KEY = 'device-charts';
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const FONT_PX = 11;
const DIGIT_PX = 6.6;

/** The inputs of a chart's options. Sizes in CSS pixels. */
export interface ChartSetup {
  readonly width: number;
  readonly height: number;
  /** Whether a band from the lowest to the highest value surrounds the line. */
  readonly banded: boolean;
  /** The initial position of the cursor, in pixels of the plot; null for none. */
  readonly cursorAt: { readonly left: number; readonly top: number } | null;
  readonly line: string;
  readonly colours: ChartColours;
  readonly locale: string;
  /** Returns the span that the charts show now. */
  readonly view: () => View;
  /** Returns the values of an earlier span, moved to the times of this one. They are drawn behind the line. */
  readonly earlier: () => FieldData | null;
  /** Returns the right ranges of the field, by the owner's rules. */
  readonly allowed: () => readonly Band[];
  /** Returns the times of the owner's notes. */
  readonly notes: () => readonly NumberedTime[];
  /** Returns the index of the entry under a cursor; null if there is none. */
  readonly entryUnder: (cursor: Cursor) => number | null;
  /** Called when the cursor moves; null when it leaves. */
  readonly onCursor: (cursor: Cursor | null) => void;
  /** Called when the owner drags over a span. Unix milliseconds. */
  readonly onDragged: (from: number, to: number) => void;
}

/** The cursor of a chart, in milliseconds: its time, and how near a value must be to be under it. */
export interface Cursor {
  readonly time: number;
  readonly nearMs: number;
}

/** Returns the lists in the order of the chart's series. The line is last, so that it is drawn over its band. */
export function seriesOf(data: FieldData, banded: boolean): uPlot.AlignedData {
  return banded ? [data.times, data.max, data.min, data.mean] : [data.times, data.mean];
}

/**
 * Returns the options with which uPlot draws one field: times in milliseconds, ticks in local time, and no legend, as
 * the page has its own readout.
 */
export function chartOptions(setup: ChartSetup): uPlot.Options {
  const { line, colours, locale } = setup;
  const edge: uPlot.Series = { stroke: 'transparent', width: 0, points: { show: false } };
  // A single value between two gaps has no line. It needs a point to be visible.
  const mean: uPlot.Series = { stroke: line, width: 1.5, points: { size: 4, fill: line, filter: lonePoints } };
  const lineIndex = setup.banded ? 3 : 1;
  return {
    width: setup.width,
    height: setup.height,
    ms: 1,
    legend: { show: false },
    // The label of the last time is wider than the end of the axis.
    padding: [8, 28 * textScale(), 0, 0],
    scales: {
      x: { time: true, range: () => [setup.view().from, setup.view().to] },
      y: { range: (_, least, greatest) => valueRange(least, greatest, setup) },
    },
    series: setup.banded ? [{}, edge, edge, mean] : [{}, mean],
    bands: setup.banded ? [{ series: [1, 2], fill: withOpacity(line, 0.22) }] : [],
    axes: timeAndValueAxes(colours, locale),
    cursor: {
      ...setup.cursorAt,
      y: false,
      // By default uPlot would use the nearest value, at any distance.
      dataIdx: (u, _series, _nearest, time) => setup.entryUnder({ time, nearMs: nearMs(u) }),
      drag: { x: true, y: false, setScale: false, dist: 6 },
      // At run time, uPlot accepts null for no point.
      points: { show: (_, index) => (index === lineIndex ? hoverPoint() : (null as unknown as HTMLElement)) },
      sync: {
        key: SYNC_KEY,
        scales: ['x', null],
        // Only the position of the cursor is shared. A dragged range reaches all charts as their new view.
        filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' },
      },
      // A double click goes back to the previous range, which the page knows. uPlot would show all of its data.
      bind: { dblclick: () => null },
    },
    hooks: {
      // Drawn below the line: after the grid and before the series.
      drawAxes: [
        (u) => drawBands(u, setup.allowed(), colours),
        (u) => {
          const earlier = setup.earlier();
          if (earlier !== null) drawEarlier(u, earlier, line);
        },
      ],
      draw: [(u) => drawNoteLines(u, setup.notes(), colours)],
      setCursor: [(u) => setup.onCursor(cursorOf(u))],
      setSelect: [
        (u) => {
          const { left, width } = u.select;
          if (width <= 0) return;
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          setup.onDragged(u.posToVal(left, 'x'), u.posToVal(left + width, 'x'));
        },
      ],
    },
  };
}

/** Returns the axis of local time at the bottom, and the axis of values at the side. */
export function timeAndValueAxes(colours: ChartColours, locale: string): uPlot.Axis[] {
  const scale = textScale();
  const ticks = createTimeTicks(locale);
  const numbers = createNumberTicks(locale);
  const axis: Partial<uPlot.Axis> = {
    font: `${FONT_PX * scale}px ${FONT}`,
    stroke: colours.text,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid, width: 1, size: 4 },
  };
  return [
    { ...axis, space: 64 * scale, size: 36 * scale, gap: 4, values: (_, splits, __, ___, step) => ticks(splits, step) },
    {
      ...axis,
      space: 32 * scale,
      gap: 4,
      size: (_, values) => {
        const digits = Math.max(0, ...(values ?? []).map((text) => text.length));
        return Math.max(46, 14 + DIGIT_PX * scale * digits);
      },
      values: (_, splits, __, ___, step) => numbers(splits, step),
    },
  ];
}

/** Returns the same axes, with days since a beginning instead of time. */
export function dayAndValueAxes(colours: ChartColours, locale: string): uPlot.Axis[] {
  const [time, value] = timeAndValueAxes(colours, locale);
  const days = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return [
    {
      ...time!,
      size: 24 * textScale(),
      incrs: DAY_STEPS,
      values: (_, splits) => splits.map((day) => days.format(day)),
    },
    value!,
  ];
}

const DAY_STEPS = [0.5, 1, 2, 5, 7, 10, 14, 20, 30, 50, 100, 200, 500];

/** How near a value must be to the cursor to be under it, in CSS pixels, if no line leads to it. */
const NEAR_PX = 6;

export function nearMs(u: uPlot): number {
  const { min, max } = u.scales.x!;
  return (NEAR_PX * (max! - min!)) / Math.max(1, u.over.clientWidth);
}

export function cursorOf(u: uPlot): Cursor | null {
  const left = u.cursor.left!;
  return left < 0 ? null : { time: u.posToVal(left, 'x'), nearMs: nearMs(u) };
}

const HOVER_PX = 7;

export function hoverPoint(): HTMLElement {
  const point = document.createElement('div');
  point.style.width = point.style.height = `${HOVER_PX}px`;
  point.style.marginLeft = point.style.marginTop = `${-HOVER_PX / 2}px`;
  return point;
}

/** Returns the range of the value axis: some room around the values, and a range for a flat line. */
function valueRange(
  leastOf: number | null,
  greatestOf: number | null,
  { view, earlier, allowed }: Pick<ChartSetup, 'view' | 'earlier' | 'allowed'>,
): uPlot.Range.MinMax {
  const behind = earlier();
  const all = [leastOf, greatestOf, ...((behind && boundsInView(behind, view())) ?? [])].filter(
    (each) => each !== null,
  );
  const [least, greatest] = [Math.min(...all), Math.max(...all)];
  const near = boundsNear(allowed(), least, greatest);
  return roomAround(Math.min(least, ...near), Math.max(greatest, ...near));
}

export function roomAround(least: number, greatest: number): [number, number] {
  if (!Number.isFinite(greatest - least)) return [0, 1];
  const room = (greatest - least) * 0.08 || Math.max(Math.abs(greatest) * 0.02, 0.5);
  return [least - room, greatest + room];
}

/** Shorter lines, in canvas pixels, are hard to see. */
const SHORTEST_LINE_PX = 3;

/**
 * Returns one value of each line between two gaps that is too short to be visible; null if all points are drawn anyway
 * (`show`). An undefined value belongs to the time of another line and is not a gap.
 */
export function lonePoints(u: uPlot, series: number, show: boolean): number[] | null {
  if (show) return null;
  const times = u.data[0];
  const values = u.data[series]!;
  const alone: number[] = [];
  let start = -1;
  let last = -1;
  for (let index = 0; index <= values.length; index++) {
    const value = index < values.length ? values[index] : null;
    if (value === undefined) continue;
    if (value !== null) {
      if (start === -1) start = index;
      last = index;
    } else if (start !== -1) {
      const px = u.valToPos(times[last]!, 'x', true) - u.valToPos(times[start]!, 'x', true);
      if (px < SHORTEST_LINE_PX) alone.push(start);
      start = -1;
    }
  }
  return alone.length === 0 ? null : alone;
}
