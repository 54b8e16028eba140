import { complaints } from '../support/axe.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

test('the page remembers the choice of light or dark; the page without a link is readable in both', async ({
  page,
  freshNode,
}) => {
  await page.goto(`${freshNode.url('local')}/ui/`);
  await expect(page.getByRole('heading', { name: 'Open the link of your node' })).toBeVisible();
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
    expect.soft(await complaints(page, scheme), scheme).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });

  await openOwner(page, freshNode);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole('button', { name: 'Light or dark' }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect.poll(ground).not.toBe(light);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.getByRole('button', { name: 'Light or dark' }).click();
  await page.getByRole('menuitem', { name: 'As the system' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});
