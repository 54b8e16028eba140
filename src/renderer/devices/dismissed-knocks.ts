import { useMemo, useSyncExternalStore } from 'react';
import type { UnregisteredDevice } from '../../shared/owner-api/overview.ts';
import { KeptState } from '../kept-state.ts';

// Dismissed devices: by id, the time of the last knock when they were dismissed. A later knock is shown again.

type Dismissed = Readonly<Record<string, number>>;

/** Parses what was kept; ignores what is not valid. */
export function parseDismissed(text: string | null): Dismissed {
  try {
    const kept: unknown = JSON.parse(text ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter((entry) => typeof entry[1] === 'number'));
  } catch {
    return {};
  }
}

/** Devices that were never dismissed or have knocked again since. */
export function notDismissed(all: readonly UnregisteredDevice[], dismissed: Dismissed): UnregisteredDevice[] {
  return all.filter(({ id, lastAt }) => lastAt > (dismissed[id] ?? 0));
}

const dismissed = new KeptState('wellhouse.knocks', parseDismissed);

/** Dismisses devices until they knock again. `all` are the devices that knock now; others are forgotten. */
export function dismissKnocks(seen: readonly UnregisteredDevice[], all: readonly UnregisteredDevice[]): void {
  const before = dismissed.get();
  const kept = all.filter(({ id }) => id in before).map(({ id }) => [id, before[id]!] as const);
  dismissed.set(Object.fromEntries([...kept, ...seen.map(({ id, lastAt }) => [id, lastAt] as const)]));
}

/** The knocking devices that the owner has not dismissed. */
export function useNotDismissed(all: readonly UnregisteredDevice[]): readonly UnregisteredDevice[] {
  const kept = useSyncExternalStore(dismissed.subscribe, dismissed.get);
  return useMemo(() => notDismissed(all, kept), [all, kept]);
}
