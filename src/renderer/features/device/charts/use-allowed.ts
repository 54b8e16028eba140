import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Allowed, allowedOf } from '../../../../shared/alerts/shown-range.ts';
import { type AnyField, perAnyField } from '../../../../shared/measures/derived.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { useRuleWords } from '../../../alerts/rules/rule-words.ts';
import { useRanges } from '../../../alerts/rules/use-ranges.ts';
import { useStageSpans } from '../../../alerts/rules/use-stage-spans.ts';
import type { Scales } from '../../../devices/use-scales.ts';

type AllowedText = Pick<Allowed, 'bands'> & { readonly text: string };

/** One array for every field without a range: its chart isn't drawn again when the rules arrive. */
const NONE: Allowed['bands'] = [];

/** Returns the allowed ranges of each field of a device. */
export function useAllowed(device: DeviceDetail, scales: Scales): Readonly<Record<AnyField, AllowedText>> {
  const { t } = useTranslation('charts');
  const rules = useRanges(device);
  const spans = useStageSpans(device);
  const { rangeText } = useRuleWords();
  return useMemo(
    () =>
      perAnyField((field): AllowedText => {
        const { bands, ranges } = allowedOf(scales[field], rules, rangeText, spans);
        return { bands: bands.length === 0 ? NONE : bands, text: ranges === '' ? '' : t('allowed', { ranges }) };
      }),
    [t, rules, rangeText, scales, spans],
  );
}
