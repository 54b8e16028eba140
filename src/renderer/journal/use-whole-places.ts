import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useOwnerChoices } from '../api/queries/choices.ts';
import { useCycles } from '../api/queries/cycles.ts';

/**
 * Returns a function for the name of the whole group of a crop cycle, such as "Whole group Roof"; null if the cycle or
 * the group no longer exists, or if the place is a device.
 */
export function useWholePlaces(): (cycle: string | undefined) => string | null {
  const { t } = useTranslation('journal');
  const cycles = useCycles();
  const { groups } = useOwnerChoices();
  return useCallback(
    (cycle) => {
      const place = cycles.find(({ id }) => id === cycle)?.place;
      const group = place?.kind === 'group' ? groups.find(({ id }) => id === place.group) : undefined;
      return group === undefined ? null : t('wholeGroup', { name: group.name });
    },
    [t, cycles, groups],
  );
}
