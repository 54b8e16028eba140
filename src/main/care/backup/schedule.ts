import { type BackupState, latestIn, type MadeEntry } from './backup-state.ts';
import { awaitsConfirmation } from './folder-guard.ts';

const HOUR_MS = 3_600_000;
/** After one that failed. */
const RETRY_MS = HOUR_MS;
const CLOCK_SLACK_MS = 60_000;

/** The facts that decide when the next backup is due. `last` is the latest in the planned folder. Unix milliseconds. */
export interface Times extends Pick<BackupState, 'chosen' | 'failure'> {
  readonly last: Pick<MadeEntry, 'at'> | null;
}

/** The first time after one at which the clock shows a time of the day (`HH:MM`), Unix milliseconds. */
export function nextTimeOfDay(timeOfDay: string, after: number): number {
  const [hours, minutes] = timeOfDay.split(':').map(Number);
  const next = new Date(after);
  next.setHours(hours!, minutes!, 0, 0);
  // The day after, by the calendar: a day in which the clock is changed has not 24 hours.
  if (next.getTime() <= after) next.setDate(next.getDate() + 1);
  return next.getTime();
}

/**
 * When the next backup is due: the first such time after the latest one, or after the folder was chosen; one that was missed
 * is due at once, one that failed an hour later. A time that is ahead of the clock, which was set back, counts as now.
 */
export function nextRun(timeOfDay: string, { last, chosen, failure }: Times, now: number): number {
  const since = Math.min(now, Math.max(last?.at ?? 0, chosen?.at ?? 0) || now);
  const next = nextTimeOfDay(timeOfDay, since);
  const failedAt = failure === null || failure.at > now ? 0 : failure.at;
  return failedAt > since ? Math.max(next, failedAt + RETRY_MS) : next;
}

/** Since when there is no new backup though there should be; null where none is expected. */
export function withoutBackupSince({ last, chosen }: Times, now: number): number | null {
  if (chosen === null) return null;
  return Math.min(now, Math.max(last?.at ?? 0, chosen.at));
}

/** The plan by which backups are due; null if none are planned, or if a restored copy waits for its owner's word. */
export function timesOf(state: BackupState, folder: string | null): Times | null {
  if (folder === null || awaitsConfirmation(state, folder)) return null;
  return { last: latestIn(state, folder), chosen: state.chosen, failure: state.failure };
}

/**
 * The change of the state if the clock was set back: times ahead of now become now, as they would delay the next backup
 * until those times come again. null for no change.
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
