import { useMemo } from 'react';
import type { RangeRule } from '../../../shared/alerts/rule.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { haveNights } from '../../../shared/owner-data/cycle-states.ts';
import type { FieldName } from '../../../shared/protocol/fields.ts';
import { type StageRange, stageRanges } from '../../../shared/wellness/stage-ranges.ts';
import { useNode } from '../../api/node-connection.ts';
import { useChoicesThere } from '../../api/queries/choices.ts';
import { useCycles } from '../../api/queries/cycles.ts';
import type { SparklineBand } from '../../components/values/sparkline-path.ts';
import { useDays } from '../../devices/use-day.ts';
import { bandsOver } from './sparkline-bands.ts';

/**
 * Returns the ranges that the stages of all crop cycles at the shown node set for a device, in the units that it sends.
 */
export function useStageSpans({
  id,
  notes,
  location,
}: Pick<DeviceSummary, 'id' | 'notes' | 'location'>): readonly StageRange[] {
  const cycles = useCycles();
  const { groups } = useChoicesThere();
  const { clock } = useNode();
  const days = useDays(location !== null && haveNights(cycles));
  return useMemo(() => {
    const dayIn = (zone: string) => days({ id, location }, zone);
    return stageRanges(cycles, { id, notes }, groups, { dayIn, now: clock.now() });
  }, [cycles, id, notes, location, groups, days, clock]);
}

type Bands = Partial<Record<FieldName, readonly SparklineBand[]>>;

/** Returns the ranges behind the sparklines of a device. They follow the stages of its crop cycles. */
export function useSparklineBands(
  device: Pick<DeviceSummary, 'id' | 'notes' | 'location' | 'sparkline'>,
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
