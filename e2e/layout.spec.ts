import { complaints, structureFaults } from './support/axe.ts';
import { everyPageNode, fullDevice, tooWide, walk } from './support/every-page.ts';
import { typePassphrase, unlocked } from './support/keys.ts';
import { expect, openOwner, test } from './support/owner-test.ts';

// A phone and a desk in light, and the colours of the desk in dark; the other widths and languages: e2e/long/layout.spec.ts.

const WIDTHS = [390, 1440];
const node = everyPageNode();

test('axe finds no error on any page, none scrolls sideways, and each has its heading and one header', async ({
  page,
  watch,
}) => {
  test.setTimeout(300_000);
  // A page shows a device that the node does not know.
  watch.tolerate(/404/);
  await openOwner(page, node());
  await walk(page, node(), { light: WIDTHS, dark: [1440] });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await test.step('axe finds no error with a dialog or a drawer open', async () => {
    await page.goto(`${node().url('local')}/ui/#/device/${fullDevice()}`);
    await page.getByRole('button', { name: 'Units and tank' }).click();
    await expect(page.getByRole('dialog', { name: 'Units and tank' })).toBeVisible();
    expect.soft(await structureFaults(page), 'a dialog').toEqual([]);
    await page.keyboard.press('Escape');
    const readings = page.getByRole('grid', { name: 'Readings' });
    await readings.getByRole('gridcell').first().focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    expect.soft(await structureFaults(page), 'a drawer').toEqual([]);
    await page.keyboard.press('Escape');
  });
  await test.step('axe finds no error with open keys', async () => {
    await openOwner(page, node(), '#/keys');
    await typePassphrase(page);
    await unlocked(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft([...(await tooWide(page)), ...(await complaints(page))], `${width} pixels`).toEqual([]);
    }
  });
});
