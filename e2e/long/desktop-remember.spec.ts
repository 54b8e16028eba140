import type { Page } from '@playwright/test';
import { complaints } from '../support/axe.ts';
import { type DesktopApp, expect, isReal, test } from '../support/desktop-app.ts';
import { keepAs, locked, makeKeystore, PHRASE, typePassphrase, typePhrase, unlocked } from '../support/keys.ts';

test.skip(isReal, 'a keyring of the test’s own needs the stand-in');

/** Opens the keys' page, as the menu does. */
async function openKeys(app: DesktopApp): Promise<Page> {
  const page = await app.page();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await app.operate('pressMenu', 'keys');
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
  return page;
}

const remember = (page: Page) => page.getByRole('switch', { name: 'Remember on this computer' });
const withComputer = (page: Page) => page.getByRole('button', { name: 'Unlock with this computer' });

async function lock(page: Page): Promise<void> {
  await page.keyboard.press('Control+Shift+L');
  await locked(page);
}

test('this computer opens the keystore, also after a restart, until it is told to forget', async ({ launch }) => {
  const first = await launch();
  const before = await openKeys(first);
  await makeKeystore(before);
  await typePhrase(before, PHRASE);
  await keepAs(before, 'Kept');
  await expect(remember(before)).not.toBeChecked();
  await remember(before).click();
  await expect(remember(before)).toBeChecked();
  expect(await complaints(before)).toEqual([]);
  await first.operate('quit');
  await first.exited;

  const again = await launch({ home: first.home });
  const page = await openKeys(again);
  await locked(page);
  expect(await complaints(page)).toEqual([]);
  await withComputer(page).click();
  await unlocked(page);
  await expect(page.getByRole('article', { name: 'Kept' })).toBeVisible();

  await remember(page).click();
  await expect(remember(page)).not.toBeChecked();
  await lock(page);
  await expect(withComputer(page)).toHaveCount(0);
  await typePassphrase(page);
  await unlocked(page);
  await expect(remember(page)).not.toBeChecked();
});
