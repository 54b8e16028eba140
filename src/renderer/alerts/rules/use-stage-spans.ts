import { useMemo } from 'react';
import { rangeAt } from '../../../shared/alerts/device-range.ts';
import type { RangeRule } from '../../../shared/alerts/rule.ts';
import type { TimedRange } from '../../../shared/alerts/shown-range.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import type { DeviceGroup } from '../../../shared/owner-data/choices.ts';
import { rangeSpans } from '../../../shared/owner-data/cycle-states.ts';
import type { Cycle } from '../../../shared/owner-data/cycles.ts';
import type { FieldName } from '../../../shared/protocol/fields.ts';
import { useChoicesThere } from '../../api/queries/choices.ts';
import { useCycles } from '../../api/queries/cycles.ts';
import type { SparklineBand } from '../../components/values/sparkline-path.ts';
import { bandsOver } from './sparkline-bands.ts';

export type StageRange = TimedRange & Pick<RangeRule, 'field'>;

/** The ranges that the stages of some cycles set for a device, past and present, in the units that it sends. */
export function stageRanges(
  cycles: readonly Cycle[],
  { id, notes }: Pick<DeviceSummary, 'id' | 'notes'>,
  groups: readonly DeviceGroup[],
): StageRange[] {
  return rangeSpans(cycles, id, groups).map(({ from, to, ...range }) => {
    const { field, low, high } = rangeAt({ ...range, cycle: id, margin: 0 }, notes.units);
    return { field, low, high, from, to: to ?? undefined };
  });
}

/** The same of all crop cycles at the node that is shown. */
export function useStageSpans({ id, notes }: Pick<DeviceSummary, 'id' | 'notes'>): readonly StageRange[] {
  const cycles = useCycles();
  const { groups } = useChoicesThere();
  return useMemo(() => stageRanges(cycles, { id, notes }, groups), [cycles, id, notes, groups]);
}

type Bands = Partial<Record<FieldName, readonly SparklineBand[]>>;

/** The ranges behind the sparklines of a device, which follow the stages of its crop cycles. */
export function useSparklineBands(
  device: Pick<DeviceSummary, 'id' | 'notes' | 'sparkline'>,
  rules: readonly RangeRule[],
): Bands {
  const stages = useStageSpans(device);
  const { startAt, stepMs } = device.sparkline;
  return useMemo(() => {
    const fields = new Set(rules.map(({ field }) => field).concat(stages.map(({ field }) => field)));
    return Object.fromEntries(
      [...fields].map((field) => [field, bandsOver(field, rules, stages, { startAt, stepMs })]),
    );
  }, [rules, stages, startAt, stepMs]);
}
