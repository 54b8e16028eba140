import type { FieldName } from '../protocol/fields.ts';
import type { DeviceGroup } from './choices.ts';
import type { Cycle, Stage } from './cycles.ts';
import { addDays, dayOf, daysBetween, startOfDay } from './days.ts';
import type { JournalEntry } from './journal.ts';
import { type LogTotal, logTotals } from './log-totals.ts';

/** A stage with its times, in Unix milliseconds: `to` is the first one after it, null if it has no end yet. */
export interface StageSpan {
  readonly stage: Stage;
  readonly from: number;
  readonly to: number | null;
}

/** The stages of a cycle with their times. Each day begins at midnight in the cycle's time zone, also where clocks change. */
export function stageSpans({ stages, zone, endedAt }: Cycle): StageSpan[] {
  const end = endedAt === null ? null : startOfDay(addDays(endedAt, 1), zone);
  const starts = stages.map(({ from }) => startOfDay(from, zone));
  return stages.map((stage, index) => ({ stage, from: starts[index]!, to: starts[index + 1] ?? end }));
}

/** The stage of a cycle at a time (Unix milliseconds); null before the first one and after the end. */
export function stageAt(cycle: Cycle, at: number): Stage | null {
  const today = dayOf(at, cycle.zone);
  if (cycle.endedAt !== null && today > cycle.endedAt) return null;
  return cycle.stages.findLast(({ from }) => from <= today) ?? null;
}

/** The right range of a field in a span of time, in the reference unit. */
export interface RangeSpan {
  readonly field: FieldName;
  readonly low: number | null;
  readonly high: number | null;
  readonly from: number;
  readonly to: number | null;
}

/** The ranges that the stages of cycles set for a device, in all their time. */
export function rangeSpans(cycles: readonly Cycle[], device: string, groups: readonly DeviceGroup[]): RangeSpan[] {
  return cycles
    .filter((cycle) => devicesOf(cycle, groups).includes(device))
    .flatMap((cycle) => stageSpans(cycle))
    .flatMap(({ stage, from, to }) => stage.ranges.map((range) => ({ ...range, from, to })));
}

/** The devices at the place of a cycle. */
export function devicesOf({ place }: Cycle, groups: readonly DeviceGroup[]): readonly string[] {
  if (place.kind === 'device') return [place.device];
  return groups.find(({ id }) => id === place.group)?.devices ?? [];
}

/** How many days ago it was planted, or how long it lasted. */
export function daysOf({ plantedAt, endedAt }: Cycle, today: string): number {
  return daysBetween(plantedAt, endedAt !== null && endedAt < today ? endedAt : today);
}

/** The sums of a cycle's log entries. */
export interface CycleSums {
  readonly harvestKg: number;
  readonly harvestPieces: number;
  readonly waterLitres: number;
  /** By product and unit, the largest number of doses first. */
  readonly doses: readonly { readonly product: string; readonly unit: string; readonly total: number }[];
  readonly entries: readonly JournalEntry[];
}

/** Whether an entry falls into the days of a cycle, at its place or at all places. */
function isIn(cycle: Cycle, { at, device }: JournalEntry, groups: readonly DeviceGroup[]): boolean {
  if (device !== null && !devicesOf(cycle, groups).includes(device)) return false;
  const day = dayOf(at, cycle.zone);
  return day >= cycle.plantedAt && (cycle.endedAt === null || day <= cycle.endedAt);
}

/**
 * Sums up what the log says of a cycle. A harvest counts for the cycle that it names; one that names none, for the only
 * cycle of its place and day.
 */
export function sumsOf(
  cycle: Cycle,
  all: readonly Cycle[],
  log: readonly JournalEntry[],
  groups: readonly DeviceGroup[],
): CycleSums {
  const isOwn = (entry: JournalEntry): boolean => {
    if (entry.act?.kind !== 'harvested') return isIn(cycle, entry, groups);
    if (entry.act.cycle !== undefined) return entry.act.cycle === cycle.id;
    const candidates = all.filter((each) => isIn(each, entry, groups));
    return candidates.length === 1 && candidates[0]!.id === cycle.id;
  };
  const entries = log.filter(isOwn);
  const totals = logTotals(entries);
  const total = (isOne: (each: LogTotal) => boolean) => totals.filter(isOne).reduce((sum, { value }) => sum + value, 0);
  const doses = new Map<string, { product: string; unit: string; total: number }>();
  for (const { product, unit, value } of totals) {
    if (product === undefined) continue;
    const key = `${product} ${unit}`;
    doses.set(key, { product, unit, total: (doses.get(key)?.total ?? 0) + value });
  }
  return {
    harvestKg: total(({ kind, unit }) => kind === 'harvested' && unit === 'kg'),
    harvestPieces: total(({ kind, unit }) => kind === 'harvested' && unit === 'pieces'),
    waterLitres: total(({ kind }) => kind === 'toppedUp' || kind === 'solutionChanged'),
    doses: [...doses.values()],
    entries,
  };
}
