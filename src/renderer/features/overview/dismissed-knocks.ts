import { useMemo, useSyncExternalStore } from 'react';
import type { UnregisteredDevice } from '../../../shared/owner-api.ts';

// The owner has seen these: by id, the knock that was the last one then. A later knock is told again.

type Dismissed = Readonly<Record<string, number>>;

const STORAGE_KEY = 'wellhouse.knocks';

/** What was kept, as far as it makes sense. */
export function parseDismissed(text: string | null): Dismissed {
  try {
    const kept: unknown = JSON.parse(text ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter((entry) => typeof entry[1] === 'number'));
  } catch {
    return {};
  }
}

/** Those that have knocked since they were dismissed, or never were. */
export function notDismissed(all: readonly UnregisteredDevice[], dismissed: Dismissed): UnregisteredDevice[] {
  return all.filter(({ id, lastAt }) => lastAt > (dismissed[id] ?? 0));
}

let dismissed: Dismissed | undefined;
const listeners = new Set<() => void>();

function read(): Dismissed {
  dismissed ??= parseDismissed(localStorage.getItem(STORAGE_KEY));
  return dismissed;
}

/** Dismisses devices until they knock again; `all` are those that knock now, for the others need not be remembered. */
export function dismissKnocks(seen: readonly UnregisteredDevice[], all: readonly UnregisteredDevice[]): void {
  const before = read();
  const kept = all.filter(({ id }) => id in before).map(({ id }) => [id, before[id]!] as const);
  dismissed = Object.fromEntries([...kept, ...seen.map(({ id, lastAt }) => [id, lastAt] as const)]);
  localStorage.setItem(STORAGE_KEY, JSON.stringify(dismissed));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Those of the devices that knock that the owner has not dismissed. */
export function useNotDismissed(all: readonly UnregisteredDevice[]): readonly UnregisteredDevice[] {
  const kept = useSyncExternalStore(subscribe, read);
  return useMemo(() => notDismissed(all, kept), [all, kept]);
}
