import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useLocale } from '../../format/format.ts';
import type { ChartActions } from '../range/use-chart-range.ts';
import type { FieldData } from '../series/chart-data.ts';
import type { View } from '../view.ts';
import type { Band } from './allowed-bands.ts';
import { CHART_COLOURS } from './chart-colours.ts';
import type { Cursor } from './chart-options.ts';
import { drawLines, type LineStyle, type LinesChart } from './lines-chart.ts';

/**
 * The contents of a chart of several lines. `styles` must stay the same array until the styles change, as a new array
 * makes a new chart.
 */
interface Shown {
  /** In CSS pixels. */
  readonly height: number;
  /** One for each line. */
  readonly styles: readonly LineStyle[];
  readonly drawn: readonly FieldData[];
  readonly view: View;
  readonly bands: readonly Band[];
  readonly marks: readonly { readonly number: number; readonly entry: { readonly at: number } }[];
  readonly actions: ChartActions;
  readonly onCursor: (cursor: Cursor | null) => void;
  /** Whether the times of lines, view and marks are days since a beginning, not Unix milliseconds. */
  readonly isByDay?: boolean;
}

/** Draws lines into a canvas, and updates them. Nothing is drawn if no line has a value. */
export function useLinesChart(
  canvas: RefObject<HTMLDivElement | null>,
  shown: Shown,
): { readonly chart: RefObject<LinesChart | null>; readonly isEmpty: boolean } {
  const { height, styles, drawn, view, bands, marks, isByDay = false } = shown;
  const locale = useLocale();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const chart = useRef<LinesChart | null>(null);
  const latest = useRef(shown);
  latest.current = shown;
  const isEmpty = drawn.every(({ times }) => times.length === 0);
  useLayoutEffect(() => {
    if (isEmpty || canvas.current === null) return;
    const made = drawLines(canvas.current, latest.current.drawn, {
      ...{ height, styles, colours: CHART_COLOURS[scheme], locale, isByDay },
      view: () => latest.current.view,
      allowed: () => latest.current.bands,
      notes: () => latest.current.marks.map(({ number, entry }) => ({ number, time: entry.at })),
      onCursor: (cursor) => latest.current.onCursor(cursor),
      onDragged: (from, to) => latest.current.actions.drag(from, to),
    });
    chart.current = made;
    return () => {
      chart.current = null;
      made.destroy();
    };
  }, [canvas, isEmpty, height, styles, scheme, locale, isByDay]);
  useLayoutEffect(() => {
    if (drawn.length === styles.length) chart.current?.setData(drawn);
  }, [drawn, styles]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chart reads them when it is told to redraw
  useLayoutEffect(() => chart.current?.refresh(), [view.from, view.to, bands, marks]);
  return { chart, isEmpty };
}
