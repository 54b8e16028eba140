import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { bandOf } from '../../../shared/alerts/shown-range.ts';
import { type Course, type Outlook, outlooks } from '../../../shared/forecast/outlook.ts';
import { outlookText } from '../../../shared/forecast/outlook-words.ts';
import { LOOK_BACK } from '../../../shared/forecast/rate.ts';
import { PERCENT_FULL } from '../../../shared/measures/field-scale.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import { useTrend } from '../../api/queries/readings.ts';
import { nameOf } from '../../devices/names.ts';
import { useScales } from '../../devices/use-scales.ts';
import { useFormat } from '../../format/format.ts';
import { useNow } from '../../now.ts';
import { useRanges } from '../rules/use-ranges.ts';

/** How often the forecasts are computed, in milliseconds. They change slowly. */
const EVERY = 15 * 60_000;

/**
 * Returns the forecasts of a device's plain values. Empty if its clock is not set, it sends none, or there is too
 * little data.
 */
function useOutlooks(device: DeviceSummary): readonly Outlook[] {
  const scales = useScales(device);
  const rules = useRanges(device);
  const now = useNow(EVERY);
  const { newest, clockNotSet, mine } = device;
  const isWanted = FIELD_NAMES.some((field) => {
    return scales[field].unit === PERCENT_FULL || rules.some((rule) => rule.field === field);
  });
  const to = now + EVERY;
  const range =
    isWanted && mine && !clockNotSet && device.lastReceivedAt !== null ? { from: to - LOOK_BACK, to } : null;
  const trend = useTrend(device.id, range).data;
  return useMemo(() => {
    if (trend === undefined) return [];
    const courses = FIELD_NAMES.flatMap((field): Course[] => {
      const value = newest[field]?.value;
      const { mean } = trend.fields[field];
      if (typeof value !== 'number') return [];
      const points = trend.times.flatMap((at, index) => {
        const each = mean[index];
        return typeof each === 'number' ? [{ at, value: each }] : [];
      });
      return [{ scale: scales[field], points, newest: value, band: bandOf(field, rules) }];
    });
    return outlooks(courses, now);
  }, [trend, newest, scales, rules, now]);
}

interface Props {
  readonly device: DeviceSummary;
  readonly most: number;
  /** Whether to begin each sentence with the name of the device. */
  readonly isNamed?: boolean;
  /** The only field to show, or a field to leave out. */
  readonly only?: FieldName;
  readonly without?: FieldName | undefined;
  readonly className?: string;
}

/**
 * The forecasts of a device, each as a sentence, if its values continue as in the last days. Shows the nearest `most`.
 */
export function OutlookLines({ device, most, isNamed = false, only, without, className }: Props) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const scales = useScales(device);
  return useOutlooks(device)
    .filter(({ field }) => (only === undefined || field === only) && field !== without)
    .slice(0, most)
    .map((outlook) => (
      <p key={outlook.field} className={className}>
        {isNamed ? `${nameOf(device)}: ` : null}
        {outlookText(t, format, scales[outlook.field], outlook)}
      </p>
    ));
}
