import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { desktopFolderIn } from '../../test/support/isolated-home.ts';
import { removeFolder, temporaryFolder } from '../../test/support/node-process.ts';
import { test as base, type DesktopApp, expect, SYSTEM } from './desktop-app.ts';
import type { DesktopOptions } from './running-app.ts';

/** No variable overrides the settings file. */
const UNPINNED = { LOCAL_PORT: '', PUBLIC_PORT: '' };

/** Playwright's test with an app that has the given settings file. */
export const test = base.extend<{ launchWith: (file: object, options?: DesktopOptions) => Promise<DesktopApp> }>({
  launchWith: async ({ launch }, use) => {
    const homes: string[] = [];
    await use(async (file, options = {}) => {
      const home = temporaryFolder();
      homes.push(home);
      const folder = desktopFolderIn(home, options.system ?? SYSTEM);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'settings.json'), JSON.stringify(file));
      return launch({ ...options, home, env: { ...UNPINNED, ...options.env } });
    });
    // The app has ended before: its own fixture ends it if it still runs. The files that it writes then are removed
    // with the folder.
    for (const home of homes) removeFolder(home);
  },
});

/** Returns the contents of an app's settings file. */
export const kept = (app: DesktopApp) =>
  JSON.parse(readFileSync(join(app.folder, 'settings.json'), 'utf8')) as Record<string, unknown>;

/** Opens the settings page, as the menu does. */
export async function openSettings(app: DesktopApp): Promise<Page> {
  const page = await app.page();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await app.operate('pressMenu', 'settings');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  return page;
}

export { expect };
