import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { type FieldName, perFieldName } from '../../../../shared/protocol/fields.ts';
import { useRuleWords } from '../../../alerts/rules/rule-words.ts';
import { shownRange } from '../../../alerts/rules/shown-range.ts';
import { useRanges } from '../../../alerts/rules/use-ranges.ts';
import type { Band } from '../../../charts/drawing/allowed-bands.ts';
import type { Scales } from '../../../devices/use-scales.ts';

/** What is right of a field by the rules that are on, to be drawn and in words; '' where no rule says anything. */
interface Allowed {
  readonly bands: readonly Band[];
  readonly text: string;
}

/** The allowed ranges of each field of a device. */
export function useAllowed(device: DeviceDetail, scales: Scales): Readonly<Record<FieldName, Allowed>> {
  const { t } = useTranslation('charts');
  const rules = useRanges(device);
  const { rangeText } = useRuleWords();
  return useMemo(
    () =>
      perFieldName((field): Allowed => {
        const texts = new Map<string, Band>();
        for (const rule of rules) {
          if (rule.field === field) texts.set(rangeText(scales[field], rule), shownRange(scales[field], rule));
        }
        const ranges = [...texts.keys()].join('; ');
        return { bands: [...texts.values()], text: ranges === '' ? '' : t('allowed', { ranges }) };
      }),
    [t, rules, rangeText, scales],
  );
}
