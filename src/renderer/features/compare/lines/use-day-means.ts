import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { meanText, withUnit } from '../../../../shared/format/scaled.ts';
import { percentOf } from '../../../../shared/measures/time-in-range.ts';
import { dayParts } from '../../../../shared/owner-data/day-parts.ts';
import type { View } from '../../../charts/view.ts';
import { useDay } from '../../../devices/use-day.ts';
import { useFormat } from '../../../format/format.ts';
import { useShownText } from '../../../format/shown-text.ts';
import type { Line } from './use-compared.ts';

/** Returns a line's time in range over a span of time and its means by day and by night, in words; '' if unknown. */
export function useDayMeans({ device, data, scale, allowed, isOld }: Line, { from, to }: View): string {
  const { t } = useTranslation('compare');
  const format = useFormat();
  const shownText = useShownText();
  const day = useDay(device);
  const part = useMemo(
    () => (data === null || isOld ? null : dayParts(data, allowed.bands, [from, to], (at) => day.isDay(at))[0]!),
    [data, isOld, allowed.bands, from, to, day],
  );
  if (part === null) return '';
  const share = part.inRange === null ? null : withUnit(format.rounded(percentOf(part.inRange), 1), '%');
  const values = { day: shownText(meanText, scale, part.day ?? 0), night: shownText(meanText, scale, part.night ?? 0) };
  return [
    share === null ? '' : ` · ${t('inRange', { share })}`,
    part.day === null || part.night === null ? '' : ` · ${t('dayNight', values)}`,
  ].join('');
}
