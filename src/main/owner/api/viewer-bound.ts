import type { Clock } from '../../common/clock.ts';
import { OwnerError } from '../../common/owner-error.ts';
import type { Caller } from '../caller.ts';

const DAY_MS = 86_400_000;
/** The most entries that one viewer adds within 24 hours; the same for photos. */
export const MAX_OF_VIEWER_A_DAY = 200;

/** Bounds the additions of a viewer who may log, so that a lost phone or a child can't fill the log or the disk. */
export class ViewerBound {
  readonly #clock: Pick<Clock, 'now'>;
  /** The times of each viewer's additions within the last day. A restart forgets them. */
  readonly #added = new Map<string, number[]>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Counts one more addition. Throws OwnerError `too_many` if the limit is reached. */
  take({ role, pairing }: Pick<Caller, 'role' | 'pairing'>): void {
    if (role === 'owner' || pairing === null) return;
    const now = this.#clock.now();
    // If the clock was set back, later times count as now.
    const times = (this.#added.get(pairing.id) ?? []).filter((at) => now - at < DAY_MS);
    if (times.length >= MAX_OF_VIEWER_A_DAY)
      throw new OwnerError('too_many', `a viewer adds at most ${MAX_OF_VIEWER_A_DAY} within 24 hours`);
    this.#added.set(pairing.id, [...times, now]);
  }
}
