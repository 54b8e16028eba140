import type { Overview } from '../../../shared/owner-api/overview.ts';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import type { Host } from '../host.ts';

/** The interval of reads, since a device's silence causes no event. */
const LOOK_EVERY_MS = 10_000;
/** The delay after an event: readings may be many, and the tray need not be updated for each. */
const LOOK_AFTER_EVENT_MS = 2000;

/**
 * Reads the overview regularly, for everything that the app shows outside its page; null if no node runs. Returns a
 * function that ends this.
 */
export function watchOverview(host: Host, onOverview: (overview: Overview | null) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const plan = (ms: number) => {
    clearTimeout(timer);
    if (!isEnded) timer = setTimeout(look, ms);
  };
  let isPlannedSoon = false;
  const planSoon = (ms = LOOK_AFTER_EVENT_MS) => {
    if (isPlannedSoon) return;
    isPlannedSoon = true;
    plan(ms);
  };
  const look = async () => {
    isPlannedSoon = false;
    const answer = await host.call('overview', { dayStart: new Date(SYSTEM_CLOCK.now()).setHours(0, 0, 0, 0) });
    if (isEnded) return;
    onOverview(answer.ok ? answer.value : null);
    if (!isPlannedSoon) plan(LOOK_EVERY_MS);
  };
  const ends = [host.listen(() => planSoon()), host.onState(() => planSoon(0))];
  planSoon(0);
  return () => {
    isEnded = true;
    clearTimeout(timer);
    for (const end of ends) end();
  };
}
