import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { complaints } from './support/axe.ts';
import { everyPageNode, fullDevice, PAGES, tooWide, walk } from './support/every-page.ts';
import { typePassphrase, unlocked } from './support/keys.ts';
import { expect, openOwner, test } from './support/owner-test.ts';

// A phone and a desk, in light; the other widths, colours and languages: e2e/long/layout.spec.ts.

const WIDTHS = [390, 1440];
const node = everyPageNode();

/** The landmarks and headings that a screen reader uses, with whatever stands over the page. */
async function landmarks(page: Page): Promise<string[]> {
  const rules = ['landmark-no-duplicate-banner', 'landmark-unique', 'page-has-heading-one'];
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withRules(rules).analyze();
  return violations.flatMap(({ id: rule, nodes }) => nodes.map(({ target }) => `${rule}: ${target.join(' ')}`));
}

test('every page has a heading of its own, and one header, also with a dialog open', async ({ page, watch }) => {
  test.setTimeout(180_000);
  watch.tolerate(/404/);
  await openOwner(page, node());
  const gone = {
    name: 'unknown device',
    hash: () => `#/device/${'ab'.repeat(32)}`,
    isThere: (of: Page) => expect(of.getByRole('heading', { name: 'This node knows no such device' })).toBeVisible(),
  };
  for (const { name, hash, isThere } of [...PAGES, gone]) {
    await page.goto(`${node().url('local')}/ui/${hash()}`);
    // The heading of the page before stays until this one is loaded.
    await isThere(page);
    await expect(page.locator('main').getByRole('heading', { level: 1 }), name).toBeAttached();
    expect.soft(await landmarks(page), name).toEqual([]);
  }
  await page.goto(`${node().url('local')}/ui/#/device/${fullDevice()}`);
  await page.getByRole('button', { name: 'Units and tank' }).click();
  await expect(page.getByRole('dialog', { name: 'Units and tank' })).toBeVisible();
  expect.soft(await landmarks(page), 'a dialog').toEqual([]);
  await page.keyboard.press('Escape');
  const readings = page.getByRole('grid', { name: 'Readings' });
  await readings.getByRole('gridcell').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  expect.soft(await landmarks(page), 'a drawer').toEqual([]);
});

test('axe finds no error on any page, and none scrolls sideways', async ({ page }) => {
  test.setTimeout(300_000);
  await openOwner(page, node());
  await walk(page, node(), { widths: WIDTHS, scheme: 'light' });
});

test('nor with open keys', async ({ page }) => {
  await openOwner(page, node(), '#/keys');
  await typePassphrase(page);
  await unlocked(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect.soft([...(await tooWide(page)), ...(await complaints(page))], `${width} pixels`).toEqual([]);
  }
});

test('the colours of every page are readable in dark', async ({ page }) => {
  test.setTimeout(300_000);
  await page.emulateMedia({ colorScheme: 'dark' });
  await openOwner(page, node());
  await walk(page, node(), { widths: [1440], scheme: 'dark' });
});
