import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ANY_FIELDS, type AnyField, unitChoiceOf } from '../../shared/measures/derived.ts';
import {
  type FieldScale,
  fieldScale,
  PERCENT_FULL,
  type SharedLabel,
  sharedLabel,
} from '../../shared/measures/field-scale.ts';
import type { DeviceNotes } from '../../shared/owner-data/notes.ts';
import { useOwnerChoices } from '../api/queries/choices.ts';

/** How the numbers of each field of a device are shown. */
export type Scales = Readonly<Record<AnyField, FieldScale>>;

/** A device, as far as its units go. */
interface Measuring {
  readonly notes: Pick<DeviceNotes, 'units'>;
}

/** Gives the scales of any device, by what the owner chose for it and in general. */
export function useScalesOf(): (device: Measuring) => Scales {
  const { t } = useTranslation('app');
  const general = useOwnerChoices().units;
  return useMemo(() => {
    const percentFull = t('unit.percentFull');
    const known = new WeakMap<DeviceNotes['units'], Scales>();
    return ({ notes: { units } }) => {
      let scales = known.get(units);
      if (scales === undefined) {
        const list = ANY_FIELDS.map((field) => {
          const scale = fieldScale(field, unitChoiceOf(units, field), general);
          return [field, scale.unit === PERCENT_FULL ? { ...scale, symbol: percentFull } : scale] as const;
        });
        scales = Object.fromEntries(list) as Record<AnyField, FieldScale>;
        known.set(units, scales);
      }
      return scales;
    };
  }, [t, general]);
}

/** The scales of one device. */
export function useScales(device: Measuring): Scales {
  return useScalesOf()(device);
}

/** Gives what the fields of several devices are called together. */
export function useSharedLabels(devices: readonly Measuring[]): (field: AnyField) => SharedLabel {
  const scalesOf = useScalesOf();
  return useMemo(() => {
    const all = [...new Set(devices.map(scalesOf))];
    return (field) =>
      sharedLabel(
        field,
        all.map((scales) => scales[field]),
      );
  }, [devices, scalesOf]);
}
