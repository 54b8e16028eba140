import { useMemo, useRef, useState } from 'react';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { useNode } from '../../../api/node-connection.ts';
import { useHistory } from '../../../api/queries/readings.ts';
import { pointsIn, useWidth } from '../../../charts/drawing/use-width.ts';
import { isAskedFor, pixelMs, resolveRange, tickMs } from '../../../charts/range/chart-range.ts';
import { overlayRange } from '../../../charts/range/overlay.ts';
import { useChartRange } from '../../../charts/range/use-chart-range.ts';
import { textScale, USUAL_TEXT, useSmallScreen } from '../../../components/browser/small-screen.ts';
import { useDeviceLink } from '../../../devices/listed.ts';
import { useNow } from '../../../now.ts';
import { useOpenedHistory } from '../../../opening/use-opened-history.ts';

/** Returns the number of chart columns in a section of `width` CSS pixels. It must match the style sheet. */
function columnsIn(width: number): number {
  return width >= 1600 ? 3 : width > 560 ? 2 : 1;
}

/** The width of the list of devices next to the page, in CSS pixels. It must match the list's style sheet. */
function listWidth(): number {
  const rem = USUAL_TEXT * textScale();
  return Math.min(Math.max(11.25 * rem, 0.15 * window.innerWidth), 14.375 * rem);
}

/**
 * Returns the range of the charts and its data. It does not need the device, so that both are requested at the same
 * time. `ref` belongs to the element that contains the charts.
 */
export function useCharts(id: string, device: DeviceDetail | undefined) {
  const { clock } = useNode();
  const chosen = useChartRange(useDeviceLink(id));
  const { range, overlay, view: inView, span: inAll } = chosen;
  const { ref, width } = useWidth(useSmallScreen() ? undefined : listWidth);
  const [isAsSent, setAsSent] = useState(false);
  // The view moves by about one pixel at a time, and with each new reading: a year needs no redraw every second.
  const tick = useNow(tickMs(range));
  const newest = device?.lastReceivedAt ?? 0;
  // The page only estimates the node's clock, so its time may be slightly before the newest reading.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tick and the reading tell when to look at the time
  const now = useMemo(() => Math.max(clock.now(), newest), [clock, tick, range, newest]);
  const { view: resolved, query } = resolveRange(range, now, device?.span ?? null, chosen.firstWeekday);
  // The same object until it moves: the table of days sums up by it.
  const view = useMemo(() => ({ from: resolved.from, to: resolved.to }), [resolved.from, resolved.to]);
  inView.current = view;
  inAll.current = device?.span ?? null;
  const maxPoints = pointsIn(width / columnsIn(width));
  const resolution = { maxPoints, pixelMs: pixelMs(view, maxPoints) };
  const history = useHistory(id, query, resolution, isAsSent);
  const asked = useRef(query);
  if (!history.isPlaceholderData) asked.current = query;
  const { from, to } = asked.current;
  // Data requested for exactly this view counts as a whole: also the first step, which begins before the view, and
  // readings of a clock that runs ahead. The table lists these too.
  const start = from === null || from === view.from ? 0 : view.from;
  const isOfView = !history.isPlaceholderData || isAskedFor(asked.current, view);
  // The same object until it changes, as for the view: each chart renders when it does.
  const counted = useMemo(
    () => (isOfView ? { from: start, to: to ?? Number.POSITIVE_INFINITY } : null),
    [isOfView, start, to],
  );
  const opened = useOpenedHistory(device, history.data, history.isPlaceholderData, range, isAsSent);
  const before = overlay === undefined ? null : overlayRange(overlay, query, view);
  const earlier = useHistory(id, before, resolution, isAsSent);
  const isEarlier = before !== null && !earlier.isPlaceholderData;
  const openedEarlier = useOpenedHistory(
    device,
    isEarlier ? earlier.data : undefined,
    false,
    `${overlay} ${query.from}`,
    isAsSent,
  );
  return {
    ...chosen,
    ...{ isAsSent, setAsSent },
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
