import { rangeAt } from '../alerts/device-range.ts';
import type { RangeRule } from '../alerts/rule.ts';
import type { TimedRange } from '../alerts/shown-range.ts';
import type { DeviceSummary } from '../owner-api/devices.ts';
import type { DeviceGroup } from '../owner-data/choices.ts';
import { type DayAndNow, rangeSpans } from '../owner-data/cycle-states.ts';
import type { Cycle } from '../owner-data/cycles.ts';

export type StageRange = TimedRange & Pick<RangeRule, 'field'>;

/** Returns the ranges that the stages of some cycles set for a device, past and present, in the units that it sends. */
export function stageRanges(
  cycles: readonly Cycle[],
  { id, notes }: Pick<DeviceSummary, 'id' | 'notes'>,
  groups: readonly DeviceGroup[],
  day: DayAndNow,
): StageRange[] {
  return rangeSpans(cycles, id, groups, day).map(({ from, to, ...range }) => {
    const { field, low, high } = rangeAt({ ...range, cycle: id, margin: 0 }, notes.units);
    return { field, low, high, from, to: to ?? undefined };
  });
}
