import { useLocalStorage } from '@mantine/hooks';
import { useRef, useState } from 'react';
import type { ReadingFilter } from '../../../../../shared/owner-api/readings.ts';
import { type PageQuestion, type TimeRange, useReadingsPage } from '../../../../api/queries/readings.ts';
import type { ChartRange } from '../../../../charts/range/chart-range.ts';
import { useDeviceLink } from '../../../../devices/listed.ts';
import { parametersOf } from '../../../../router/parameters.ts';
import { DEFAULT_TABLE, parseTablePreferences, TABLE_KEY } from '../table-preferences.ts';
import { readFilter } from './filter-url.ts';

/** The number of readings on a page of the table. */
const PAGE_SIZE = 500;

/** Returns the table's sort order and columns, which are stored in this browser. */
export function useTablePreferences() {
  return useLocalStorage({
    key: TABLE_KEY,
    defaultValue: DEFAULT_TABLE,
    deserialize: parseTablePreferences,
    getInitialValueInEffect: false,
  });
}

interface Place {
  /** The range, filter and order of the pages. If they change, paging starts again at the first page. */
  readonly of: string;
  /** The start of each page up to the current one. */
  readonly cursors: readonly (string | null)[];
}

/** The range of the charts, and the time range to request from the node. */
interface Charts {
  readonly range: ChartRange;
  readonly query: TimeRange;
}

/** Returns the filtered readings of the charts' range, page by page. */
export function usePagedReadings(id: string, { range, query }: Charts) {
  const [{ sort }] = useTablePreferences();
  const path = useDeviceLink(id);
  // undefined if the address has a filter: its bounds are known once the device's units are loaded.
  const [filter, setFilter] = useState<ReadingFilter | null | undefined>(() =>
    readFilter(parametersOf(path)).field === null ? null : undefined,
  );
  // By time, the whole range is sorted. By any other column, each page of the newest readings is.
  const order = sort.id === 'time' && !sort.desc ? 'ascending' : 'descending';
  const of = JSON.stringify([range, filter, order]);
  const [place, setPlace] = useState<Place>({ of, cursors: [null] });
  const cursors = place.of === of ? place.cursors : [null];
  const question: PageQuestion | null =
    filter === undefined ? null : { ...query, order, filter, cursor: cursors.at(-1)! };
  const page = useReadingsPage(id, question, PAGE_SIZE);
  const known = useRef<{ readonly of: string; readonly total: number } | null>(null);
  const { data, isPlaceholderData } = page;
  if (data?.total != null && !isPlaceholderData) known.current = { of, total: data.total };
  const next = isPlaceholderData ? null : (data?.next ?? null);
  const first = (cursors.length - 1) * PAGE_SIZE;
  // If the last page is exactly full, the node names another page, which is empty.
  const total = known.current?.of === of ? known.current.total : null;
  const hasNext = next !== null && (total === null || first + PAGE_SIZE < total);
  return {
    page,
    range,
    query,
    order,
    /** The index of the page's first reading among all, from 0. */
    first,
    /** The number of readings in the range that pass the filter; null until it is known. */
    total,
    filter: filter ?? null,
    setFilter,
    toNext: hasNext ? () => setPlace({ of, cursors: [...cursors, next] }) : null,
    toPrevious: cursors.length > 1 ? () => setPlace({ of, cursors: cursors.slice(0, -1) }) : null,
  };
}

export type PagedReadings = ReturnType<typeof usePagedReadings>;
