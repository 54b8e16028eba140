import { useSyncExternalStore } from 'react';
import { StateStore } from '../../../shared/state-store.ts';

// The unlock dialog belongs to the shell, so that any page can open it.
const isAsked = new StateStore(false);

/** Opens the unlock dialog over the current page. Without a keystore, it opens the page of the keys. */
export function requestUnlock(): void {
  isAsked.set(true);
}

/** Closes the unlock dialog. */
export function endUnlockRequest(): void {
  isAsked.set(false);
}

/** Returns whether the unlock dialog was requested. */
export function useUnlockRequest(): boolean {
  return useSyncExternalStore(isAsked.subscribe, isAsked.get);
}
