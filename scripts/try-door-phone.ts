import type { Browser, Page } from '@playwright/test';

// The phone of scripts/try-door.sh, and the requests of its pages.

/** The timeout of a step on a page. */
export const WITHIN_MS = 30_000;

/** Returns a page on a phone's screen. `trusts`: its owner accepted the warning about the certificate. */
export async function newPhone(browser: Browser, { trusts = true } = {}): Promise<Page> {
  const screen = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en-US' };
  const page = await (await browser.newContext({ ...screen, ignoreHTTPSErrors: trusts })).newPage();
  page.setDefaultTimeout(WITHIN_MS);
  return page;
}
/** Waits until a page shows a text. */
export const seen = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
/** Returns the network error that opening a URL ends with. */
export const errorOf = (page: Page, url: string) =>
  page.goto(url).then(
    (answer) => `answered ${answer?.status()}`,
    (error: Error) => /net::\w+/.exec(error.message)?.[0] ?? error.message,
  );
/** Does the same on a separate phone and closes it: Chromium would keep retrying such a page. */
export async function refusal(browser: Browser, url: string, { trusts = true } = {}): Promise<string> {
  const stranger = await newPhone(browser, { trusts });
  const error = await errorOf(stranger, url);
  await stranger.context().close();
  return error;
}
/** Calls methods of the owner API as a page of the door does, with its cookie. Returns their statuses. */
export const statuses = (page: Page, methods: readonly string[]) =>
  page.evaluate(async (names) => {
    const headers = { 'content-type': 'application/json' };
    const answers = names.map((name) => fetch(`/ui/api/${name}`, { method: 'POST', headers, body: '{}' }));
    return (await Promise.all(answers)).map(({ status }) => status);
  }, methods);
