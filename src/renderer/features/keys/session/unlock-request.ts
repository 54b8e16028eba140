import { useSyncExternalStore } from 'react';

// The dialog that unlocks belongs to the shell, so that values open in place on whatever page asked for it.

let isAsked = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  isAsked = next;
  for (const listener of listeners) listener();
}

/** Opens the unlock dialog over the page at hand; without a keystore it leads to the keys' page. */
export function requestUnlock(): void {
  set(true);
}

/** Closes the unlock dialog. */
export function endUnlockRequest(): void {
  set(false);
}

/** Whether the unlock dialog is asked for. */
export function useUnlockRequest(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isAsked,
  );
}
