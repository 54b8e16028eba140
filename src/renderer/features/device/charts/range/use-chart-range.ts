import { useCallback, useMemo, useRef, useState } from 'react';
import { useNode } from '../../../../api/node-connection.ts';
import type { ChartActions } from '../field-chart.tsx';
import { type ChartRange, PRESETS, panned, rangeBetween, type View, zoomed } from './chart-range.ts';

const STORAGE_KEY = 'wellhouse.chart-range';
const MOST_BACK = 50;

function kept(): ChartRange {
  const preset = PRESETS.find((each) => each === localStorage.getItem(STORAGE_KEY)) ?? '24h';
  return { kind: 'preset', preset };
}

/** What the charts look at, with the way back. The last preset is remembered, for every device. */
export function useChartRange() {
  const { clock } = useNode();
  const [history, setHistory] = useState<readonly ChartRange[]>(() => [kept()]);
  const range = history.at(-1)!;
  /** What is in view right now, told by whoever resolves the range. */
  const view = useRef<View>({ from: 0, to: 0 });
  /** What the device's readings span, told by the same. */
  const span = useRef<View | null>(null);

  const setRange = useCallback((next: ChartRange): void => {
    if (next.kind === 'preset') localStorage.setItem(STORAGE_KEY, next.preset);
    // A preset is a fresh start; what was dragged before it is no way back that anyone looks for.
    setHistory((before) => (next.kind === 'preset' ? [next] : [...before.slice(-MOST_BACK), next]));
  }, []);

  const actions = useMemo<ChartActions>(
    () => ({
      drag: (from, to) => {
        const dragged = rangeBetween(from, to);
        if (dragged !== undefined) setRange(dragged);
      },
      zoom: (factor) => {
        const next = zoomed(view.current, factor, clock.now(), span.current);
        if (next !== undefined) setRange(next);
      },
      pan: (part) => setRange(panned(view.current, part, clock.now())),
      back: () => setHistory((before) => (before.length > 1 ? before.slice(0, -1) : before)),
    }),
    [clock, setRange],
  );
  return { range, setRange, actions, view, span, canGoBack: history.length > 1 };
}
