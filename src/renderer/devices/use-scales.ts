import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ANY_FIELDS, type AnyField, unitChoiceOf } from '../../shared/measures/derived.ts';
import {
  type FieldScale,
  fieldScale,
  type GeneralUnits,
  PERCENT_FULL,
  type SharedLabel,
  sharedLabel,
} from '../../shared/measures/field-scale.ts';
import type { DeviceNotes } from '../../shared/owner-data/notes.ts';
import { useOwnerChoices } from '../api/queries/choices.ts';

/** The scales in which the fields of a device are shown. */
export type Scales = Readonly<Record<AnyField, FieldScale>>;

/** The part of a device that decides its units. */
interface Measuring {
  readonly notes: Pick<DeviceNotes, 'units'>;
}

type KnownScales = WeakMap<DeviceNotes['units'], Scales>;
const knownOf = new WeakMap<GeneralUnits, Map<string, KnownScales>>();

/** Returns the scales that were made for the same choices: every row of a list needs those of its device. */
function knownScales(general: GeneralUnits, percentFull: string): KnownScales {
  const byWords = knownOf.get(general) ?? new Map<string, KnownScales>();
  knownOf.set(general, byWords);
  const known = byWords.get(percentFull) ?? new WeakMap();
  byWords.set(percentFull, known);
  return known;
}

/** Returns a function for the scales of any device, by the owner's choices for it and in general. */
export function useScalesOf(): (device: Measuring) => Scales {
  const { t } = useTranslation('app');
  const general = useOwnerChoices().units;
  return useMemo(() => {
    const percentFull = t('unit.percentFull');
    const known = knownScales(general, percentFull);
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

/** Returns the scales of one device. */
export function useScales(device: Measuring): Scales {
  return useScalesOf()(device);
}

/** Returns a function for the label of a field that fits several devices. */
export function useSharedLabels(devices: readonly Measuring[]): (field: AnyField) => SharedLabel {
  const scalesOf = useScalesOf();
  return useMemo(() => {
    const all = [...new Set(devices.map(scalesOf))];
    const known = new Map<AnyField, SharedLabel>();
    return (field) => {
      let label = known.get(field);
      if (label === undefined) {
        label = sharedLabel(
          field,
          all.map((scales) => scales[field]),
        );
        known.set(field, label);
      }
      return label;
    };
  }, [devices, scalesOf]);
}
