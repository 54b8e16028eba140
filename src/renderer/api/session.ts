import { useSyncExternalStore } from 'react';

// The browser home is opened by a link that ends in `#token=…`. A fragment is never sent to a server, and the token is
// taken out of the URL at once, so that it stays out of the history and of a copied address.

const STORAGE_KEY = 'wellhouse.token';

/** Whether this page may call the node: it has a token, it has none, or the node refused the one that it had. */
export type Session = 'ready' | 'missing' | 'refused';

let session: Session = 'missing';
let token: string | null = null;
const listeners = new Set<() => void>();

function change(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

/** The token in what the owner pasted: the whole link, its fragment, or the token alone; null where there is none. */
export function tokenIn(text: string): string | null {
  const trimmed = text.trim();
  const found = /(?:^|[#&?])token=([A-Za-z0-9._~-]{16,256})$/.exec(trimmed)?.[1];
  if (found !== undefined) return found;
  return /^[A-Za-z0-9._~-]{16,256}$/.test(trimmed) ? trimmed : null;
}

/** Starts anew with a token. It is kept for this origin once the node has taken it: an old link spoils no good one. */
export function tryToken(value: string): void {
  token = value;
  change('ready');
}

/** The node took `used`. */
export function provenToken(used: string): void {
  if (used === token && localStorage.getItem(STORAGE_KEY) !== used) localStorage.setItem(STORAGE_KEY, used);
}

function takeTokenFromUrl(): boolean {
  if (!window.location.hash.startsWith('#token=')) return false;
  const value = tokenIn(window.location.hash);
  window.history.replaceState(null, '', `${window.location.pathname}${window.location.search}#/`);
  if (value === null) return false;
  tryToken(value);
  return true;
}

/** Finds the token, in the URL or kept from before, and watches for a link opened later in the same tab. */
export function startSession(): void {
  token = localStorage.getItem(STORAGE_KEY);
  if (!takeTokenFromUrl()) session = token === null ? 'missing' : 'ready';
  // Ahead of the router's own listener, so that no page is ever shown for the fragment with the token.
  window.addEventListener('hashchange', (event) => {
    if (!window.location.hash.startsWith('#token=')) return;
    event.stopImmediatePropagation();
    takeTokenFromUrl();
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  });
  // Another tab of the same origin was given a newer link.
  window.addEventListener('storage', (event) => {
    if (event.key === STORAGE_KEY && event.newValue !== null && event.newValue !== token) {
      token = event.newValue;
      change('ready');
    }
  });
}

/** The token in force, for the bearer header; null where there is none. */
export function currentToken(): string | null {
  return token;
}

/** The node refused `used`; a newer token that came meanwhile stays in force, and one kept from before is tried again. */
export function refuseToken(used: string | null): void {
  if (used !== token) return;
  const kept = localStorage.getItem(STORAGE_KEY);
  if (used !== null && kept !== null && kept !== used) tryToken(kept);
  else change(used === null ? 'missing' : 'refused');
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells, without a component, when the session changes. Returns what ends it. */
export const onSessionChange = subscribe;

/** The session as it is now. */
export const currentSession = (): Session => session;

/** The session, for a component. */
export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession);
}
