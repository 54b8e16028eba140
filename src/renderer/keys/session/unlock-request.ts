import { useSyncExternalStore } from 'react';
import { StateStore } from '../../../shared/state-store.ts';

// The unlock dialog belongs to the shell, so that any page can ask for it.
const isAsked = new StateStore(false);

/** Opens the unlock dialog over the current page; without a keystore it goes to the keys' page. */
export function requestUnlock(): void {
  isAsked.set(true);
}

/** Closes the unlock dialog. */
export function endUnlockRequest(): void {
  isAsked.set(false);
}

/** Whether the unlock dialog is asked for. */
export function useUnlockRequest(): boolean {
  return useSyncExternalStore(isAsked.subscribe, isAsked.get);
}
