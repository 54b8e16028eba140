import type { Page } from '@playwright/test';
import { complaints } from '../support/axe.ts';
import { everyPageNode, PAGES, tooWide, walk } from '../support/every-page.ts';
import { typePassphrase, unlocked } from '../support/keys.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

const WIDTHS = [390, 768, 900, 1024, 1440, 2560];
const node = everyPageNode();
const softly = expect.configure({ soft: true });

test.describe.configure({ mode: 'parallel' });

/** The items that the header offers and the window does not show. */
function outOfView(page: Page): Promise<(string | null)[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('header:first-of-type :is(a, button, input)')].flatMap((control) => {
      const { left, right, width } = control.getBoundingClientRect();
      const isOut = left < 0 || right > document.documentElement.clientWidth;
      return width > 1 && isOut ? [control.getAttribute('aria-label') ?? control.textContent] : [];
    }),
  );
}

for (const scheme of ['light', 'dark'] as const) {
  test(`axe finds no error on any page at any width, ${scheme}, and none scrolls sideways`, async ({ page, watch }) => {
    test.setTimeout(600_000);
    // A page shows a device that the node does not know.
    watch.tolerate(/404/);
    await page.emulateMedia({ colorScheme: scheme });
    await openOwner(page, node());
    await walk(page, node(), { [scheme]: WIDTHS });
  });

  test(`axe finds no error with open keys, ${scheme}`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.emulateMedia({ colorScheme: scheme });
    await openOwner(page, node(), '#/keys');
    await typePassphrase(page);
    await unlocked(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft([...(await tooWide(page)), ...(await complaints(page, scheme))], `${width} pixels`).toEqual([]);
    }
  });
}

for (const language of ['en', 'pt-BR', 'es']) {
  test(`no page scrolls sideways at any width, ${language}`, async ({ page, watch }) => {
    test.setTimeout(180_000);
    watch.tolerate(/404/);
    await page.addInitScript((tag) => localStorage.setItem('wellhouse.language', tag), language);
    await page.goto(node().link);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    for (const { name, hash } of PAGES) {
      await page.goto(`${node().url('local')}/ui/${hash()}`);
      await expect(page.locator('main').getByRole('heading').first()).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        // The header of a small screen comes a moment after the screen is small.
        await softly.poll(() => tooWide(page), { message: `${name}, ${width} pixels` }).toEqual([]);
        await softly.poll(() => outOfView(page), { message: `${name}, ${width} pixels` }).toEqual([]);
      }
    }
  });
}
