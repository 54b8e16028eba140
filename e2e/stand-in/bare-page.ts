import { createContext, runInContext } from 'node:vm';
import { pageScript } from './page-side.ts';
import type { PageOwner, Pages, ShownPage } from './pages.ts';
import { answerRequest } from './session.ts';

let current: BarePage | null = null;

/** Returns the last shown page; null before a window has loaded one. */
export const barePage = (): BarePage | null => current;

/**
 * Shows pages without a browser: each is a separate JavaScript world with the preload script in it, but without the
 * renderer.
 */
export const barePages: Pages = {
  async open() {},
  async make(owner) {
    current = new BarePage(owner);
    return current;
  },
  async close() {
    current = null;
  },
};

/** The browser's globals that the page's scripts use. */
const OF_A_BROWSER = { atob, btoa, setTimeout, TextEncoder, TextDecoder };

/** The page of a window as far as the preload script is concerned: the calls and events of the page. */
export class BarePage implements ShownPage {
  readonly #owner: PageOwner;
  #world: object | null = null;
  #url = 'about:blank';
  #loads = 0;

  constructor(owner: PageOwner) {
    this.#owner = owner;
  }

  /** The number of page loads. */
  get loads(): number {
    return this.#loads;
  }

  /** Whether the preload script has run, so that the page can call. */
  get isLoaded(): boolean {
    return this.#world !== null;
  }

  url(): string {
    return this.#url;
  }

  async load(url: string): Promise<void> {
    const response = await answerRequest(url, 'GET');
    if (response?.status !== 200) throw new Error(`${url} can not be loaded: ${response?.status ?? 'it is blocked'}`);
    const world = createContext({
      ...OF_A_BROWSER,
      standInInvoke: (channel: string, values: string) => {
        // A replaced page gets no answer.
        if (this.#world !== world) return new Promise(() => {});
        return this.#owner.invoke({ url: this.#url, parent: null }, channel, values);
      },
    });
    runInContext('globalThis.window = globalThis.top = globalThis', world);
    runInContext(pageScript(this.#owner.preferences.preload, this.#owner.preferences), world);
    this.#url = url;
    this.#world = world;
    this.#loads += 1;
  }

  reload(): void {
    void this.load(this.#url);
  }

  send(channel: string, values: string): void {
    const world = this.#world as { standInEmit?: (channel: string, values: string) => void } | null;
    setImmediate(() => world?.standInEmit?.(channel, values));
  }

  close(): void {
    this.#world = null;
  }

  /** Changes the page's address from inside, as with `history.pushState`. */
  pushState(url: string): void {
    this.#url = new URL(url, this.#url).href;
  }

  /** Requests a window from the page. */
  open(url: string): void {
    if (this.#owner.mayOpen(url)) throw new Error('the stand-in opens no second window');
  }

  /** Navigates the page, or a frame in it, to an address. Resolves with whether it was allowed. */
  async navigate(url: string, { isMainFrame = true } = {}): Promise<boolean> {
    const target = new URL(url, this.#url).href;
    if (!this.#owner.mayLoad(target, isMainFrame)) return false;
    if (isMainFrame) await this.load(target);
    return true;
  }

  /** Writes to the page's console. */
  say(level: string, message: string, sourceId = this.#url): void {
    this.#owner.said({ level, message, sourceId, lineNumber: 1 });
  }

  /**
   * Runs a function in the page, like Playwright's `evaluate`. The function may use only its argument and the page's
   * globals.
   */
  async evaluate<T, A = undefined>(run: (given: A) => T | Promise<T>, given?: A): Promise<T> {
    if (this.#world === null) throw new Error('there is no page');
    const argument = given === undefined ? '' : JSON.stringify(given);
    // A copy, because objects of another world are never equal to objects of this one.
    return structuredClone((await runInContext(`(${run})(${argument})`, this.#world)) as T);
  }
}
