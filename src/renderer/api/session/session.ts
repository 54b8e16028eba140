import {
  HEX_32,
  nodeProofText,
  PROVE_PATH,
  type ProofAnswer,
  type ProofRequest,
  pageProofText,
} from '../../../shared/owner-api/proof.ts';
import { StateStore } from '../../../shared/state-store.ts';
import { ApiError } from '../errors.ts';
import { keep, readKept, takeOldToken } from './kept-keys.ts';
import { hexOf, isNodeProof, pageProof, type SessionKeys, sessionKeysOf } from './session-keys.ts';

/** Longer than a busy node takes. */
const TIMEOUT_MS = 30_000;

/**
 * Has whoever answers prove that it is the node of these keys. Resolves to the bearer that opens it, null where the proof
 * is false; nothing was sent but random bytes then. Rejects with an ApiError `disconnected` where there is no proof at all.
 */
async function introduce(keys: SessionKeys): Promise<string | null> {
  const { host } = window.location;
  const nonce = hexOf(crypto.getRandomValues(new Uint8Array(32)));
  const answer = await askForProof({ nonce });
  if (!(await isNodeProof(keys, nodeProofText(host, nonce, answer.server), answer.proof))) return null;
  return pageProof(keys, pageProofText(host, answer.server));
}

async function askForProof(request: ProofRequest): Promise<ProofAnswer> {
  let body: { readonly value?: Partial<ProofAnswer> } | null;
  try {
    const response = await fetch(PROVE_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    body = await response.json();
  } catch (error) {
    throw new ApiError('disconnected', error instanceof Error ? error.message : undefined);
  }
  const { server = '', proof = '' } = body?.value ?? {};
  if (HEX_32.test(server) && HEX_32.test(proof)) return { server, proof };
  throw new ApiError('disconnected', 'what answers gives no proof');
}

// A browser opens the view by a link that ends in `#token=…`. A fragment is never sent to a server, and the token is
// taken out of the URL at once, so that it stays out of the history and of a copied address. It is not kept and not sent:
// keys that are derived from it are kept, and prove to node and page that both know it.

/** Whether this page may call the node: it has keys, it has none, or what answers does not prove to know the token. */
export type SessionState = 'ready' | 'missing' | 'refused';

/** The token in what the owner pasted: the whole link, its fragment, or the token alone; null where there is none. */
export function tokenIn(text: string): string | null {
  const trimmed = text.trim();
  const found = /(?:^|[#&?])token=([A-Za-z0-9._~-]{16,256})$/.exec(trimmed)?.[1];
  if (found !== undefined) return found;
  return /^[A-Za-z0-9._~-]{16,256}$/.test(trimmed) ? trimmed : null;
}

/** The secret that opens a node in a browser. */
export interface PageSession {
  readonly state: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Whether the browser proves by itself who it is; then there is no bearer. */
  readonly usesCookie: boolean;
  readonly isUntried: boolean;
  readonly token: string | null;
  bearer(): Promise<string>;
  refused(bearer: Promise<string>): void;
  /** The connection broke; `code` is what its socket was closed with, null where it fell silent. */
  lost(code: number | null): void;
  prove(): Promise<void>;
  try(token: string): Promise<void>;
}

/** The secret that opens the node of this page's origin, kept by the browser for all tabs of the origin. */
export class Session implements PageSession {
  readonly usesCookie = false;
  readonly #state = new StateStore<SessionState>('missing');
  readonly #otherTabs = new BroadcastChannel('wellhouse.session');
  #keys: SessionKeys | null = null;
  /** The secret of this page load's link; gone with the page. */
  #token: string | null = null;
  #provenId: string | null = null;
  #bearer: Promise<string> | null = null;
  readonly state = this.#state.get;
  /** Called for every change, also of one link to another. Returns what ends it. */
  readonly subscribe = this.#state.subscribe;

  /** Whether the link at hand has not opened the node in this page yet: it may be mistyped. */
  get isUntried(): boolean {
    return this.#token !== null && this.#keys?.id !== this.#provenId;
  }

  /** The token, where this page was opened by its link and not loaded again since. */
  get token(): string | null {
    return this.#token;
  }

  /** Finds the keys, by the URL or kept from before, and watches for a link opened later in the same tab. */
  async start(): Promise<void> {
    // Ahead of the router's own listener, so that no page is ever shown for the fragment with the token.
    window.addEventListener('hashchange', (event) => {
      if (!hasToken()) return;
      event.stopImmediatePropagation();
      const token = takeFromUrl();
      if (token !== null) void this.try(token);
      window.dispatchEvent(new HashChangeEvent('hashchange'));
    });
    // Another tab of the same origin was given a newer link, and the node took it.
    this.#otherTabs.onmessage = () => void this.#useKept();
    const old = takeOldToken();
    if (old !== null) await keep('kept', await sessionKeysOf(old));
    const token = hasToken() ? takeFromUrl() : null;
    if (token !== null) return this.try(token);
    this.#use((await readKept('tried')) ?? (await readKept('kept')));
  }

  /**
   * Begins again with a token. What this origin has already gives way once the node has proven to know the new one, so
   * that an old link spoils no good one; until then the new one is kept beside it, over a reload too.
   */
  async try(token: string): Promise<void> {
    const keys = await sessionKeysOf(token);
    await keep('tried', keys);
    this.#token = token;
    this.#use(keys);
  }

  /**
   * Resolves with the secret that opens the node, once the node has proven itself; the same one until it is forgotten.
   * Rejects with an ApiError: `disconnected`, `unauthorized`.
   */
  bearer(): Promise<string> {
    if (this.#bearer !== null) return this.#bearer;
    const bearer = this.#introduce();
    this.#bearer = bearer;
    bearer.catch(() => this.refused(bearer));
    return bearer;
  }

  /** The node did not take this bearer: it has to prove itself again, unless it did so since. */
  refused(bearer: Promise<string>): void {
    if (this.#bearer === bearer) this.#bearer = null;
  }

  /** The connection broke: whoever answers next may be another program, and has to prove itself first. */
  lost(): void {
    this.#bearer = null;
  }

  /** Has the node prove itself now. Rejects as `bearer` does. */
  async prove(): Promise<void> {
    this.#bearer = null;
    await this.bearer();
  }

  async #introduce(): Promise<string> {
    for (;;) {
      const keys = this.#keys;
      if (keys === null) {
        this.#state.set('missing');
        throw new ApiError('unauthorized');
      }
      const bearer = await introduce(keys);
      // Another link was opened meanwhile.
      if (keys !== this.#keys) continue;
      if (bearer !== null) {
        await this.#proven(keys);
        return bearer;
      }
      const kept = await readKept('kept');
      await keep('tried', null);
      if (kept === null || kept.id === keys.id) {
        this.#state.set('refused');
        throw new ApiError('unauthorized');
      }
      this.#token = null;
      this.#keys = kept;
    }
  }

  async #proven(keys: SessionKeys): Promise<void> {
    this.#provenId = keys.id;
    if (this.#state.get() !== 'ready') this.#state.set('ready');
    if ((await readKept('kept'))?.id === keys.id) return;
    await keep('kept', keys);
    await keep('tried', null);
    this.#otherTabs.postMessage('changed');
  }

  async #useKept(): Promise<void> {
    const kept = await readKept('kept');
    if (kept === null || (kept.id === this.#keys?.id && this.state() === 'ready')) return;
    this.#token = null;
    this.#use(kept);
  }

  #use(keys: SessionKeys | null): void {
    this.#keys = keys;
    this.#bearer = null;
    this.#state.set(keys === null ? 'missing' : 'ready');
  }
}

/** A link may name a page before the token: `#/settings?token=…`. */
const hasToken = () => /^#(?:token=|\/[^?]*\?token=)/.test(window.location.hash);

/** The token in the URL, taken out of it; null where what stands there is none. */
function takeFromUrl(): string | null {
  const { hash } = window.location;
  const token = tokenIn(hash);
  const page = hash.startsWith('#/') ? hash.slice(0, hash.indexOf('?')) : '#/';
  window.history.replaceState(null, '', `${window.location.pathname}${window.location.search}${page}`);
  return token;
}
