import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { ToDelete } from '../../care/retention/retention-rules.ts';
import { HOUR_MS } from '../../store/counts.ts';
import type { HoursHeld, StoresView } from '../../store/stores-view.ts';

const DAY_MS = 24 * HOUR_MS;

/** The size of a store's hourly counts of blocks. */
const COUNTS_BYTES_PER_DAY = 500;

/** The measurements from which the growth of a store is estimated. */
export interface GrowthOf {
  readonly store: StoreName;
  readonly held: readonly { readonly id: string; readonly readings: number }[];
  /** The readings that the store received within `windowMs` before `now`. */
  readonly stored: number;
  readonly windowMs: number;
  /** The deletions of readings by the retention rules. */
  readonly toDelete: readonly ToDelete[];
  /** Unix milliseconds. */
  readonly now: number;
}

/** The growth of a store. */
export interface Growth {
  /** Readings received a day. */
  readonly readingsPerDay: number;
  /** Bytes a day: new readings and their sums, less the bytes that retention frees. Never below 0. */
  readonly bytesPerDay: number;
}

/**
 * Returns how fast a store grows, from the readings that it received recently and the share of its rows in the used
 * pages. The size of the file does not tell: it keeps the room of deleted rows.
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
    // The sums of deleted readings stay, in rows that are a little shorter.
    if (row !== undefined) given += row.packed * (readings * row.reading + hours * row.hour) - hours * row.retainedHour;
  }
  const counts = stored > 0 ? COUNTS_BYTES_PER_DAY : 0;
  return { readingsPerDay: stored / days, bytesPerDay: Math.max(0, (taken * stored - given) / days) + counts };
}
