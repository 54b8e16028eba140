import { useMemo, useState } from 'react';
import type { ChartActions } from '../../charts/range/use-chart-range.ts';
import type { View } from '../../charts/view.ts';

/** Returns the part of a span that charts show, and the actions that change it. `least` is its smallest width. */
export function useZoom(whole: View, least: number): { view: View; isZoomed: boolean; actions: ChartActions } {
  const [views, setViews] = useState<readonly View[]>([]);
  const { from: begin, to: end } = whole;
  const view = useMemo(() => views.at(-1) ?? { from: begin, to: end }, [views, begin, end]);
  const actions = useMemo((): ChartActions => {
    const show = (from: number, to: number): void => {
      const width = Math.min(Math.max(to - from, least), end - begin);
      const start = Math.min(Math.max(from, begin), end - width);
      setViews((before) => [...before, { from: start, to: start + width }]);
    };
    const { from, to } = view;
    const pan = (part: number) => show(from + part * (to - from), to + part * (to - from));
    return {
      drag: (a, b) => show(Math.min(a, b), Math.max(a, b)),
      zoom: (factor) => {
        const [middle, half] = [(from + to) / 2, ((to - from) * factor) / 2];
        if (factor < 1 || half * 2 < end - begin) show(middle - half, middle + half);
        else setViews([]);
      },
      pan,
      step: pan,
      back: () => setViews((before) => before.slice(0, -1)),
    };
  }, [view, begin, end, least]);
  return { view, isZoomed: views.length > 0, actions };
}
