import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceGroup } from '../../shared/owner-data/choices.ts';
import { daysOf } from '../../shared/owner-data/cycle-states.ts';
import type { LogSums } from '../../shared/owner-data/cycle-sums.ts';
import type { Cycle } from '../../shared/owner-data/cycles.ts';
import { dayOf } from '../../shared/owner-data/days.ts';
import { useLocale } from '../format/format.ts';

/** Returns the crop and its variety. */
export function cycleName({ crop, variety }: Pick<Cycle, 'crop' | 'variety'>): string {
  return variety === '' ? crop : `${crop} ${variety}`;
}

/** Returns the name of a cycle's place; undefined if it no longer exists. */
export function placeName(
  { place }: Pick<Cycle, 'place'>,
  devices: readonly { readonly id: string; readonly name: string }[],
  groups: readonly DeviceGroup[],
): string | undefined {
  if (place.kind === 'device') return devices.find(({ id }) => id === place.device)?.name;
  return groups.find(({ id }) => id === place.group)?.name;
}

/** Returns functions that format amounts. */
export function useAmountWords() {
  const { t } = useTranslation('crops');
  const locale = useLocale();
  const number = useCallback(
    (value: number) => value.toLocaleString(locale, { maximumSignificantDigits: 3 }),
    [locale],
  );
  /** Returns the harvest in words; "–" if there is none. */
  const harvest = useCallback(
    ({ harvestKg, harvestPieces }: LogSums): string => {
      const parts = [
        ...(harvestKg > 0 ? [`${number(harvestKg)} kg`] : []),
        ...(harvestPieces > 0 ? [t('pieces', { count: harvestPieces })] : []),
      ];
      return parts.length === 0 ? '–' : parts.join(' · ');
    },
    [t, number],
  );
  /** Returns the harvest per plant or per square metre; `units` is the number of these. */
  const perUnit = useCallback(
    ({ harvestKg, harvestPieces }: LogSums, units: number | null): string => {
      if (units === null) return '–';
      if (harvestKg > 0) {
        const kg = harvestKg / units;
        return kg < 1 ? `${number(kg * 1000)} g` : `${number(kg)} kg`;
      }
      return harvestPieces > 0 ? number(harvestPieces / units) : '–';
    },
    [number],
  );
  const amount = useCallback(
    (value: number, unit: string) => (value === 0 ? '–' : `${number(value)} ${unit}`),
    [number],
  );
  return { number, harvest, perUnit, amount };
}

/** Returns a function for the results of a cycle, as pairs of name and amount. */
export function useCycleFacts(): (cycle: Cycle, sums: LogSums, now: number) => (readonly [string, string])[] {
  const { t } = useTranslation('crops');
  const { harvest, perUnit, amount } = useAmountWords();
  return useCallback(
    (cycle, sums, now) => {
      const { plants, areaM2, zone } = cycle;
      return [
        [t('fact.days'), t('dayCount', { count: daysOf(cycle, dayOf(now, zone)) })],
        [t('fact.harvest'), harvest(sums)],
        ...(plants === null ? [] : [[t('fact.perPlant', { count: plants }), perUnit(sums, plants)] as const]),
        ...(areaM2 === null ? [] : [[t('fact.perArea'), perUnit(sums, areaM2)] as const]),
        [t('fact.water'), amount(sums.waterLitres, 'l')],
        ...sums.doses.map(({ product, unit, total }) => [product, amount(total, unit)] as const),
      ];
    },
    [t, harvest, perUnit, amount],
  );
}
