import { useMemo } from 'react';
import type { RangeRule } from '../../../shared/alerts/rule.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import type { FieldName } from '../../../shared/protocol/fields.ts';
import { type StageRange, stageRanges } from '../../../shared/wellness/stage-ranges.ts';
import { useChoicesThere } from '../../api/queries/choices.ts';
import { useCycles } from '../../api/queries/cycles.ts';
import type { SparklineBand } from '../../components/values/sparkline-path.ts';
import { bandsOver } from './sparkline-bands.ts';

/**
 * Returns the ranges that the stages of all crop cycles at the shown node set for a device, in the units that it sends.
 */
export function useStageSpans({ id, notes }: Pick<DeviceSummary, 'id' | 'notes'>): readonly StageRange[] {
  const cycles = useCycles();
  const { groups } = useChoicesThere();
  return useMemo(() => stageRanges(cycles, { id, notes }, groups), [cycles, id, notes, groups]);
}

type Bands = Partial<Record<FieldName, readonly SparklineBand[]>>;

/** Returns the ranges behind the sparklines of a device. They follow the stages of its crop cycles. */
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
