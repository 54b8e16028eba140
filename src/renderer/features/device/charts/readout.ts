import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useFormat } from '../../../format.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { useShortTime } from '../locale.ts';
import type { FieldData } from './chart-data.ts';

/** A screen reader is told where the cursor rests, not each place that it passes. */
const SPOKEN_AFTER_MS = 300;

/**
 * The value under the cursor, in words. Written straight into its elements: a cursor moves many charts at once, many
 * times a second, and rendering would lag behind it.
 */
export function useReadout(unit: string, data: FieldData) {
  const { t } = useTranslation('device');
  const format = useFormat();
  const shortTime = useShortTime();
  const visible = useRef<HTMLSpanElement>(null);
  const spoken = useRef<HTMLSpanElement>(null);
  const timer = useRef<number | undefined>(undefined);
  const shown = useRef<number | null>(null);

  const describe = useCallback(
    (index: number | null): string => {
      const mean = index === null ? null : data.mean[index];
      if (index === null || mean === null || mean === undefined) return '';
      const time = data.times[index]!;
      const of = (value: number) => `${format.number(value)} ${unit}`.trim();
      if (data.stepMs === null) return t('chart.readout', { value: of(mean), time: shortTime(time) });
      const digits = data.max[index]! - data.min[index]! < 10 ? 2 : 1;
      const isOneValue = data.min[index] === data.max[index];
      return t(isOneValue ? 'chart.stepReadoutOne' : 'chart.stepReadout', {
        mean: `${format.rounded(mean, digits)} ${unit}`.trim(),
        min: format.number(data.min[index]!),
        max: format.number(data.max[index]!),
        from: shortTime(time - data.stepMs / 2),
        step: format.duration(data.stepMs),
      });
    },
    [data, format, shortTime, t, unit],
  );

  const show = useCallback(
    (index: number | null): void => {
      shown.current = index;
      const text = describe(index);
      if (visible.current !== null) visible.current.textContent = text;
      window.clearTimeout(timer.current);
      if (document.activeElement?.closest('figure') !== visible.current?.closest('figure')) return;
      timer.current = window.setTimeout(() => {
        if (spoken.current !== null) spoken.current.textContent = text;
      }, SPOKEN_AFTER_MS);
    },
    [describe],
  );

  // New data stands under a cursor that rests; and what was opened must not stay when the keys are locked.
  useLayoutEffect(() => {
    const text = describe(shown.current);
    if (visible.current !== null) visible.current.textContent = text;
    if (spoken.current?.textContent) spoken.current.textContent = text;
    window.clearTimeout(timer.current);
  }, [describe]);

  useEffect(() => () => window.clearTimeout(timer.current), []);
  return { visible, spoken, show };
}
