import { useCallback } from 'react';
import { useFormat } from '../format/format.ts';

/** Gives a calendar day in words. Noon is on that day in every time zone of the machine. */
export function useDayText(): (day: string) => string {
  const format = useFormat();
  return useCallback((day) => format.date(new Date(`${day}T12:00:00`).getTime()), [format]);
}
