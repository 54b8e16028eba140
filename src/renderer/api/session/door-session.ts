import type { PairingEnd, PairRequest } from '../../../shared/owner-api/door.ts';
import type { CallerInfo } from '../../../shared/owner-api/node.ts';
import { SOCKET_CLOSE } from '../../../shared/owner-api/socket.ts';
import { ENDED_PATH, PAIR_PATH, readPairingQuery } from '../../../shared/pairing-link.ts';
import { StateStore } from '../../../shared/state-store.ts';
import type { PageSession, SessionState } from './session.ts';

/**
 * Returns whether this page came through the door, which adds a meta tag. Then a pairing opens the node, by a cookie
 * that no page can read.
 */
export function isDoorPage(): boolean {
  return document.querySelector('meta[name="wellhouse-door"]') !== null;
}

/** The result of entering a code. */
export type PairOutcome = 'paired' | 'wrong_code' | 'disconnected' | 'failed' | { readonly waitSeconds: number };

/** The session of a page that came through the door. */
export class DoorSession implements PageSession {
  readonly usesCookie = true;
  readonly isUntried = false;
  readonly token = null;
  readonly #state = new StateStore<SessionState>('missing');
  readonly state = this.#state.get;
  readonly subscribe = this.#state.subscribe;
  #code: string | null = null;
  #fingerprint: string | null = null;

  /** The code of the link that opened this page; null if there was none. */
  get code(): string | null {
    return this.#code;
  }

  /** The fingerprint in the link, in hex; null if the page was opened without a link. */
  get fingerprint(): string | null {
    return this.#fingerprint;
  }

  /**
   * Returns when the owner ended the access of this browser, in Unix milliseconds; null if it had none, or if that is
   * not known.
   */
  async endedAt(): Promise<number | null> {
    return (await postOf<PairingEnd>(ENDED_PATH))?.endedAt ?? null;
  }

  /** Looks up whether this browser is paired. Returns its role and permissions; null if it is not paired. */
  async start(): Promise<CallerInfo | null> {
    this.#takeCode();
    window.addEventListener('hashchange', () => {
      if (this.#takeCode()) this.#state.set('missing');
    });
    const caller = await postOf<CallerInfo>('/ui/api/caller');
    if (caller !== null && this.#code === null) this.#state.set('ready');
    return caller;
  }

  /** Sends a code. After `paired`, the page must be reloaded. */
  async pair(code: string): Promise<PairOutcome> {
    try {
      const response = await fetch(PAIR_PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code, as: 'browser' } satisfies PairRequest),
        cache: 'no-store',
        credentials: 'same-origin',
      });
      if (response.ok) return 'paired';
      if (response.status === 401) return 'wrong_code';
      if (response.status === 429) return { waitSeconds: Number(response.headers.get('retry-after') ?? 1) };
      return 'failed';
    } catch {
      return 'disconnected';
    }
  }

  bearer(): Promise<string> {
    return Promise.resolve('');
  }

  /** The node no longer knows this browser. */
  refused(): void {
    this.#state.set('refused');
  }

  lost(code: number | null): void {
    if (code === SOCKET_CLOSE.unauthorized) this.refused();
  }

  async prove(): Promise<void> {}

  async try(): Promise<void> {}

  /** Reads the code and removes it from the URL at once, so that it is not in the browser's history. */
  #takeCode(): boolean {
    const [page, query = ''] = window.location.hash.split('?', 2);
    if (page !== '#/pair') return false;
    const said = readPairingQuery(query);
    this.#code = said?.code ?? '';
    this.#fingerprint = said?.fingerprint ?? null;
    window.history.replaceState(null, '', `${window.location.pathname}#/`);
    return true;
  }
}

/** Posts an empty input; returns null if the node refuses it or does not answer. */
async function postOf<T>(path: string): Promise<T | null> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      cache: 'no-store',
      credentials: 'same-origin',
    });
    const answer = (await response.json()) as { readonly ok: boolean; readonly value: T };
    return answer.ok ? answer.value : null;
  } catch {
    return null;
  }
}
