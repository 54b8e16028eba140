import type { AnyField } from '../measures/derived.ts';
import type { DeviceGroup } from './choices.ts';
import type { Cycle, Stage, StageRange } from './cycles.ts';
import { type DayTimes, daysAndNights } from './day-times.ts';
import { addDays, type Day, dayOf, daysBetween, startOfDay } from './days.ts';

/** A stage with its times in Unix milliseconds. `to` is the first moment after it; null if it has no end yet. */
export interface StageSpan {
  readonly stage: Stage;
  readonly from: number;
  readonly to: number | null;
}

/**
 * Returns the stages of a cycle with their times. Each day starts at midnight in the cycle's time zone, also if clocks
 * change.
 */
export function stageSpans({ stages, zone, endedAt }: Cycle): StageSpan[] {
  const end = endedAt === null ? null : startOfDay(addDays(endedAt, 1), zone);
  const starts = stages.map(({ from }) => startOfDay(from, zone));
  return stages.map((stage, index) => ({ stage, from: starts[index]!, to: starts[index + 1] ?? end }));
}

/** Returns the stage of a cycle at a time (Unix milliseconds); null before the first one and after the end. */
export function stageAt(cycle: Cycle, at: number): Stage | null {
  const today = dayOf(at, cycle.zone);
  if (cycle.endedAt !== null && today > cycle.endedAt) return null;
  return cycle.stages.findLast(({ from }) => from <= today) ?? null;
}

/** The right range of a field in a span of time, in the reference unit. */
export interface RangeSpan {
  readonly field: AnyField;
  readonly low: number | null;
  readonly high: number | null;
  readonly from: number;
  readonly to: number | null;
}

/** Day and night at a device, and the present time in Unix milliseconds. */
export interface DayAndNow {
  /** Returns what counts as day, by hours of a time zone. */
  readonly dayIn: (zone: string) => DayTimes;
  readonly now: number;
}

/** How far ahead ranges of day and night are worked out. A page that stays open longer has to be opened again. */
const AHEAD_MS = 60 * 86_400_000;

/** Returns the ranges that the stages of cycles set for a device, for all time. */
export function rangeSpans(
  cycles: readonly Cycle[],
  device: string,
  groups: readonly DeviceGroup[],
  day: DayAndNow,
): RangeSpan[] {
  return cycles
    .filter((cycle) => devicesOf(cycle, groups).includes(device))
    .flatMap((cycle) => stageSpans(cycle).flatMap((span) => rangesIn(span, cycle.zone, day)));
}

/** Returns the ranges of a stage with their times. A range that differs by night changes at each dawn and dusk. */
export function rangesIn({ stage, from, to }: StageSpan, zone: string, { dayIn, now }: DayAndNow): RangeSpan[] {
  const until = Math.min(to ?? Infinity, now + AHEAD_MS);
  const parts = stage.ranges.some(({ night }) => night !== undefined)
    ? daysAndNights(dayIn(zone), { from, to: until })
    : [];
  return stage.ranges.flatMap((range): RangeSpan[] =>
    range.night === undefined
      ? [{ ...range, from, to }]
      : parts.map((part) => ({ ...rangeBy(range, part.isDay), from: part.from, to: part.to })),
  );
}

/** Returns the range by day or by night. */
export function rangeBy({ field, low, high, night }: StageRange, isDay: boolean): Omit<StageRange, 'night'> {
  return isDay || night === undefined ? { field, low, high } : { field, ...night };
}

/** Returns whether a stage of some cycle has ranges that differ by night. */
export function haveNights(cycles: readonly Cycle[]): boolean {
  return cycles.some(({ stages }) => stages.some(({ ranges }) => ranges.some(({ night }) => night !== undefined)));
}

/** Returns the devices at the place of a cycle. */
export function devicesOf({ place }: Cycle, groups: readonly DeviceGroup[]): readonly string[] {
  if (place.kind === 'device') return [place.device];
  return groups.find(({ id }) => id === place.group)?.devices ?? [];
}

/** Returns how many days ago it was planted, or how many days it lasted. */
export function daysOf({ plantedAt, endedAt }: Cycle, today: string): number {
  return daysBetween(plantedAt, endedAt !== null && endedAt < today ? endedAt : today);
}

/** Returns the time from planting to the end, or until now, in Unix milliseconds. */
export function spanOfCycle(
  { plantedAt, endedAt, zone }: Cycle,
  now: number,
): { readonly from: number; readonly to: number } {
  const from = startOfDay(plantedAt, zone);
  const end = endedAt === null ? now : Math.min(now, startOfDay(addDays(endedAt, 1), zone));
  return { from, to: Math.max(end, from + 1) };
}

/** Returns how many days each stage lasted, or has lasted until today; null for a stage that has not started. */
export function stageDays({ stages, endedAt, zone }: Cycle, now: number): (number | null)[] {
  const today = dayOf(now, zone);
  const end = addDays(endedAt !== null && endedAt < today ? endedAt : today, 1);
  return stages.map(({ from }, index) => {
    if (from > today) return null;
    const next = stages[index + 1]?.from ?? end;
    return daysBetween(from, next < end ? next : end);
  });
}

/**
 * Returns a function that converts a time (Unix milliseconds) to days since planting: 0 is the midnight at the start of
 * the day of planting, 12.5 is the middle of the 13th day. A day counts as one, also if clocks change in it.
 */
export function daysSincePlanting({ plantedAt, zone }: Pick<Cycle, 'plantedAt' | 'zone'>): (at: number) => number {
  const starts = new Map<Day, number>();
  const startOf = (day: Day): number => {
    const known = starts.get(day) ?? startOfDay(day, zone);
    starts.set(day, known);
    return known;
  };
  return (at) => {
    const day = dayOf(at, zone);
    const start = startOf(day);
    return daysBetween(plantedAt, day) + (at - start) / (startOf(addDays(day, 1)) - start);
  };
}
