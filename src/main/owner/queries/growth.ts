import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { ToDelete } from '../../care/retention/retention-rules.ts';
import { HOUR_MS, type HoursHeld, type StoresView } from '../../store/port.ts';

const DAY_MS = 24 * HOUR_MS;

/** The facts that a store notes about blocks by the hour. */
const COUNTS_BYTES_PER_DAY = 500;

/** The measurements from which the growth of a store is estimated. */
export interface GrowthOf {
  readonly store: StoreName;
  readonly held: readonly { readonly id: string; readonly readings: number }[];
  /** Readings that the store took in within `windowMs` before `now`. */
  readonly stored: number;
  readonly windowMs: number;
  /** Deletes readings by the rules of retention. */
  readonly toDelete: readonly ToDelete[];
  /** Unix milliseconds. */
  readonly now: number;
}

/** How fast a store grows. */
export interface Growth {
  /** Readings taken in a day. */
  readonly readingsPerDay: number;
  /** Bytes a day: what new readings and their sums take, less what retention gives back. Never below 0. */
  readonly bytesPerDay: number;
}

/**
 * How fast a store grows, by what it took in of late and what its rows take of the used pages. The file says nothing of it:
 * it keeps the room of what was deleted.
 */
export async function growthOf(
  stores: StoresView,
  { store, held, stored, windowMs, toDelete, now }: GrowthOf,
): Promise<Growth> {
  const bytes = await stores.rowBytes(store, held);
  const hoursOf = (id: string, from: number, to: number) =>
    stores.hoursHeld(store, id, Math.floor(from / HOUR_MS), Math.floor(to / HOUR_MS));
  const recent: { id: string; hours: HoursHeld }[] = [];
  for (const { id } of held) recent.push({ id, hours: await hoursOf(id, now - windowMs, now) });
  const first = Math.min(...recent.map(({ hours }) => hours.firstHour ?? Number.POSITIVE_INFINITY));
  // A node that is younger than the window has had less time.
  const spanMs = Number.isFinite(first) ? Math.min(windowMs, Math.max(HOUR_MS, now - first * HOUR_MS)) : windowMs;
  const days = spanMs / DAY_MS;
  const measured = recent.reduce((sum, { hours }) => sum + hours.readings, 0);
  const shares =
    measured > 0
      ? recent.map(({ id, hours }) => ({ id, readings: hours.readings, hours: hours.hours }))
      : held.map(({ id, readings }) => ({ id, readings, hours: 0 }));
  const total = shares.reduce((sum, { readings }) => sum + readings, 0);
  const taken = shares.reduce((sum, { id, readings, hours }) => {
    const row = bytes.get(id);
    return row === undefined || total === 0
      ? sum
      : sum + (readings * (row.reading + row.leaf) + hours * row.hour) / total;
  }, 0);
  let given = 0;
  for (const { id, before } of toDelete) {
    const row = bytes.get(id);
    const { readings, hours } = await hoursOf(id, before, before + spanMs);
    // Their sums stay, in rows that are a little shorter.
    if (row !== undefined) given += row.packed * (readings * row.reading + hours * row.hour) - hours * row.retainedHour;
  }
  const counts = stored > 0 ? COUNTS_BYTES_PER_DAY : 0;
  return { readingsPerDay: stored / days, bytesPerDay: Math.max(0, (taken * stored - given) / days) + counts };
}
