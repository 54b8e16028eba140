import { type Correction, correctedValue } from '../../../shared/measures/correction.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import { SPARKLINE_STEPS } from '../../components/values/sparkline-path.ts';
import type { OpenedSeries } from '../opened-series.ts';

type Sparkline = DeviceSummary['sparkline'];

/**
 * Returns a device's sparklines with opened values: a step without a mean from the node gets the mean of its opened
 * values.
 */
export function openedSparkline(
  sparkline: Sparkline,
  series: OpenedSeries,
  corrections: readonly Correction[] = [],
): Sparkline['values'] {
  if (series.size === 0) return sparkline.values;
  const { startAt, stepMs } = sparkline;
  const means = FIELD_NAMES.map(() => Array.from({ length: SPARKLINE_STEPS }, () => ({ count: 0, mean: 0 })));
  series.forEach(startAt, startAt + SPARKLINE_STEPS * stepMs - 1, (time, field, value) => {
    if (typeof value === 'string') return;
    const step = means[field]![Math.floor((time - startAt) / stepMs)]!;
    step.count++;
    step.mean += (correctedValue(corrections, FIELD_NAMES[field]!, time, value) - step.mean) / step.count;
  });
  const values: Partial<Record<FieldName, (number | null)[]>> = { ...sparkline.values };
  for (const [index, field] of FIELD_NAMES.entries()) {
    const steps = means[index]!;
    if (steps.every(({ count }) => count === 0)) continue;
    const plain = sparkline.values[field];
    values[field] = steps.map(({ count, mean }, step) => plain?.[step] ?? (count === 0 ? null : mean));
  }
  return values;
}
