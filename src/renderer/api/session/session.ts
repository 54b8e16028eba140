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

/** More time than a busy node needs, in milliseconds. */
const TIMEOUT_MS = 30_000;

/**
 * Asks the server to prove that it is the node of these keys. Resolves with the bearer that opens the node; null if the
 * proof is false. Only random bytes have been sent by then. Rejects with ApiError `disconnected` if there is no proof.
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

// A browser opens the view by a link that ends in `#token=…`. A fragment is never sent to a server. The token is
// removed from the URL at once, so that it is not in the history or in a copied address. It is neither kept nor sent:
// the page keeps keys derived from it. With them, node and page prove to each other that they know the token.

/**
 * Whether this page may call the node: it has keys, it has none, or the server does not prove that it knows the token.
 */
export type SessionState = 'ready' | 'missing' | 'refused';

/**
 * Returns the token in a pasted text, which may be the whole link, its fragment or the token; null if there is none.
 */
export function tokenIn(text: string): string | null {
  const trimmed = text.trim();
  const found = /(?:^|[#&?])token=([A-Za-z0-9._~-]{16,256})$/.exec(trimmed)?.[1];
  if (found !== undefined) return found;
  return /^[A-Za-z0-9._~-]{16,256}$/.test(trimmed) ? trimmed : null;
}

/** The session of a page, with the secret that opens a node in a browser. */
export interface PageSession {
  readonly state: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Whether the browser identifies itself by a cookie. Then there is no bearer. */
  readonly usesCookie: boolean;
  readonly isUntried: boolean;
  readonly token: string | null;
  bearer(): Promise<string>;
  refused(bearer: Promise<string>): void;
  /** Call this when the connection broke. `code` is the socket's close code; null if it fell silent. */
  lost(code: number | null): void;
  prove(): Promise<void>;
  try(token: string): Promise<void>;
}

/** The session with the node of this page's origin. The browser keeps its keys for all tabs of the origin. */
export class Session implements PageSession {
  readonly usesCookie = false;
  readonly #state = new StateStore<SessionState>('missing');
  readonly #otherTabs = new BroadcastChannel('wellhouse.session');
  #keys: SessionKeys | null = null;
  /** The token of the link that opened this page. It is lost on a reload. */
  #token: string | null = null;
  #provenId: string | null = null;
  #bearer: Promise<string> | null = null;
  readonly state = this.#state.get;
  /** Calls back at every change, also from one link to another. Returns a function that stops it. */
  readonly subscribe = this.#state.subscribe;

  /** Whether the current link has not opened the node on this page yet. It may be mistyped. */
  get isUntried(): boolean {
    return this.#token !== null && this.#keys?.id !== this.#provenId;
  }

  /** The token if this page was opened by its link and not reloaded since; otherwise null. */
  get token(): string | null {
    return this.#token;
  }

  /** Finds the keys in the URL or in the storage, and watches for a link that is opened later in the same tab. */
  async start(): Promise<void> {
    // Runs before the router's listener, so that no page is shown for the fragment with the token.
    window.addEventListener('hashchange', (event) => {
      if (!hasToken()) return;
      event.stopImmediatePropagation();
      const token = takeFromUrl();
      if (token !== null) void this.try(token);
      window.dispatchEvent(new HashChangeEvent('hashchange'));
    });
    // Another tab of this origin got a newer link, which has opened the node.
    this.#otherTabs.onmessage = () => void this.#useKept();
    const old = takeOldToken();
    if (old !== null) await keep('kept', await sessionKeysOf(old));
    const token = hasToken() ? takeFromUrl() : null;
    if (token !== null) return this.try(token);
    this.#use((await readKept('tried')) ?? (await readKept('kept')));
  }

  /**
   * Starts again with a token. The new keys replace the kept ones when the node has proven to know them, so that an old
   * link can't break a good one. Until then both are kept, also over a reload.
   */
  async try(token: string): Promise<void> {
    const keys = await sessionKeysOf(token);
    await keep('tried', keys);
    this.#token = token;
    this.#use(keys);
  }

  /**
   * Resolves with the secret that opens the node, after the node has proven itself. Returns the same promise until the
   * secret is forgotten. Rejects with ApiError `disconnected` or `unauthorized`.
   */
  bearer(): Promise<string> {
    if (this.#bearer !== null) return this.#bearer;
    const bearer = this.#introduce();
    this.#bearer = bearer;
    bearer.catch(() => this.refused(bearer));
    return bearer;
  }

  /** The node refused this bearer. It has to prove itself again, unless it has since. */
  refused(bearer: Promise<string>): void {
    if (this.#bearer === bearer) this.#bearer = null;
  }

  /** The connection broke. The next server may be another program, so it has to prove itself first. */
  lost(): void {
    this.#bearer = null;
  }

  /** Makes the node prove itself now. Rejects like `bearer`. */
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

/** Returns whether the fragment has a token. A page may be before the token: `#/settings?token=…`. */
const hasToken = () => /^#(?:token=|\/[^?]*\?token=)/.test(window.location.hash);

/** Returns the token in the URL and removes it from there; null if the text is not a token. */
function takeFromUrl(): string | null {
  const { hash } = window.location;
  const token = tokenIn(hash);
  const page = hash.startsWith('#/') ? hash.slice(0, hash.indexOf('?')) : '#/';
  window.history.replaceState(null, '', `${window.location.pathname}${window.location.search}${page}`);
  return token;
}
