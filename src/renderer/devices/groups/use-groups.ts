import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { DeviceGroup } from '../../../shared/owner-data/choices.ts';
import { useMe } from '../../api/me.tsx';
import { useOwnerChoices, useSetOwnerChoices } from '../../api/queries/choices.ts';
import { KeptState } from '../../kept-state.ts';

/** Whether groups are folded in this browser, by their ids, where that is not as the owner has them. */
type Folds = Readonly<Record<string, boolean>>;

/** Parses what was kept; ignores what is not valid. */
export function parseFolds(text: string | null): Folds {
  try {
    const kept: unknown = JSON.parse(text ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter((entry) => typeof entry[1] === 'boolean'));
  } catch {
    return {};
  }
}

/** The folds after one of these groups was folded or unfolded; those of groups that are gone are forgotten. */
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
 * The owner's groups, and what folds one or unfolds it, in every list. An owner folds it for all pages of the node; a viewer,
 * who changes nothing there, in this browser alone.
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
