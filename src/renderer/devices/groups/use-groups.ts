import { useCallback } from 'react';
import { useOwnerChoices, useSetOwnerChoices } from '../../api/queries/choices.ts';

/** The owner's groups, and what folds one or unfolds it, in every list. */
export function useGroups() {
  const { groups } = useOwnerChoices();
  const { mutate } = useSetOwnerChoices();
  const toggle = useCallback(
    (id: string): void =>
      mutate((kept) => ({
        groups: kept.groups.map((each) => (each.id === id ? { ...each, isCollapsed: !each.isCollapsed } : each)),
      })),
    [mutate],
  );
  return { groups, toggle };
}
