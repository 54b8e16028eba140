import { useCallback } from 'react';
import { dayOf } from '../../shared/owner-data/days.ts';
import { useFormat } from '../format/format.ts';
import { useFromNow } from '../now.ts';

const LOOK_EVERY_MS = 30_000;

/** The calendar day where the page is, by the node's clock. */
export function useToday(): string {
  return useFromNow(LOOK_EVERY_MS, (now) => dayOf(now));
}

/** Gives a calendar day in words. Noon is on that day in every time zone of the machine. */
export function useDayText(): (day: string) => string {
  const format = useFormat();
  return useCallback((day) => format.date(new Date(`${day}T12:00:00`).getTime()), [format]);
}
