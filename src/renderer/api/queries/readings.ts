import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input, Output, OwnerApi } from '../../../shared/owner-api/contract.ts';
import type { History, OwnerReading, ReadingFilter } from '../../../shared/owner-api/readings.ts';
import { useNode } from '../node-connection.ts';
import { isBeingForgotten } from '../refresher.ts';
import { queryKeys } from './client.ts';

/** Times in Unix milliseconds, both inclusive; null is unbounded. */
export interface TimeRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** The newest readings of a device, newest first. */
export function useLatestReadings(id: string, limit = 500) {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).latest(id), limit],
    queryFn: async () => (await node.api.call('latestReadings', { id, limit })).readings,
  });
}

/** Which page of a range to look through, and what of it passes. */
export interface PageQuestion extends TimeRange {
  readonly order: 'ascending' | 'descending';
  readonly filter: ReadingFilter | null;
  /** `next` of the page before; null for the first. */
  readonly cursor: string | null;
}

/** One page of the readings of a range; the page before stays until it is there. Of null nothing is asked for. */
export function useReadingsPage(id: string, question: PageQuestion | null, limit: number) {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).latest(id), limit, question],
    queryFn: () => node.api.call('readingsPage', { id, limit, ...question! }),
    enabled: question !== null,
    placeholderData: keepPreviousData,
  });
}

/** A chart's data and the range that it was asked for. */
export interface RangedHistory extends History {
  readonly range: TimeRange;
}

/** How fine a chart can show: points at most, and the milliseconds that each stands for. */
export interface Resolution {
  readonly maxPoints: number;
  readonly pixelMs: number;
}

/**
 * A chart's data over a range; the data of the range before stays until the new one is there. Of no range (null) nothing
 * is asked for. `asSent`: without the corrections of calibrations.
 */
export function useHistory(id: string, range: TimeRange | null, resolution: Resolution, asSent = false) {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).history(id), range?.from ?? null, range?.to ?? null, resolution, asSent],
    queryFn: async (): Promise<RangedHistory> => {
      const { from, to } = range!;
      return {
        ...(await node.api.call('history', { id, from, to, ...resolution, ...(asSent && { asSent }) })),
        range: { from, to },
      };
    },
    enabled: range !== null,
    placeholderData: keepPreviousData,
  });
}

/** Half an hour each, of three days. */
const TREND_POINTS = 144;

/** The course of a device's plain values over a stretch of days; asked for once for each `to`. Of null nothing is asked for. */
export function useTrend(id: string, range: { readonly from: number; readonly to: number } | null) {
  const node = useNode();
  const client = useQueryClient();
  const keys = queryKeys(node);
  return useQuery({
    queryKey: [...keys.trend(id), range?.to ?? null],
    queryFn: () => node.api.call('history', { id, ...range!, maxPoints: TREND_POINTS }),
    enabled: () => range !== null && !isBeingForgotten(client, keys.device(id)),
    placeholderData: keepPreviousData,
  });
}

/** One page of a range of readings. */
export interface ReadingsPage {
  readonly readings: readonly OwnerReading[];
  /** In the whole range. */
  readonly total: number;
}

/**
 * The readings of a device over a range, oldest first unless `order` says otherwise, in pages of `limit`; the next page is
 * fetched while one is worked on. Rejects with ApiError, or with the signal's reason between two pages.
 */
export async function* readingsPages(
  api: Pick<OwnerApi, 'call'>,
  { id, from, to, order }: TimeRange & { readonly id: string; readonly order?: 'ascending' | 'descending' },
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<ReadingsPage, void> {
  const fetchPage = (cursor: string | null) => {
    const page = api.call('readingsPage', { id, from, to, cursor, limit, ...(order && { order }) });
    // A failure is told when its turn comes, not as one that nobody waits for.
    page.catch(() => {});
    return page;
  };
  let total = 0;
  let coming: Promise<Output<'readingsPage'>> | null = fetchPage(null);
  while (coming !== null) {
    const page: Output<'readingsPage'> = await coming;
    signal.throwIfAborted();
    coming = page.next === null ? null : fetchPage(page.next);
    total = page.total ?? total;
    yield { readings: page.readings, total };
    signal.throwIfAborted();
  }
}

const HOUR_MS = 3_600_000;
/** Four months of hours; of more, wider steps. */
const COURSE_POINTS = 3000;
/** How many points a short range has at least. */
const FEWEST_POINTS = 800;

/**
 * The course of a device's values: over weeks and months by the hour, which is read from sums. It is asked for once for each
 * range. Of null nothing is asked for.
 */
export function useCourse(id: string, range: TimeRange | null) {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).trend(id), 'course', range?.from ?? null, range?.to ?? null],
    queryFn: async (): Promise<RangedHistory> => {
      const { from, to } = range!;
      const width = from === null || to === null ? Number.POSITIVE_INFINITY : to - from;
      const pixelMs = Math.min(HOUR_MS, Math.ceil(width / FEWEST_POINTS));
      const input = { id, from, to, maxPoints: COURSE_POINTS, pixelMs };
      return { ...(await node.api.call('history', input)), range: { from, to } };
    },
    enabled: range !== null,
    placeholderData: keepPreviousData,
  });
}

/** Returns a page of the lines of a proof. Rejects with ApiError. */
export function proofPage(api: Pick<OwnerApi, 'call'>, input: Input<'proofPage'>): Promise<Output<'proofPage'>> {
  return api.call('proofPage', input);
}

/** Returns how many readings of a device a stretch has. Times in ms. */
export async function countReadings(
  api: Pick<OwnerApi, 'call'>,
  { id, from, to }: { readonly id: string; readonly from: number | null; readonly to: number | null },
): Promise<number> {
  return (await api.call('readingsPage', { id, from, to, cursor: null, limit: 1 })).total ?? 0;
}
