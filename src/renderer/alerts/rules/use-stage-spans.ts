import { useMemo } from 'react';
import { rangeAt } from '../../../shared/alerts/device-range.ts';
import type { RangeRule } from '../../../shared/alerts/rule.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { rangeSpans } from '../../../shared/owner-data/cycle-states.ts';
import { useChoicesThere } from '../../api/queries/choices.ts';
import { useCycles } from '../../api/queries/cycles.ts';
import type { TimedRange } from '../shown-range.ts';

/** The ranges that the stages of crop cycles set for a device, past and present, in the units that it sends. */
export function useStageSpans({
  id,
  notes,
}: Pick<DeviceSummary, 'id' | 'notes'>): readonly (TimedRange & Pick<RangeRule, 'field'>)[] {
  const cycles = useCycles();
  const { groups } = useChoicesThere();
  return useMemo(
    () =>
      rangeSpans(cycles, id, groups).map(({ from, to, ...range }) => {
        const { field, low, high } = rangeAt({ ...range, cycle: id, margin: 0 }, notes.units);
        return { field, low, high, from, to: to ?? undefined };
      }),
    [cycles, id, notes, groups],
  );
}
