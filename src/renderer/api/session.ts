import { StateStore } from '../../shared/state-store.ts';

// The browser home is opened by a link that ends in `#token=…`. A fragment is never sent to a server, and the token is
// taken out of the URL at once, so that it stays out of the history and of a copied address.

const STORAGE_KEY = 'wellhouse.token';

/** Whether this page may call the node: it has a token, it has none, or the node refused the one that it had. */
export type SessionState = 'ready' | 'missing' | 'refused';

/** The token in what the owner pasted: the whole link, its fragment, or the token alone; null where there is none. */
export function tokenIn(text: string): string | null {
  const trimmed = text.trim();
  const found = /(?:^|[#&?])token=([A-Za-z0-9._~-]{16,256})$/.exec(trimmed)?.[1];
  if (found !== undefined) return found;
  return /^[A-Za-z0-9._~-]{16,256}$/.test(trimmed) ? trimmed : null;
}

/** The token that opens the node of this page's origin, kept by the browser for all tabs of the origin. */
export class Session {
  readonly #state = new StateStore<SessionState>('missing');
  #token: string | null = null;
  readonly state = this.#state.get;
  /** Called at every change, also of one token to another. Returns what ends it. */
  readonly subscribe = this.#state.subscribe;

  /** The token in force; null where there is none. */
  get token(): string | null {
    return this.#token;
  }

  /** Finds the token, in the URL or kept from before, and watches for a link opened later in the same tab. */
  start(): void {
    this.#token = sessionStorage.getItem(STORAGE_KEY) ?? localStorage.getItem(STORAGE_KEY);
    if (!this.#takeFromUrl()) this.#state.set(this.#token === null ? 'missing' : 'ready');
    // Ahead of the router's own listener, so that no page is ever shown for the fragment with the token.
    window.addEventListener('hashchange', (event) => {
      if (!window.location.hash.startsWith('#token=')) return;
      event.stopImmediatePropagation();
      this.#takeFromUrl();
      window.dispatchEvent(new HashChangeEvent('hashchange'));
    });
    // Another tab of the same origin was given a newer link.
    window.addEventListener('storage', (event) => {
      if (event.key === STORAGE_KEY && event.newValue !== null && event.newValue !== this.#token) {
        this.#token = event.newValue;
        this.#state.set('ready');
      }
    });
  }

  /**
   * Begins again with a token. Where this origin has one already, the new one takes its place once the node has taken it,
   * so that an old link spoils no good one; until then this tab alone keeps it, over a reload too.
   */
  try(token: string): void {
    this.#token = token;
    const kept = localStorage.getItem(STORAGE_KEY);
    if (kept === null) localStorage.setItem(STORAGE_KEY, token);
    else if (kept !== token) sessionStorage.setItem(STORAGE_KEY, token);
    this.#state.set('ready');
  }

  /** The node took `used`. */
  proven(used: string): void {
    if (used !== this.#token || localStorage.getItem(STORAGE_KEY) === used) return;
    localStorage.setItem(STORAGE_KEY, used);
    sessionStorage.removeItem(STORAGE_KEY);
  }

  /** The node refused `used`; a newer token that came meanwhile stays in force, and one kept from before is tried again. */
  refused(used: string | null): void {
    if (used !== this.#token) return;
    const kept = localStorage.getItem(STORAGE_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
    if (used !== null && kept !== null && kept !== used) this.try(kept);
    else this.#state.set(used === null ? 'missing' : 'refused');
  }

  #takeFromUrl(): boolean {
    if (!window.location.hash.startsWith('#token=')) return false;
    const value = tokenIn(window.location.hash);
    window.history.replaceState(null, '', `${window.location.pathname}${window.location.search}#/`);
    if (value === null) return false;
    this.try(value);
    return true;
  }
}
