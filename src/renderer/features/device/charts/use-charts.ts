import { useMemo, useRef } from 'react';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { useNode } from '../../../api/node-connection.ts';
import { useHistory } from '../../../api/queries/readings.ts';
import { useWidth } from '../../../charts/drawing/use-width.ts';
import { isAskedFor, resolveRange, tickMs } from '../../../charts/range/chart-range.ts';
import { overlayRange } from '../../../charts/range/overlay.ts';
import { useChartRange } from '../../../charts/range/use-chart-range.ts';
import { useNow } from '../../../now.ts';
import { useOpenedHistory } from '../../../opening/use-opened-history.ts';
import { linkTo } from '../../../router/router.ts';

/** A point a pixel is enough; in steps, so that resizing the window does not query again at every pixel. */
const POINTS_STEP = 100;
const FEWEST_POINTS = 400;
const MOST_POINTS = 1000;

/** Points for a chart in a section `width` CSS pixels wide; its columns are those of the style sheet. */
function pointsFor(width: number): number {
  const columns = width >= 1600 ? 3 : width > 560 ? 2 : 1;
  return Math.min(MOST_POINTS, Math.max(FEWEST_POINTS, Math.floor(width / columns / POINTS_STEP) * POINTS_STEP));
}

/**
 * What the charts show, and its data. Needs no device yet, so that both are asked for at once; `ref` belongs to the
 * element that the charts fill.
 */
export function useCharts(id: string, device: DeviceDetail | undefined) {
  const { clock } = useNode();
  const chosen = useChartRange(linkTo({ page: 'device', id }));
  const { range, overlay, view: inView, span: inAll } = chosen;
  const { ref, width } = useWidth();
  // The view moves along by about a pixel, and with each new reading: a year needs no redrawing every second.
  const tick = useNow(tickMs(range));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tick and the reading tell when to look at the time
  const now = useMemo(clock.now, [clock, tick, range, device?.lastReceivedAt]);
  const { view, query } = resolveRange(range, now, device?.span ?? null, chosen.firstWeekday);
  inView.current = view;
  inAll.current = device?.span ?? null;
  const history = useHistory(id, query, pointsFor(width));
  const asked = useRef(query);
  if (!history.isPlaceholderData) asked.current = query;
  const { from } = asked.current;
  // What was asked for as it is in view is counted whole, its first step too, which begins before.
  const start = from === null || from === view.from ? 0 : view.from;
  const isOfView = !history.isPlaceholderData || isAskedFor(asked.current, view);
  const counted = isOfView ? { from: start, to: view.to } : null;
  const opened = useOpenedHistory(device, history.data, history.isPlaceholderData, range);
  const before = overlay === undefined ? null : overlayRange(overlay, query, view);
  const earlier = useHistory(id, before, pointsFor(width));
  const isEarlier = before !== null && !earlier.isPlaceholderData;
  const openedEarlier = useOpenedHistory(
    device,
    isEarlier ? earlier.data : undefined,
    false,
    `${overlay} ${query.from}`,
  );
  return {
    ...chosen,
    view,
    inView,
    query,
    history,
    counted,
    opened,
    earlier: before === null || overlay === undefined ? null : { overlay, history: openedEarlier.history },
    ref,
  };
}
