import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { unwatchedFields } from '../../../shared/wellness/concerned.ts';
import { useAlertRules } from '../../api/queries/alerts.ts';
import { useKnownChoices } from '../../api/queries/choices.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { useInOrder } from '../../devices/selection/use-selection.ts';
import { useScalesOf } from '../../devices/use-scales.ts';

const NONE: readonly DeviceSummary[] = [];

/** A device and the displayed names of its fields that no rule watches, such as "pH, EC". */
export interface Unwatched {
  readonly device: DeviceSummary;
  readonly fields: string;
}

/**
 * Returns the owner's active devices that send fields that no rule watches; empty until devices and rules are loaded.
 */
export function useUnwatched(): readonly Unwatched[] {
  const { t } = useTranslation('app');
  const scalesOf = useScalesOf();
  const devices = useInOrder(useOverview().data?.devices ?? NONE);
  const states = useAlertRules().data;
  const groups = useKnownChoices()?.groups;
  return useMemo(() => {
    if (states === undefined || groups === undefined) return [];
    const rules = states.map(({ rule }) => rule);
    return devices.flatMap((device) => {
      const fields = device.mine && device.notes.status === 0 ? unwatchedFields(rules, device, groups) : [];
      if (fields.length === 0) return [];
      const scales = scalesOf(device);
      return [{ device, fields: fields.map((field) => t(`field.${scales[field].label}`)).join(', ') }];
    });
  }, [devices, states, groups, scalesOf, t]);
}
