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
  /** Show a dragged stretch; Unix milliseconds. */
  drag(from: number, to: number): void;
  zoom(factor: number): void;
  pan(part: number): void;
  /** To the range before (-1) or after (1), by whole units of what is shown. */
  step(direction: -1 | 1): void;
  /** Back to the range before. */
  back(): void;
}

function lastPreset(): ChartRange {
  const preset = PRESETS.find((each) => each === localStorage.getItem(STORAGE_KEY)) ?? '24h';
  return { kind: 'preset', preset };
}

type Address = ChartAddress<(typeof PRESETS)[number], Overlay>;

/**
 * The range of the charts, kept in the page's address, `path`, with the way back. An address without a range gets the
 * last preset, which is remembered for every page.
 */
export function useChartRange(path: string) {
  const { clock } = useNode();
  const firstWeekday = firstWeekdayOf(useLocale());
  const parameters = useParameters(path);
  const address = useMemo(() => readChartAddress(new URLSearchParams(parameters), NAMES), [parameters]);
  const asked = address.range === undefined ? '' : JSON.stringify(address.range);
  // The same object until another range is chosen: it is what data is asked for by.
  const range = useMemo<ChartRange>(() => (asked === '' ? lastPreset() : JSON.parse(asked)), [asked]);
  /** The span in view, reported by whoever resolves the range. */
  const view = useRef<View>({ from: 0, to: 0 });
  /** The span of the readings, reported by the same. */
  const span = useRef<View | null>(null);
  /** Steps back that were asked for, until the browser has taken them. */
  const leaving = useRef(0);

  const change = useCallback(
    (part: Address, how: 'step' | 'replace' = 'step') =>
      setParameters(path, (before) => writeChartAddress(before, { ...readChartAddress(before, NAMES), ...part }), how),
    [path],
  );
  // Into the address too, so that a link that is copied shows what its sender saw.
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
        // The browser goes back in its own time, and forgets one step where it is asked for another meanwhile.
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
