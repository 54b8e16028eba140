import type { Clock } from '../../common/clock.ts';
import { OwnerError } from '../../common/owner-error.ts';
import type { Caller } from '../caller.ts';

const DAY_MS = 86_400_000;
/** The most entries, and as many photos, that one viewer adds within 24 hours. */
export const MAX_OF_VIEWER_A_DAY = 200;

/** Bounds what a viewer who may log adds: a phone that was lost, or a child, fills neither the log nor the disk. */
export class ViewerBound {
  readonly #clock: Pick<Clock, 'now'>;
  /** When each viewer added something within the last day; a restart forgets it. */
  readonly #added = new Map<string, number[]>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Counts one more. Throws OwnerError `too_many` where there were too many. */
  take({ role, pairing }: Pick<Caller, 'role' | 'pairing'>): void {
    if (role === 'owner' || pairing === null) return;
    const now = this.#clock.now();
    // A clock that was set back counts what it knows as of now.
    const times = (this.#added.get(pairing.id) ?? []).filter((at) => now - at < DAY_MS);
    if (times.length >= MAX_OF_VIEWER_A_DAY)
      throw new OwnerError('too_many', `a viewer adds at most ${MAX_OF_VIEWER_A_DAY} within 24 hours`);
    this.#added.set(pairing.id, [...times, now]);
  }
}
