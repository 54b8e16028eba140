import type { RangeRule } from '../../../shared/alerts/rule.ts';
import { bandOf, type TimedRange } from '../../../shared/alerts/shown-range.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { SPARKLINE_STEPS, type SparklineBand } from '../../components/values/sparkline-path.ts';

/**
 * Returns the ranges of a field along a sparkline, in the unit that the device sends. A range combines the rules that
 * follow no crop cycle with those of the stages at that time. The last range combines all `rules`, as they apply now.
 */
export function bandsOver(
  field: RangeRule['field'],
  rules: readonly RangeRule[],
  stages: readonly (TimedRange & Pick<RangeRule, 'field'>)[],
  { startAt, stepMs }: Pick<DeviceSummary['sparkline'], 'startAt' | 'stepMs'>,
): SparklineBand[] {
  // A value is drawn in the middle of its step.
  const placeOf = (time: number) => (time - startAt) / stepMs - 0.5;
  const last = SPARKLINE_STEPS - 1;
  const ofField = stages.filter((stage) => stage.field === field);
  const edges = [...new Set(ofField.flatMap(({ from, to }) => [from, to]))]
    .filter((time) => time !== undefined)
    .filter((time) => placeOf(time) > 0 && placeOf(time) < last)
    .toSorted((a, b) => a - b);
  const own = rules.filter(({ cycle }) => cycle === undefined);
  const spans = [...edges, null].map((until, index) => {
    const since = edges[index - 1] ?? startAt;
    const held = ofField.filter(({ from = 0, to = Infinity }) => from <= since && since < to);
    const band = bandOf(field, until === null ? rules : [...own, ...held]);
    const [from, to] = [index === 0 ? 0 : placeOf(since), until === null ? last : placeOf(until)];
    return band === null ? null : edges.length === 0 ? band : { ...band, from, to };
  });
  return spans.filter((span) => span !== null);
}
