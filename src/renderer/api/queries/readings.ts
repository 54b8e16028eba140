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

/** Queries the newest readings of a device, newest first. */
export function useLatestReadings(id: string, limit = 500) {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).latest(id), limit],
    queryFn: async () => (await node.api.call('latestReadings', { id, limit })).readings,
  });
}

/** A page of a range, with an order and a filter. */
export interface PageQuestion extends TimeRange {
  readonly order: 'ascending' | 'descending';
  readonly filter: ReadingFilter | null;
  /** `next` of the previous page; null for the first page. */
  readonly cursor: string | null;
}

/**
 * Queries one page of the readings of a range. The previous page stays until it is loaded. Does nothing if `question`
 * is null.
 */
export function useReadingsPage(id: string, question: PageQuestion | null, limit: number) {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).latest(id), limit, question],
    queryFn: () => node.api.call('readingsPage', { id, limit, ...question! }),
    enabled: question !== null,
    placeholderData: keepPreviousData,
  });
}

/** The data of a chart and the requested range. */
export interface RangedHistory extends History {
  readonly range: TimeRange;
}

/** The resolution of a chart: the most points that it can show, and the milliseconds of one pixel. */
export interface Resolution {
  readonly maxPoints: number;
  readonly pixelMs: number;
}

/**
 * Queries the data of a chart over a range. The data of the previous range stays until the new one is loaded. Does
 * nothing if `range` is null. `asSent`: without the corrections of calibrations.
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

/** One point for each half hour of three days. */
const TREND_POINTS = 144;

/**
 * Queries the course of a device's plain values over some days, once for each `to`. Does nothing if `range` is null.
 */
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
  /** The number of readings in the whole range. */
  readonly total: number;
}

/**
 * Yields the readings of a device over a range in pages of `limit`, oldest first unless `order` says otherwise. The
 * next page is fetched while the caller works on one. Rejects with ApiError, or between two pages with the signal's
 * reason.
 */
export async function* readingsPages(
  api: Pick<OwnerApi, 'call'>,
  { id, from, to, order }: TimeRange & { readonly id: string; readonly order?: 'ascending' | 'descending' },
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<ReadingsPage, void> {
  const fetchPage = (cursor: string | null) => {
    const page = api.call('readingsPage', { id, from, to, cursor, limit, ...(order && { order }) });
    // A failure is thrown when the page is awaited. Until then it must not count as an unhandled rejection.
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
/** The hours of four months. A longer range has wider steps. */
const COURSE_POINTS = 3000;
/** The fewest points of a short range. */
const FEWEST_POINTS = 800;

/**
 * Queries the course of a device's values, once for each range. Over weeks and months it has a point per hour, which
 * the node reads from its sums. Does nothing if `range` is null.
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

/** Returns how many readings of a device a range has. Times in Unix milliseconds. */
export async function countReadings(
  api: Pick<OwnerApi, 'call'>,
  { id, from, to }: { readonly id: string; readonly from: number | null; readonly to: number | null },
): Promise<number> {
  return (await api.call('readingsPage', { id, from, to, cursor: null, limit: 1 })).total ?? 0;
}
