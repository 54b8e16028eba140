import { useMemo, useSyncExternalStore } from 'react';
import type { UnregisteredDevice } from '../../../shared/owner-api/overview.ts';
import { KeptState } from '../../kept-state.ts';

// Dismissed devices: by id, the time of their last attempt when they were dismissed. A later attempt is shown again,
// unless the owner said that the device is a neighbour's.

type Dismissed = Readonly<Record<string, number>>;

/** Parses the stored text. Ignores invalid entries. */
export function parseDismissed(text: string | null): Dismissed {
  try {
    const kept: unknown = JSON.parse(text ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter((entry) => typeof entry[1] === 'number'));
  } catch {
    return {};
  }
}

/** Returns the devices that were never dismissed or have tried again since. */
export function notDismissed(all: readonly UnregisteredDevice[], dismissed: Dismissed): UnregisteredDevice[] {
  return all.filter(({ id, lastAt }) => lastAt > (dismissed[id] ?? 0));
}

/** A time that is later than any attempt. */
const FOR_GOOD = Number.MAX_SAFE_INTEGER;

const dismissed = new KeptState('wellhouse.knocks', parseDismissed);

/**
 * Dismisses devices until they try again. `all` are the devices that try now; other dismissed devices are forgotten.
 */
export function dismissKnocks(seen: readonly UnregisteredDevice[], all: readonly UnregisteredDevice[]): void {
  const before = dismissed.get();
  const known = new Set(all.map(({ id }) => id));
  const kept = Object.entries(before).filter(([id, at]) => at === FOR_GOOD || known.has(id));
  dismissed.set(Object.fromEntries([...kept, ...seen.map(({ id, lastAt }) => [id, lastAt] as const)]));
}

/** Hides a device for good, as it is not the owner's. */
export function hideKnock(id: string): void {
  dismissed.set({ ...dismissed.get(), [id]: FOR_GOOD });
}

/** Shows the devices that were hidden for good. */
export function showHiddenKnocks(): void {
  dismissed.set(Object.fromEntries(Object.entries(dismissed.get()).filter(([, at]) => at !== FOR_GOOD)));
}

/** Returns how many of the devices are hidden for good. */
export function useHiddenKnocks(all: readonly UnregisteredDevice[]): number {
  const kept = useSyncExternalStore(dismissed.subscribe, dismissed.get);
  return all.filter(({ id }) => kept[id] === FOR_GOOD).length;
}

/** Returns the devices that the owner has not dismissed. */
export function useNotDismissed(all: readonly UnregisteredDevice[]): readonly UnregisteredDevice[] {
  const kept = useSyncExternalStore(dismissed.subscribe, dismissed.get);
  return useMemo(() => notDismissed(all, kept), [all, kept]);
}
