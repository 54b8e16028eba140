import { rangeAt } from '../../../shared/alerts/device-range.ts';
import { shownRange } from '../../../shared/alerts/shown-range.ts';
import type { AnyField } from '../../../shared/measures/derived.ts';
import { timeInRange } from '../../../shared/measures/time-in-range.ts';
import { rangesIn, stageDays, stageSpans } from '../../../shared/owner-data/cycle-states.ts';
import type { Cycle } from '../../../shared/owner-data/cycles.ts';
import type { useDays } from '../../devices/use-day.ts';
import type { CourseLine } from './courses.tsx';

/** A stage of a cycle, and for which part of its time the values were in their ranges. */
export interface StageShares {
  readonly name: string;
  /** The first day of the stage. */
  readonly from: string;
  /** The length of the stage in days; null if it has not begun. */
  readonly days: number | null;
  /** From 0 to 1, for the fields that have a range and values. For several devices it is their mean. */
  readonly shares: ReadonlyMap<AnyField, number>;
}

/** Returns the stages of a cycle, with the time in range of the lines at its place. */
export function stageShares(
  cycle: Cycle,
  lines: readonly Pick<CourseLine, 'device' | 'field' | 'scale' | 'data'>[],
  now: number,
  dayOf: ReturnType<typeof useDays>,
): StageShares[] {
  const days = stageDays(cycle, now);
  return stageSpans(cycle).map((span, index) => {
    const { stage, from, to } = span;
    const shares = new Map<AnyField, number>();
    const spans = new Map(
      [...new Map(lines.map(({ device }) => [device.id, device])).values()].map((device) => [
        device.id,
        rangesIn(span, cycle.zone, { dayIn: (zone) => dayOf(device, zone), now }),
      ]),
    );
    for (const { field } of stage.ranges) {
      const found = lines
        .filter((line) => line.field === field)
        .flatMap(({ device, scale, data }) => {
          const ranges = spans
            .get(device.id)!
            .filter((range) => range.field === field)
            .map((range) => ({
              ...shownRange(scale, rangeAt({ ...range, cycle: cycle.id, margin: 0 }, device.notes.units)),
              ...{ from: range.from, to: range.to ?? undefined },
            }));
          return timeInRange(data, ranges, { from, to: Math.min(to ?? now, now) }) ?? [];
        });
      if (found.length > 0) shares.set(field, found.reduce((sum, share) => sum + share, 0) / found.length);
    }
    return { name: stage.name, from: stage.from, days: days[index] ?? null, shares };
  });
}
