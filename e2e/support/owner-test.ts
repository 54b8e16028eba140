import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { OwnerNode } from './owner-node.ts';

/** Watches all pages of a test. */
export interface Watch {
  /** Allows the pages of this test to access an origin in addition to their own. */
  allow(origin: string): void;
  /** Accepts a complaint of the browser that this test causes on purpose. */
  tolerate(complaint: RegExp): void;
  /** Stops watching: the node is about to end, and an open page would complain. */
  end(): void;
}

/**
 * Watches a context: its pages' requests to other origins, and errors in the console, where Chromium also reports
 * violations of the content security policy. Everything that the test did not announce fails it.
 */
class ContextWatch implements Watch {
  readonly #allowed = new Set<string>();
  readonly #tolerated: RegExp[] = [];
  readonly #complaints: string[] = [];
  #ended = false;

  constructor(context: BrowserContext) {
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol === 'data:' || url.protocol === 'blob:') return;
      if (request.isNavigationRequest() && request.frame().parentFrame() === null) this.#allowed.add(url.origin);
      if (!this.#allowed.has(url.origin)) this.#complain(`a request to ${url.href}`);
    });
    context.on('page', (page) => {
      page.on('websocket', (socket) => {
        const { origin } = new URL(socket.url().replace(/^ws/, 'http'));
        if (!this.#allowed.has(origin)) this.#complain(`a WebSocket to ${socket.url()}`);
      });
    });
    context.on('console', (message) => {
      if (message.type() === 'error') this.#complain(`console: ${message.text()}`);
    });
    context.on('weberror', (error) => this.#complain(`uncaught: ${error.error().stack ?? error.error().message}`));
  }

  allow(origin: string): void {
    this.#allowed.add(origin);
  }

  tolerate(complaint: RegExp): void {
    this.#tolerated.push(complaint);
  }

  end(): void {
    this.#ended = true;
  }

  #complain(text: string): void {
    if (!this.#ended) this.#complaints.push(text);
  }

  check(): void {
    const unexpected = this.#complaints.filter((text) => !this.#tolerated.some((known) => known.test(text)));
    expect(unexpected, 'no request elsewhere, no CSP violation, no error').toEqual([]);
  }
}

/** Playwright's test, with every context watched. `freshNode` is a new node for only this test. */
export const test = base.extend<{ watch: Watch; freshNode: OwnerNode }>({
  freshNode: async ({ watch }, use) => {
    const node = await OwnerNode.start();
    await use(node);
    watch.end();
    await node.dispose();
  },
  watch: [
    async ({ context }, use) => {
      const watch = new ContextWatch(context);
      await use(watch);
      watch.check();
    },
    { auto: true },
  ],
});

export { expect };

/** Opens the owner's view by its link and waits for the page of `hash`, such as `#/connect`. */
export async function openOwner(page: Page, node: OwnerNode, hash = '#/'): Promise<void> {
  await page.goto(node.link);
  // Not `expect`, which describes the whole page each time that it does not find something yet.
  await page.getByText('Live', { exact: true }).waitFor();
  if (hash !== '#/') await page.goto(`${node.url('local')}/ui/${hash}`);
}

/** Opens the page of a device and waits for its charts and readings, also in a narrow window. */
export async function openDevice(page: Page, node: OwnerNode, id: string): Promise<void> {
  await openOwner(page, node, `#/device/${id}?tab=readings`);
  // The page of another device has a heading, readings and charts too, and is shown until this one replaces it.
  await page.locator(`main a[href^="#/report/device/${id}"]`).waitFor({ state: 'attached' });
  await page.getByRole('grid', { name: 'Readings' }).waitFor();
  await page.locator('.uplot canvas').first().waitFor();
}

/**
 * Opens the tab with everything about a device except its readings. By keyboard: while the sections above it still load,
 * the tab moves, and the mouse can miss it.
 */
export const openAbout = (page: Page) => page.getByRole('tab', { name: 'Device and network' }).press('Enter');

/** Returns the newest value of a field at the head of a device's page. */
export const tile = (page: Page, field: string) =>
  page
    .locator('header dl > div')
    .filter({ has: page.getByText(field, { exact: true }) })
    .locator('dd');

/** Returns by how many pixels the page is too wide for its window. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => {
    const areas = [document.scrollingElement!, ...document.querySelectorAll('main')];
    return Math.max(...areas.map((area) => area.scrollWidth - area.clientWidth));
  });
}
