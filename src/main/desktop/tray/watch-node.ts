import type { Overview } from '../../../shared/owner-api/overview.ts';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import type { Host } from '../host.ts';

/** Silence comes without an event. */
const LOOK_EVERY_MS = 10_000;
/** Readings come in any number; the tray need not know each at once. */
const LOOK_AFTER_EVENT_MS = 2000;

/**
 * Looks at the overview from time to time, for what the app says outside its page: null where no node runs. Returns what
 * ends it.
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
