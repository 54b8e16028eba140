import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import type { FieldName } from '../../../shared/protocol/fields.ts';
import { unwatchedFields } from '../../../shared/wellness/concerned.ts';
import { useAlertRules } from '../../api/queries/alerts.ts';
import { useKnownChoices } from '../../api/queries/choices.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { useInOrder } from '../../devices/selection/use-selection.ts';
import { useScalesOf } from '../../devices/use-scales.ts';

const NONE: readonly DeviceSummary[] = [];

/** A device and its fields that no rule watches. */
export interface Unwatched {
  readonly device: DeviceSummary;
  readonly fields: readonly FieldName[];
}

/**
 * Returns the owner's active devices that send fields that no rule watches; empty until devices and rules are loaded.
 */
export function useUnwatched(): readonly Unwatched[] {
  const devices = useInOrder(useOverview().data?.devices ?? NONE);
  const states = useAlertRules().data;
  const groups = useKnownChoices()?.groups;
  return useMemo(() => {
    if (states === undefined || groups === undefined) return [];
    const rules = states.map(({ rule }) => rule);
    return devices.flatMap((device) => {
      const fields = device.mine && device.notes.status === 0 ? unwatchedFields(rules, device, groups) : [];
      return fields.length === 0 ? [] : [{ device, fields }];
    });
  }, [devices, states, groups]);
}

/** Returns a function for the displayed names of unwatched fields, such as "pH, EC". */
export function useUnwatchedNames(): (unwatched: Unwatched) => string {
  const { t } = useTranslation('app');
  const scalesOf = useScalesOf();
  return useCallback(
    ({ device, fields }) => {
      const scales = scalesOf(device);
      return fields.map((field) => t(`field.${scales[field].label}`)).join(', ');
    },
    [scalesOf, t],
  );
}
