import type { Browser, Page } from '@playwright/test';

// The phone of scripts/try-door.sh, and what its pages are asked.

/** How long a page may take for a step. */
export const WITHIN_MS = 30_000;

/** A phone's screen. `trusts`: its owner went past the warning of the certificate. */
export async function newPhone(browser: Browser, { trusts = true } = {}): Promise<Page> {
  const screen = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en-US' };
  const page = await (await browser.newContext({ ...screen, ignoreHTTPSErrors: trusts })).newPage();
  page.setDefaultTimeout(WITHIN_MS);
  return page;
}
/** Waits until a page shows a text. */
export const seen = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
/** The network error that a page ends in. */
export const errorOf = (page: Page, url: string) =>
  page.goto(url).then(
    (answer) => `answered ${answer?.status()}`,
    (error: Error) => /net::\w+/.exec(error.message)?.[0] ?? error.message,
  );
/** The same on a phone of its own, which then goes: Chromium would try such a page again and again. */
export async function refusal(browser: Browser, url: string, { trusts = true } = {}): Promise<string> {
  const stranger = await newPhone(browser, { trusts });
  const error = await errorOf(stranger, url);
  await stranger.context().close();
  return error;
}
/** Calls of the owner API as a page of the door makes them, by its cookie: their statuses. */
export const statuses = (page: Page, methods: readonly string[]) =>
  page.evaluate(async (names) => {
    const headers = { 'content-type': 'application/json' };
    const answers = names.map((name) => fetch(`/ui/api/${name}`, { method: 'POST', headers, body: '{}' }));
    return (await Promise.all(answers)).map(({ status }) => status);
  }, methods);
