import { useCallback } from 'react';
import { dayOf } from '../../shared/owner-data/days.ts';
import { useFormat } from '../format/format.ts';
import { useFromNow } from '../now.ts';

const LOOK_EVERY_MS = 30_000;

/** Returns the calendar day in the page's time zone, by the node's clock. */
export function useToday(): string {
  return useFromNow(LOOK_EVERY_MS, (now) => dayOf(now));
}

/** Returns a function that formats a calendar day. Noon is on the same day in every time zone. */
export function useDayText(): (day: string) => string {
  const format = useFormat();
  return useCallback((day) => format.date(new Date(`${day}T12:00:00`).getTime()), [format]);
}
