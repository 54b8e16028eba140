import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { OwnerNode } from './owner-node.ts';

/** Watches every page of a test. */
export interface Watch {
  /** Lets the pages of this test reach an origin besides those that it opens itself. */
  allow(origin: string): void;
  /** A complaint of the browser that this test brings about on purpose. */
  tolerate(complaint: RegExp): void;
  /** Looks no further: the node is about to go, and a page that is still open complains of it. */
  end(): void;
}

/**
 * Watches a context: what its pages ask of other origins, and errors in the console, where Chromium also tells what it
 * refused by the content security policy. Anything but what the test announced fails it.
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

/** Playwright's test, with every context watched; `freshNode` is a node for the one test that asks for it. */
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

/** Opens the owner's view by its link and waits for the page that `hash` names, such as `#/connect`. */
export async function openOwner(page: Page, node: OwnerNode, hash = '#/'): Promise<void> {
  await page.goto(node.link);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  if (hash !== '#/') await page.goto(`${node.url('local')}/ui/${hash}`);
}

/** Opens the page of a device and waits until its charts and readings are there, in a narrow window too. */
export async function openDevice(page: Page, node: OwnerNode, id: string): Promise<void> {
  await openOwner(page, node, `#/device/${id}?tab=readings`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Readings' })).toBeVisible();
  await expect(page.locator('.uplot canvas').first()).toBeVisible();
}

/** Opens what is known of a device besides its readings. */
export const openAbout = (page: Page) => page.getByRole('tab', { name: 'Device and network' }).click();

/** The newest value of a field at the head of a device's page. */
export const tile = (page: Page, field: string) =>
  page
    .locator('header dl > div')
    .filter({ has: page.getByText(field, { exact: true }) })
    .locator('dd');

/** Whether the page itself scrolls sideways: by how many pixels it is too wide. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => {
    const areas = [document.scrollingElement!, ...document.querySelectorAll('main')];
    return Math.max(...areas.map((area) => area.scrollWidth - area.clientWidth));
  });
}
