import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useNode } from '../../api/node-connection.ts';
import { useLocale } from '../../format/format.ts';
import { setParameters, stepsBack, useParameters } from '../../router/parameters.ts';
import type { View } from '../view.ts';
import { firstWeekdayOf } from './calendar-ranges.ts';
import { type ChartRange, PRESETS, panned, rangeBetween, zoomed } from './chart-range.ts';
import { type ChartAddress, readChartAddress, writeChartAddress } from './chart-url.ts';
import { OVERLAYS, type Overlay } from './overlay.ts';
import { stepped } from './step-range.ts';

const STORAGE_KEY = 'wellhouse.chart-range';
const NAMES = { presets: PRESETS, overlays: OVERLAYS };

/** The actions of charts on the page, by pointer or keyboard. */
export interface ChartActions {
  /** Shows a dragged span. Unix milliseconds. */
  drag(from: number, to: number): void;
  zoom(factor: number): void;
  pan(part: number): void;
  /** Goes to the previous (-1) or next (1) range, by whole units of the current one. */
  step(direction: -1 | 1): void;
  /** Goes back to the last range. */
  back(): void;
}

function lastPreset(): ChartRange {
  const preset = PRESETS.find((each) => each === localStorage.getItem(STORAGE_KEY)) ?? '24h';
  return { kind: 'preset', preset };
}

type Address = ChartAddress<(typeof PRESETS)[number], Overlay>;

/**
 * Returns the range of the charts, which is kept in the page's address `path`, with the history of ranges. An address
 * without a range gets the last preset, which all pages share.
 */
export function useChartRange(path: string) {
  const { clock } = useNode();
  const firstWeekday = firstWeekdayOf(useLocale());
  const parameters = useParameters(path);
  const address = useMemo(() => readChartAddress(new URLSearchParams(parameters), NAMES), [parameters]);
  const asked = address.range === undefined ? '' : JSON.stringify(address.range);
  // The same object until another range is chosen, as queries depend on it.
  const range = useMemo<ChartRange>(() => (asked === '' ? lastPreset() : JSON.parse(asked)), [asked]);
  /** The span in view, set by the component that resolves the range. */
  const view = useRef<View>({ from: 0, to: 0 });
  /** The span of the readings, set by the same component. */
  const span = useRef<View | null>(null);
  /** The number of requested steps back that the browser has not taken yet. */
  const leaving = useRef(0);

  const change = useCallback(
    (part: Address, how: 'step' | 'replace' = 'step') =>
      setParameters(path, (before) => writeChartAddress(before, { ...readChartAddress(before, NAMES), ...part }), how),
    [path],
  );
  // Also written to the address, so that a copied link shows what its sender saw.
  useEffect(() => {
    if (asked === '') change({ range }, 'replace');
  }, [asked, range, change]);
  useEffect(() => {
    const arrived = (): void => {
      leaving.current = Math.max(0, leaving.current - 1);
      if (leaving.current > 0) window.history.back();
    };
    addEventListener('popstate', arrived);
    return () => removeEventListener('popstate', arrived);
  }, []);

  const setRange = useCallback(
    (next: ChartRange): void => {
      leaving.current = 0;
      if (next.kind === 'preset') localStorage.setItem(STORAGE_KEY, next.preset);
      change({ range: next });
    },
    [change],
  );

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
      step: (direction) => {
        const next = stepped(range, view.current, direction, clock.now(), firstWeekday);
        if (next !== null) setRange(next);
      },
      back: () => {
        // The browser goes back asynchronously. It loses a step that is requested before it is done.
        if (stepsBack() <= leaving.current) return;
        leaving.current += 1;
        if (leaving.current === 1) window.history.back();
      },
    }),
    [clock, setRange, range, firstWeekday],
  );
  const { fields, overlay } = address;
  return { range, setRange, fields, overlay, change, actions, view, span, firstWeekday, canGoBack: stepsBack() > 0 };
}
