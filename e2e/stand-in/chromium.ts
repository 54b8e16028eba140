import { createServer } from 'node:net';
import { type Browser, type BrowserContext, chromium, type Page, type Request, type Route } from '@playwright/test';
import { offer } from './control.ts';
import { pageScript } from './page-side.ts';
import type { PageOwner, Pages, ShownPage } from './pages.ts';
import { answerRequest } from './session.ts';

let browser: Browser | null = null;
let context: BrowserContext | null = null;
let port = 0;

/** The origin in place of app://wellhouse: Chromium opens no unknown scheme. */
const PAGE_ORIGIN = 'https://app.stand-in.test';
const APP_ORIGIN = 'app://wellhouse';

/** Converts between the app's addresses and the browser's. Other addresses stay as they are. */
const toAppUrl = (url: string) => swapped(url, PAGE_ORIGIN, APP_ORIGIN);
const toPageUrl = (url: string) => swapped(url, APP_ORIGIN, PAGE_ORIGIN);

function swapped(url: string, from: string, to: string): string {
  return url === from || url.startsWith(`${from}/`) ? to + url.slice(from.length) : url;
}

/** Shows pages in Chromium. The test connects to the same browser. */
export const chromiumPages: Pages = {
  async open() {
    if (browser !== null) return;
    port = await freePort();
    browser = await chromium.launch({
      executablePath: process.env.WELLHOUSE_E2E_CHROMIUM ?? '/usr/bin/chromium',
      args: [...(process.env.STAND_IN_CHROMIUM_ARGS ?? '').split(' '), `--remote-debugging-port=${port}`],
    });
    context = await browser.newContext({
      viewport: { width: 1280, height: 860 },
      locale: 'en-US',
      timezoneId: 'America/Sao_Paulo',
    });
  },
  async make(owner) {
    if (context === null) throw new Error('the app is not ready: no window before that');
    return ChromiumPage.make(context, owner);
  },
  async close() {
    const closing = browser;
    browser = null;
    await closing?.close();
  },
};

/** Returns a free port: a fixed port could connect the test to the browser of an earlier run. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** null before Chromium runs. */
offer('debuggingUrl', () => (browser === null ? null : `http://127.0.0.1:${port}`));

class ChromiumPage implements ShownPage {
  readonly #page: Page;
  readonly #owner: PageOwner;
  #isLoadingUrl = false;

  private constructor(page: Page, owner: PageOwner) {
    this.#page = page;
    this.#owner = owner;
  }

  static async make(context: BrowserContext, owner: PageOwner): Promise<ChromiumPage> {
    const page = await context.newPage();
    const made = new ChromiumPage(page, owner);
    page.on('console', (message) => {
      const { url: sourceId = '', lineNumber = 0 } = message.location();
      owner.said({ level: message.type(), message: message.text(), sourceId: toAppUrl(sourceId), lineNumber });
    });
    page.on('pageerror', (error) => {
      const message = `Uncaught ${error.name}: ${error.message}`;
      owner.said({ level: 'error', message, sourceId: '', lineNumber: 0 });
    });
    await page.exposeBinding('standInInvoke', ({ frame }, channel: string, values: string) => {
      const parent = frame.parentFrame() === null ? null : {};
      return owner.invoke({ url: toAppUrl(frame.url()), parent }, channel, values);
    });
    await page.addInitScript({ content: pageScript(owner.preferences.preload, owner.preferences) });
    await made.#refusePopups(context);
    await context.route('**/*', async (route) => {
      if (made.#mayLoad(route.request())) await fulfill(route);
      else await route.abort('aborted');
    });
    return made;
  }

  /**
   * Asks the app about each window that the page opens, as Electron does, and closes the popup that Chromium created.
   */
  async #refusePopups(context: BrowserContext): Promise<void> {
    context.on('page', (popup) => void popup.close().catch(() => {}));
    const session = await context.newCDPSession(this.#page);
    // The event has the address. The popup's own request may never come, because the popup is closed at once.
    session.on('Page.windowOpen', ({ url }) => {
      if (this.#owner.mayOpen(toAppUrl(url))) throw new Error('the stand-in opens no second window');
    });
    await session.send('Page.enable');
  }

  #mayLoad(request: Request): boolean {
    if (!request.isNavigationRequest()) return true;
    if (pageOf(request) !== this.#page) return false;
    const isMainFrame = request.frame() === this.#page.mainFrame();
    return this.#isLoadingUrl || this.#owner.mayLoad(toAppUrl(request.url()), isMainFrame);
  }

  url(): string {
    return toAppUrl(this.#page.url());
  }

  async load(url: string): Promise<void> {
    this.#isLoadingUrl = true;
    await this.#page.goto(toPageUrl(url));
    this.#isLoadingUrl = false;
  }

  reload(): void {
    void this.#page.reload().catch(() => {});
  }

  send(channel: string, values: string): void {
    const sending = this.#page.evaluate(
      ([name, sent]) =>
        (globalThis as { standInEmit?: (channel: string, values: string) => void }).standInEmit?.(name!, sent!),
      [channel, values],
    );
    void sending.catch(() => {});
  }

  close(): void {
    void this.#page.close().catch(() => {});
  }
}

/** Returns the page of a request; null for the first request of a page that is still being created (a popup). */
function pageOf(request: Request): Page | null {
  try {
    return request.frame().page();
  } catch {
    return null;
  }
}

async function fulfill(route: Route): Promise<void> {
  const request = route.request();
  const response = await answerRequest(toAppUrl(request.url()), request.method());
  if (response === null) {
    await route.abort('blockedbyclient');
    return;
  }
  const body = Buffer.from(await response.arrayBuffer());
  await route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body });
}
