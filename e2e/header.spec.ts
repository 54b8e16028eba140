import { registered } from './support/devices.ts';
import { giveKeystore, PASSPHRASE } from './support/keys.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openOwner, test } from './support/owner-test.ts';

const node = ownerNode(async (started) => {
  await registered(started, ['local'], { name: 'Fern wall' });
  await giveKeystore(started);
});

/** A hint of the search that is whole, in pixels: about 30 letters, the icon before and the key behind them. */
const WHOLE_HINT_PX = 190;

test('the search has room beside everything else, and keeps what is typed while a page comes', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 900 });
  await openOwner(page, node());
  for (const language of ['pt-BR', 'es', 'en']) {
    await test.step(`768 pixels, ${language}`, async () => {
      await page.evaluate((tag) => localStorage.setItem('wellhouse.language', tag), language);
      await page.reload();
      const search = page.getByRole('searchbox');
      await expect(page.getByRole('link', { name: 'Fern wall' }).last()).toBeVisible();
      // Open keys have one more button.
      await page.locator('header a[href="#/keys"] + button').click();
      await page.getByRole('dialog').locator('input[type=password]').fill(PASSPHRASE);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog')).toBeHidden();
      expect((await search.boundingBox())!.width).toBeGreaterThan(WHOLE_HINT_PX);
      const header = page.getByRole('banner').first();
      expect(await header.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      // What lost its words keeps its name.
      await expect(header.locator('a[href="#/connect"]')).toHaveAccessibleName(/\w+ \w+/);
    });
  }
  await test.step('whoever types while a page comes goes on typing', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('searchbox').focus();
    await page.evaluate(() => {
      window.location.hash = '#/connect';
    });
    await page.keyboard.type('fern');
    await expect(page.getByRole('heading', { level: 1, name: 'Connect a device' })).toBeVisible();
    await expect(page.getByRole('searchbox')).toBeFocused();
    await expect(page.getByRole('searchbox')).toHaveValue('fern');
  });
});
