import uPlot from 'uplot';
import type { FieldData } from '../series/chart-data.ts';
import { entryAt } from '../series/entry-at.ts';
import { type ChartSetup, chartOptions, seriesOf } from './chart-options.ts';

/** A chart in an element. It accepts new data, follows the element's width, and exists until `destroy`. */
export interface LiveChart {
  setData(data: FieldData): void;
  /** Redraws the chart after the view or the values behind the line changed. */
  refresh(): void;
  /** Moves the cursor to the previous (-1) or next (1) entry, on the other charts and in the readout too. */
  moveCursor(step: number): void;
  clearCursor(): void;
  destroy(): void;
}

/** Draws `data` into `element`. The chart has the element's width. */
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
      // The data changed from readings to steps or back. That needs other series, so a new chart.
      isBanded = banded(next);
      const { left, top } = chart.cursor;
      chart.destroy();
      chart = make(left! < 0 ? null : { left: left!, top: top! });
    },
    refresh: () => {
      const { from, to } = setup.view();
      // Also updates the value scale, whose range includes the values behind the line.
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

/**
 * Returns the index of the next entry with a value; null if none has a value. Without a cursor, it starts at the newest
 * (-1) or oldest (1) in view.
 */
function nextIndex(data: FieldData, chart: uPlot, { from, to }: { from: number; to: number }, step: number) {
  const inView = (index: number) => data.times[index]! >= from && data.times[index]! <= to;
  const start = chart.cursor.left! < 0 || chart.cursor.idx == null ? null : chart.cursor.idx + step;
  let index = start ?? (step < 0 ? data.times.length - 1 : 0);
  while (index >= 0 && index < data.times.length && (data.count[index] === 0 || (start === null && !inView(index)))) {
    index += step;
  }
  return index >= 0 && index < data.times.length && inView(index) ? index : null;
}
