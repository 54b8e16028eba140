import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { desktopFolderIn } from '../../test/support/isolated-home.ts';
import { removeFolder, temporaryFolder } from '../../test/support/node-process.ts';
import { expect, SYSTEM, test } from '../support/desktop-app.ts';

test('the page has the theme and language of the settings, whatever it stored before', async ({ launch }) => {
  const home = temporaryFolder();
  const folder = desktopFolderIn(home, SYSTEM);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ theme: 'dark', language: 'es' }));
  const app = await launch({ home });
  const page = await app.page();
  const inSpanish = async () => {
    await expect(page.getByRole('link', { name: 'Ajustes' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'es');
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  };
  await inSpanish();
  await page.evaluate(() => {
    localStorage.setItem('wellhouse.language', 'pt-BR');
    localStorage.setItem('wellhouse.color-scheme', 'light');
  });
  await page.reload();
  await inSpanish();
  await app.dispose();
  removeFolder(home);
});
