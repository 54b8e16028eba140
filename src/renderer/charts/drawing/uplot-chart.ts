import uPlot from 'uplot';
import type { FieldData } from '../series/chart-data.ts';
import { entryAt } from '../series/entry-at.ts';
import { type ChartSetup, chartOptions, seriesOf } from './chart-options.ts';

/** A chart in an element: takes new data in place, follows the element's width, and goes with `destroy`. */
export interface LiveChart {
  setData(data: FieldData): void;
  /** Redraws for a changed view or other values behind the line, without new data. */
  refresh(): void;
  /** Puts the cursor on the entry before or after (`step` -1, 1) and tells its charts and its readout. */
  moveCursor(step: number): void;
  clearCursor(): void;
  destroy(): void;
}

/** Draws `data` into `element`, whose width the chart takes. */
export function drawChart(
  element: HTMLElement,
  first: FieldData,
  setup: Omit<ChartSetup, 'width' | 'banded' | 'entryUnder' | 'cursorAt'>,
): LiveChart {
  let data = first;
  const banded = (of: FieldData) => of.stepMs !== null;
  const make = (cursorAt: { left: number; top: number } | null): uPlot =>
    new uPlot(
      chartOptions({
        ...setup,
        width: Math.max(120, element.clientWidth),
        banded: banded(data),
        cursorAt,
        entryUnder: ({ time, nearMs }) => entryAt(data, time, nearMs),
      }),
      seriesOf(data, banded(data)),
      element,
    );
  let chart = make(null);
  let isBanded = banded(data);

  const observer = new ResizeObserver(() => {
    const width = Math.max(120, element.clientWidth);
    if (width !== chart.width) chart.setSize({ width, height: setup.height });
  });
  observer.observe(element);

  return {
    setData: (next) => {
      data = next;
      if (banded(next) === isBanded) {
        chart.setData(seriesOf(next, isBanded));
        return;
      }
      // From readings to steps or back: other series, so another chart.
      isBanded = banded(next);
      const { left, top } = chart.cursor;
      chart.destroy();
      chart = make(left! < 0 ? null : { left: left!, top: top! });
    },
    refresh: () => {
      const { from, to } = setup.view();
      // Brings the other scale along, whose range depends on what lies behind too.
      chart.setScale('x', { min: from, max: to });
      chart.redraw(false);
    },
    moveCursor: (step) => {
      const index = nextIndex(data, chart, setup.view(), step);
      if (index === null) return;
      const publish = chart.setCursor as (at: { left: number; top: number }, fire: boolean, share: boolean) => void;
      publish({ left: chart.valToPos(data.times[index]!, 'x'), top: 1 }, true, true);
    },
    clearCursor: () => chart.setCursor({ left: -10, top: -10 }, true),
    destroy: () => {
      observer.disconnect();
      chart.destroy();
    },
  };
}

/** The entry with a value next to the cursor; from nowhere, the newest (back) or oldest (forth) in view. */
function nextIndex(data: FieldData, chart: uPlot, { from, to }: { from: number; to: number }, step: number) {
  const inView = (index: number) => data.times[index]! >= from && data.times[index]! <= to;
  const start = chart.cursor.left! < 0 || chart.cursor.idx == null ? null : chart.cursor.idx + step;
  let index = start ?? (step < 0 ? data.times.length - 1 : 0);
  while (index >= 0 && index < data.times.length && (data.count[index] === 0 || (start === null && !inView(index)))) {
    index += step;
  }
  return index >= 0 && index < data.times.length && inView(index) ? index : null;
}
