import { type BackupState, latestIn, type MadeEntry } from './backup-state.ts';
import { awaitsConfirmation } from './folder-guard.ts';

const HOUR_MS = 3_600_000;
/** The delay after a failed backup. */
const RETRY_MS = HOUR_MS;
const CLOCK_SLACK_MS = 60_000;

/** The times that determine the next backup, in Unix milliseconds. `last` is the latest in the planned folder. */
export interface Times extends Pick<BackupState, 'chosen' | 'failure'> {
  readonly last: Pick<MadeEntry, 'at'> | null;
}

/** Returns the first time after `after` at which the local clock shows `HH:MM`; Unix milliseconds. */
export function nextTimeOfDay(timeOfDay: string, after: number): number {
  const [hours, minutes] = timeOfDay.split(':').map(Number);
  const next = new Date(after);
  next.setHours(hours!, minutes!, 0, 0);
  // The next day by the calendar, since a day with a clock change does not have 24 hours.
  if (next.getTime() <= after) next.setDate(next.getDate() + 1);
  return next.getTime();
}

/**
 * Returns the time of the next backup: the first occurrence of the time of day after the latest backup or after the
 * choice of the folder. A missed one is due at once, a failed one an hour later. A time in the future (the clock was
 * set back) counts as now.
 */
export function nextRun(timeOfDay: string, { last, chosen, failure }: Times, now: number): number {
  const since = Math.min(now, Math.max(last?.at ?? 0, chosen?.at ?? 0) || now);
  const next = nextTimeOfDay(timeOfDay, since);
  const failedAt = failure === null || failure.at > now ? 0 : failure.at;
  return failedAt > since ? Math.max(next, failedAt + RETRY_MS) : next;
}

/** Returns the time since which a backup is missing; null if no backup is expected. */
export function withoutBackupSince({ last, chosen }: Times, now: number): number | null {
  if (chosen === null) return null;
  return Math.min(now, Math.max(last?.at ?? 0, chosen.at));
}

/**
 * Returns the times for the schedule; null if no backups are planned, or if a restored copy waits for its owner's
 * confirmation.
 */
export function timesOf(state: BackupState, folder: string | null): Times | null {
  if (folder === null || awaitsConfirmation(state, folder)) return null;
  return { last: latestIn(state, folder), chosen: state.chosen, failure: state.failure };
}

/**
 * Returns the change of the state after the clock was set back, or null. Future times become now, since they would
 * delay the next backup until then.
 */
export function timesNotAhead({ folders, chosen, failure }: BackupState, now: number): Partial<BackupState> | null {
  const isAhead = (at: number | undefined) => at !== undefined && at > now + CLOCK_SLACK_MS;
  const times = [chosen?.at, failure?.at, ...folders.flatMap(({ made }) => made.map(({ at }) => at))];
  if (!times.some(isAhead)) return null;
  const notAhead = <T extends { readonly at: number }>(each: T): T => (isAhead(each.at) ? { ...each, at: now } : each);
  return {
    chosen: chosen && notAhead(chosen),
    failure: failure && notAhead(failure),
    folders: folders.map((folder) => ({ ...folder, made: folder.made.map(notAhead) })),
  };
}
