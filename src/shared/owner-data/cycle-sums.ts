import type { DeviceGroup } from './choices.ts';
import { devicesOf } from './cycle-states.ts';
import type { Cycle } from './cycles.ts';
import { type Day, dayOf } from './days.ts';
import type { JournalEntry } from './journal.ts';
import { type LogTotal, logTotals } from './log-totals.ts';

/** The sums of log entries. */
export interface LogSums {
  readonly harvestKg: number;
  readonly harvestPieces: number;
  readonly waterLitres: number;
  /** By product and unit, in the order of their first entries. */
  readonly doses: readonly { readonly product: string; readonly unit: string; readonly total: number }[];
}

/** The log entries of a cycle with their sums. */
export interface CycleSums extends LogSums {
  readonly entries: readonly JournalEntry[];
  /** The entries whose amounts count for this cycle. */
  readonly counted: readonly JournalEntry[];
}

/**
 * Returns whether an entry without a device concerns a device: it is of all devices, or of a whole group that has this
 * one. An entry of a cycle that no longer exists counts as of all devices. Entries with a device always count.
 */
export function concerns(
  device: string,
  entry: JournalEntry,
  cycles: readonly Cycle[],
  groups: readonly DeviceGroup[],
): boolean {
  const cycle = entry.device === null ? cycles.find(({ id }) => id === entry.act?.cycle) : undefined;
  return cycle === undefined || devicesOf(cycle, groups).includes(device);
}

/** Returns whether an entry is within the days of a cycle, at its place or at all places. */
function isIn(cycle: Cycle, { at, device }: JournalEntry, groups: readonly DeviceGroup[]): boolean {
  if (device !== null && !devicesOf(cycle, groups).includes(device)) return false;
  const day = dayOf(at, cycle.zone);
  return day >= cycle.plantedAt && (cycle.endedAt === null || day <= cycle.endedAt);
}

/**
 * Sums up the log entries of a cycle. An entry that names a cycle counts for that one. A harvest that names none, and an
 * amount of all devices, count for the only cycle of their place and day: otherwise they would count several times.
 */
export function sumsOf(
  cycle: Cycle,
  all: readonly Cycle[],
  log: readonly JournalEntry[],
  groups: readonly DeviceGroup[],
): CycleSums {
  const isOwn = (entry: JournalEntry): boolean => {
    if (entry.act?.cycle !== undefined) return entry.act.cycle === cycle.id;
    if (!isIn(cycle, entry, groups)) return false;
    return entry.act?.kind !== 'harvested' || isOfOne(entry);
  };
  const isOfOne = (entry: JournalEntry) => all.filter((each) => isIn(each, entry, groups)).length === 1;
  // A stage of a group has one entry for each of its devices.
  const stages = new Set<string>();
  const isFirst = ({ at, text, act }: JournalEntry): boolean => {
    if (act?.kind !== 'stageChanged') return true;
    const key = `${at} ${text}`;
    return !stages.has(key) && stages.add(key) !== undefined;
  };
  const entries = log.filter(isOwn).filter(isFirst);
  const counted = entries.filter((entry) => entry.device !== null || entry.act?.cycle !== undefined || isOfOne(entry));
  return { ...sumsOfEntries(counted), entries, counted };
}

function sumsOfEntries(entries: readonly JournalEntry[]): LogSums {
  const totals = logTotals(entries);
  const exact = (value: number) => Number(value.toPrecision(12));
  const total = (isOne: (each: LogTotal) => boolean) =>
    exact(totals.filter(isOne).reduce((sum, { value }) => sum + value, 0));
  const doses = new Map<string, { product: string; unit: string; total: number }>();
  for (const { product, unit, value } of totals) {
    if (product === undefined) continue;
    const key = JSON.stringify([product, unit]);
    doses.set(key, { product, unit, total: exact((doses.get(key)?.total ?? 0) + value) });
  }
  return {
    harvestKg: total(({ kind, unit }) => kind === 'harvested' && unit === 'kg'),
    harvestPieces: total(({ kind, unit }) => kind === 'harvested' && unit === 'pieces'),
    waterLitres: total(({ kind }) => kind === 'toppedUp' || kind === 'solutionChanged'),
    doses: [...doses.values()],
  };
}

/** The sums of a month of the calendar. */
export interface MonthSums extends LogSums {
  /** Its first day. */
  readonly month: Day;
}

/** Sums up entries by calendar month in a time zone. Months without any amount are left out. */
export function sumsByMonth(entries: readonly JournalEntry[], zone: string): MonthSums[] {
  const months = Map.groupBy(
    entries.filter(({ act }) => act?.amount !== undefined),
    ({ at }) => `${dayOf(at, zone).slice(0, 7)}-01`,
  );
  return [...months]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([month, list]) => ({ month, ...sumsOfEntries(list) }));
}
