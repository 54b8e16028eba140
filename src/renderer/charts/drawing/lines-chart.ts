import uPlot from 'uplot';
import type { FieldData } from '../series/chart-data.ts';
import { entryAt } from '../series/entry-at.ts';
import type { View } from '../view.ts';
import { type Band, boundsNear, drawBands } from './allowed-bands.ts';
import type { ChartColours } from './chart-colours.ts';
import {
  type Cursor,
  cursorOf,
  dayAndValueAxes,
  hoverPoint,
  lonePoints,
  nearMs,
  roomAround,
  timeAndValueAxes,
} from './chart-options.ts';
import { drawNoteLines, type NumberedTime } from './note-lines.ts';

/** Charts of one page share their cursor by this key. */
const SYNC_KEY = 'compared-lines';
const FEWEST_PX = 120;

/** The style of one of several lines. */
export interface LineStyle {
  readonly colour: string;
  readonly isDashed: boolean;
}

/** The inputs of a chart of several lines. */
export interface LinesSetup {
  /** In CSS pixels. */
  readonly height: number;
  readonly styles: readonly LineStyle[];
  readonly colours: ChartColours;
  readonly locale: string;
  /** The times of the data are days since a beginning, not Unix milliseconds. */
  readonly isByDay?: boolean;
  readonly view: () => View;
  /** Returns the right ranges of the lines, by the owner's rules. */
  readonly allowed: () => readonly Band[];
  readonly notes: () => readonly NumberedTime[];
  readonly onCursor: (cursor: Cursor | null) => void;
  readonly onDragged: (from: number, to: number) => void;
}

/** A chart of several lines of the same unit. */
export interface LinesChart {
  setData(lines: readonly FieldData[]): void;
  refresh(): void;
  /** Moves the cursor to the previous (-1) or next (1) time of any line. */
  moveCursor(step: number): void;
  clearCursor(): void;
  destroy(): void;
}

/** Lines on one time axis, and the index of each line's entries on it. */
interface Joined {
  readonly data: uPlot.AlignedData;
  readonly places: readonly number[][];
}

/**
 * Joins lines. Each keeps its own times and gaps. It has undefined at the times of other lines, which does not
 * interrupt it.
 */
function join(lines: readonly FieldData[]): Joined {
  const data = uPlot.join(lines.map(({ times, mean }) => [times, mean] as uPlot.AlignedData));
  const at = new Map(Array.from(data[0] ?? [], (time, index) => [time, index]));
  return { data, places: lines.map(({ times }) => times.map((time) => at.get(time)!)) };
}

/** Draws lines into `element`. The chart has the element's width. */
export function drawLines(element: HTMLElement, first: readonly FieldData[], setup: LinesSetup): LinesChart {
  let lines = first;
  let joined = join(first);
  const chart = new uPlot(
    options(setup, element.clientWidth, (series, time, near) => {
      const line = lines[series - 1];
      const index = line === undefined ? null : entryAt(line, time, near);
      return index === null ? null : (joined.places[series - 1]![index] ?? null);
    }),
    joined.data,
    element,
  );
  const observer = new ResizeObserver(() => {
    const width = Math.max(FEWEST_PX, element.clientWidth);
    if (width !== chart.width) chart.setSize({ width, height: setup.height });
  });
  observer.observe(element);
  return {
    setData: (next) => {
      lines = next;
      joined = join(next);
      chart.setData(joined.data);
    },
    refresh: () => {
      const { from, to } = setup.view();
      chart.setScale('x', { min: from, max: to });
      chart.redraw(false);
    },
    moveCursor: (step) => {
      const { from, to } = setup.view();
      const times = [...(joined.data[0] ?? [])].filter((time) => time >= from && time <= to);
      const now = chart.cursor.left! < 0 ? null : chart.posToVal(chart.cursor.left!, 'x');
      // A cursor that was set to a time may differ from it by half a pixel.
      const slack = (to - from) / Math.max(1, chart.over.clientWidth) / 2;
      const isNext = (time: number) => (step < 0 ? time < now! - slack : time > now! + slack);
      const ahead = now === null ? times : times.filter(isNext);
      const time = step < 0 ? ahead.at(-1) : ahead[0];
      if (time === undefined) return;
      const publish = chart.setCursor as (at: { left: number; top: number }, fire: boolean, share: boolean) => void;
      publish({ left: chart.valToPos(time, 'x'), top: 1 }, true, true);
    },
    clearCursor: () => chart.setCursor({ left: -10, top: -10 }, true),
    destroy: () => {
      observer.disconnect();
      chart.destroy();
    },
  };
}

function options(
  setup: LinesSetup,
  width: number,
  entryUnder: (series: number, time: number, near: number) => number | null,
): uPlot.Options {
  return {
    width: Math.max(FEWEST_PX, width),
    height: setup.height,
    ms: 1,
    legend: { show: false },
    padding: [8, 28, 0, 0],
    scales: {
      x: { time: setup.isByDay !== true, range: () => [setup.view().from, setup.view().to] },
      y: {
        range: (_, least, greatest) => {
          if (least == null || greatest == null) return roomAround(Number.POSITIVE_INFINITY, 0);
          const near = boundsNear(setup.allowed(), least, greatest);
          return roomAround(Math.min(least, ...near), Math.max(greatest, ...near));
        },
      },
    },
    series: [
      {},
      ...setup.styles.map(({ colour, isDashed }) => ({
        stroke: colour,
        width: 1.5,
        ...(isDashed ? { dash: [8, 4] } : {}),
        points: { size: 4, fill: colour, filter: lonePoints },
      })),
    ],
    axes: setup.isByDay ? dayAndValueAxes(setup.colours, setup.locale) : timeAndValueAxes(setup.colours, setup.locale),
    cursor: {
      y: false,
      // uPlot treats null as no value.
      dataIdx: (u, series, nearest, time) =>
        series === 0 ? nearest : (entryUnder(series, time, nearMs(u)) as unknown as number),
      drag: { x: true, y: false, setScale: false, dist: 6 },
      points: { show: () => hoverPoint() },
      sync: {
        key: SYNC_KEY,
        scales: ['x', null],
        filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' },
      },
      bind: { dblclick: () => null },
    },
    hooks: {
      drawAxes: [(u) => drawBands(u, setup.allowed(), setup.colours)],
      draw: [(u) => drawNoteLines(u, setup.notes(), setup.colours)],
      setCursor: [(u) => setup.onCursor(cursorOf(u))],
      setSelect: [
        (u) => {
          const { left, width: wide } = u.select;
          if (wide <= 0) return;
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          setup.onDragged(u.posToVal(left, 'x'), u.posToVal(left + wide, 'x'));
        },
      ],
    },
  };
}
