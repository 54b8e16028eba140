import type { NamedBackup } from './backup-names.ts';

/** The retention of backups: the newest of each of the last days, weeks and months that have one. */
export interface Keep {
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

/** Backups from before a migration or an upgrade are for a quick rollback and are counted separately. */
const KEPT_BEFORE_CHANGES = 3;
const DAY_MS = 86_400_000;
/** 1970-01-05, a Monday. */
const FIRST_MONDAY = 4;

/**
 * Returns the backups of one node that may be deleted. Only their own times count, so a wrong clock never deletes a
 * backup without another in its place. The newest always stays.
 */
export function superfluous(backups: readonly NamedBackup[], { daily, weekly, monthly }: Keep): NamedBackup[] {
  const newestFirst = [...backups].sort((a, b) => b.madeAt - a.madeAt || b.place - a.place);
  const regular = newestFirst.filter(({ isBefore }) => !isBefore);
  const kept = new Set([
    ...regular.slice(0, 1),
    ...newestOfEach(regular, daily, localDay),
    ...newestOfEach(regular, weekly, (at) => Math.floor((localDay(at) - FIRST_MONDAY) / 7)),
    ...newestOfEach(regular, monthly, localMonth),
    ...newestFirst.filter(({ isBefore }) => isBefore).slice(0, KEPT_BEFORE_CHANGES),
  ]);
  return newestFirst.filter((backup) => !kept.has(backup));
}

/** Returns the newest of each of the first `count` periods that have one. */
function newestOfEach(
  newestFirst: readonly NamedBackup[],
  count: number,
  periodOf: (at: number) => number,
): NamedBackup[] {
  const found = new Map<number, NamedBackup>();
  for (const backup of newestFirst) {
    const period = periodOf(backup.madeAt);
    if (!found.has(period)) found.set(period, backup);
  }
  return [...found.values()].slice(0, count);
}

/** Returns the days since 1970 in the node's time zone. */
function localDay(at: number): number {
  const date = new Date(at);
  return Math.floor(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS);
}

function localMonth(at: number): number {
  const date = new Date(at);
  return date.getFullYear() * 12 + date.getMonth();
}
