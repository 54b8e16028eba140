import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { rangeAt } from '../../../../shared/alerts/device-range.ts';
import type { RangeRule } from '../../../../shared/alerts/rule.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { rangeSpans } from '../../../../shared/owner-data/cycle-states.ts';
import { type FieldName, perFieldName } from '../../../../shared/protocol/fields.ts';
import { useRuleWords } from '../../../alerts/rules/rule-words.ts';
import { useRanges } from '../../../alerts/rules/use-ranges.ts';
import { type Allowed, allowedOf, type TimedRange } from '../../../alerts/shown-range.ts';
import { useChoicesThere } from '../../../api/queries/choices.ts';
import { useCycles } from '../../../api/queries/cycles.ts';
import type { Scales } from '../../../devices/use-scales.ts';

type AllowedText = Pick<Allowed, 'bands'> & { readonly text: string };

/** The allowed ranges of each field of a device. */
export function useAllowed(device: DeviceDetail, scales: Scales): Readonly<Record<FieldName, AllowedText>> {
  const { t } = useTranslation('charts');
  const rules = useRanges(device);
  const spans = useStageSpans(device);
  const { rangeText } = useRuleWords();
  return useMemo(
    () =>
      perFieldName((field): AllowedText => {
        const { bands, ranges } = allowedOf(scales[field], rules, rangeText, spans);
        return { bands, text: ranges === '' ? '' : t('allowed', { ranges }) };
      }),
    [t, rules, rangeText, scales, spans],
  );
}

/** The ranges that the stages of crop cycles set for a device, past and present, in the units that it sends. */
function useStageSpans({ id, notes }: DeviceDetail): readonly (TimedRange & Pick<RangeRule, 'field'>)[] {
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
