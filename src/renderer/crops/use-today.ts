import { dayOf } from '../../shared/owner-data/days.ts';
import { useFromNow } from '../now.ts';

const LOOK_EVERY_MS = 30_000;

/** The calendar day where the page is, by the node's clock. */
export function useToday(): string {
  return useFromNow(LOOK_EVERY_MS, (now) => dayOf(now));
}
