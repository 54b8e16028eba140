import { useMemo, useRef, useState } from 'react';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { useNode } from '../../../api/node-connection.ts';
import { useHistory } from '../../../api/queries/readings.ts';
import { pointsIn, useWidth } from '../../../charts/drawing/use-width.ts';
import { isAskedFor, pixelMs, resolveRange, tickMs } from '../../../charts/range/chart-range.ts';
import { overlayRange } from '../../../charts/range/overlay.ts';
import { useChartRange } from '../../../charts/range/use-chart-range.ts';
import { useDeviceLink } from '../../../devices/listed.ts';
import { useNow } from '../../../now.ts';
import { useOpenedHistory } from '../../../opening/use-opened-history.ts';

/** Columns of charts in a section `width` CSS pixels wide: those of the style sheet. */
function columnsIn(width: number): number {
  return width >= 1600 ? 3 : width > 560 ? 2 : 1;
}

/**
 * The range of the charts, and its data. Needs no device yet, so that both are asked for at once; `ref` belongs to the
 * element that the charts fill.
 */
export function useCharts(id: string, device: DeviceDetail | undefined) {
  const { clock } = useNode();
  const chosen = useChartRange(useDeviceLink(id));
  const { range, overlay, view: inView, span: inAll } = chosen;
  const { ref, width } = useWidth();
  const [isAsSent, setAsSent] = useState(false);
  // The view moves along by about a pixel, and with each new reading: a year needs no redrawing every second.
  const tick = useNow(tickMs(range));
  const newest = device?.lastReceivedAt ?? 0;
  // A guess of the node's clock may be a little behind what the node received.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tick and the reading tell when to look at the time
  const now = useMemo(() => Math.max(clock.now(), newest), [clock, tick, range, newest]);
  const { view, query } = resolveRange(range, now, device?.span ?? null, chosen.firstWeekday);
  inView.current = view;
  inAll.current = device?.span ?? null;
  const maxPoints = pointsIn(width / columnsIn(width));
  const resolution = { maxPoints, pixelMs: pixelMs(view, maxPoints) };
  const history = useHistory(id, query, resolution, isAsSent);
  const asked = useRef(query);
  if (!history.isPlaceholderData) asked.current = query;
  const { from, to } = asked.current;
  // What was asked for as it is in view is counted whole, its first step too, which begins before, and what is of a clock
  // that runs ahead: the table lists it.
  const start = from === null || from === view.from ? 0 : view.from;
  const isOfView = !history.isPlaceholderData || isAskedFor(asked.current, view);
  const counted = isOfView ? { from: start, to: to ?? Number.POSITIVE_INFINITY } : null;
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
