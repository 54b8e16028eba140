import { useSyncExternalStore } from 'react';
import { KeySession } from './key-session.ts';
import type { KeySessionState, LockReason } from './types.ts';

/** The keys of this page. */
export const keySession = new KeySession();

/** Where the keys are, now and as it changes. */
export function useKeySession(): KeySessionState {
  return useSyncExternalStore(keySession.subscribe, keySession.state);
}

/** Locks the keys at once, whoever asks: a key press, an idle timer, the desktop before the machine sleeps. */
export function lockNow(reason: LockReason): void {
  keySession.lock(reason);
}
