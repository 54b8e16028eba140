import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { DeviceGroup } from '../../../shared/owner-data/choices.ts';
import { useMe } from '../../api/me.tsx';
import { useOwnerChoices, useSetOwnerChoices } from '../../api/queries/choices.ts';
import { KeptState } from '../../kept-state.ts';

/** Whether groups are folded in this browser, by their ids; only those that differ from the owner's choice. */
type Folds = Readonly<Record<string, boolean>>;

/** Parses the stored text. Ignores invalid entries. */
export function parseFolds(text: string | null): Folds {
  try {
    const kept: unknown = JSON.parse(text ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter((entry) => typeof entry[1] === 'boolean'));
  } catch {
    return {};
  }
}

/** Returns the folds after one of the groups was folded or unfolded. Drops groups that no longer exist. */
export function foldsAfter(folds: Folds, groups: readonly DeviceGroup[], id: string): Folds {
  const entries = groups.flatMap(({ id: of, isCollapsed }) => {
    const isFolded = folds[of] ?? isCollapsed;
    if (of === id) return [[of, !isFolded] as const];
    return of in folds ? [[of, isFolded] as const] : [];
  });
  return Object.fromEntries(entries);
}

const viewersFolds = new KeptState('wellhouse.folds', parseFolds);

/**
 * Returns the owner's groups and a function that folds or unfolds one, in every list. An owner's change applies to all
 * pages of the node. A viewer's change only applies to this browser, as viewers can't change the node.
 */
export function useGroups() {
  const { groups: kept } = useOwnerChoices();
  const { mutate } = useSetOwnerChoices();
  const isOwner = useMe().role === 'owner';
  const folds = useSyncExternalStore(viewersFolds.subscribe, viewersFolds.get);
  const groups = useMemo(
    () => (isOwner ? kept : kept.map((group) => ({ ...group, isCollapsed: folds[group.id] ?? group.isCollapsed }))),
    [isOwner, kept, folds],
  );
  const toggle = useCallback(
    (id: string): void => {
      if (isOwner) {
        mutate(({ groups: all }) => ({
          groups: all.map((each) => (each.id === id ? { ...each, isCollapsed: !each.isCollapsed } : each)),
        }));
      } else {
        viewersFolds.set(foldsAfter(viewersFolds.get(), kept, id));
      }
    },
    [isOwner, kept, mutate],
  );
  return { groups, toggle };
}
