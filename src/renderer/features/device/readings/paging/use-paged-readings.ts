import { useLocalStorage } from '@mantine/hooks';
import { useRef, useState } from 'react';
import type { ReadingFilter } from '../../../../../shared/owner-api/readings.ts';
import { type PageQuestion, type TimeRange, useReadingsPage } from '../../../../api/queries/readings.ts';
import type { ChartRange } from '../../../../charts/range/chart-range.ts';
import { useDeviceLink } from '../../../../devices/listed.ts';
import { parametersOf } from '../../../../router/parameters.ts';
import { DEFAULT_TABLE, parseTablePreferences, TABLE_KEY } from '../table-preferences.ts';
import { readFilter } from './filter-url.ts';

/** Readings of a page of the table. */
const PAGE_SIZE = 500;

/** How the table is sorted and which columns it has, kept in this browser. */
export function useTablePreferences() {
  return useLocalStorage({
    key: TABLE_KEY,
    defaultValue: DEFAULT_TABLE,
    deserialize: parseTablePreferences,
    getInitialValueInEffect: false,
  });
}

interface Place {
  /** The range, filter and order of the pages: with others they begin again. */
  readonly of: string;
  /** Where each page begins, up to the one that is shown. */
  readonly cursors: readonly (string | null)[];
}

/** The range of the charts, and the span that they ask the node for. */
interface Charts {
  readonly range: ChartRange;
  readonly query: TimeRange;
}

/** The readings of the charts' range, page by page, those that pass the filter. */
export function usePagedReadings(id: string, { range, query }: Charts) {
  const [{ sort }] = useTablePreferences();
  const path = useDeviceLink(id);
  // undefined: the address has one, whose bounds are known once the device's units are.
  const [filter, setFilter] = useState<ReadingFilter | null | undefined>(() =>
    readFilter(parametersOf(path)).field === null ? null : undefined,
  );
  // By time the whole range is sorted; by anything else the newest are, page by page.
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
  // A last page that is just full has another one after it, with nothing in it.
  const total = known.current?.of === of ? known.current.total : null;
  const hasNext = next !== null && (total === null || first + PAGE_SIZE < total);
  return {
    page,
    range,
    query,
    order,
    /** The place of the first reading of the page among all, from 0. */
    first,
    /** How many readings pass, in the whole range; null until it is known. */
    total,
    filter: filter ?? null,
    setFilter,
    toNext: hasNext ? () => setPlace({ of, cursors: [...cursors, next] }) : null,
    toPrevious: cursors.length > 1 ? () => setPlace({ of, cursors: cursors.slice(0, -1) }) : null,
  };
}

export type PagedReadings = ReturnType<typeof usePagedReadings>;
