import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openKeystore, osWrapOf, withOsWrap } from '../../src/shared/crypto/keystore/keystore.ts';
import { complaints } from '../support/axe.ts';
import { type DesktopApp, expect, isReal, SYSTEM, test } from '../support/desktop-app.ts';
import {
  alerts,
  keepAs,
  locked,
  makeKeystore,
  PASSPHRASE,
  PHRASE,
  typePassphrase,
  typePhrase,
  unlocked,
} from '../support/keys.ts';

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
const path = (app: DesktopApp) => join(app.folder, 'data', 'keystore.wellhouse');
const bytes = (app: DesktopApp) => new Uint8Array(readFileSync(path(app)));
const file = (app: DesktopApp) => Buffer.from(bytes(app)).toString('base64');

/** Opens the keys' page with a new keystore that this computer remembers. */
async function openRemembered(app: DesktopApp): Promise<Page> {
  const page = await openKeys(app);
  await makeKeystore(page);
  await remember(page).click();
  await expect(remember(page)).toBeChecked();
  return page;
}

async function lock(page: Page): Promise<void> {
  await page.keyboard.press('Control+Shift+L');
  await locked(page);
}

test('this computer is a second way in, also after a new start, until it is to forget', async ({ launch }) => {
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

test('a changed keyring asks for the passphrase, and the key is sealed again', async ({ launch }) => {
  const app = await launch();
  const page = await openRemembered(app);
  const old = file(app);

  await app.operate('keyring', { secret: 'another' });
  await lock(page);
  await withComputer(page).click();
  await alerts(page, /^This computer can no longer open the keystore\. Use the passphrase\.$/);
  await typePassphrase(page);
  await unlocked(page);
  await expect.poll(() => file(app)).not.toBe(old);
  await lock(page);
  await withComputer(page).click();
  await unlocked(page);

  // Another passphrase makes another data key: the computer is to open that one.
  await page.getByRole('button', { name: 'Change the passphrase' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current passphrase').fill(PASSPHRASE);
  await dialog.getByLabel('New passphrase', { exact: true }).fill('another set of words');
  await dialog.getByLabel('The same once more', { exact: true }).fill('another set of words');
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await expect(dialog).toBeHidden({ timeout: 20_000 });
  await expect(remember(page)).toBeChecked();
  await lock(page);
  await withComputer(page).click();
  await unlocked(page);
});

const GONE = { 'no key storage at all': { backend: 'none' }, 'only a key that everyone knows': { isRunning: false } };
for (const [left, change] of Object.entries(GONE)) {
  test(`a keyring that is gone, ${left}, leaves what was remembered for its return`, async ({ launch }) => {
    test.skip(SYSTEM !== 'linux', 'only Linux seals without a keyring');
    const app = await launch();
    const page = await openRemembered(app);
    const kept = file(app);

    await app.operate('keyring', change);
    await lock(page);
    await withComputer(page).click();
    await alerts(page, /^This computer can no longer open the keystore/);
    await typePassphrase(page);
    await unlocked(page);
    await expect(remember(page)).toBeEnabled();
    await expect(page.getByText('this system has no safe key storage')).toBeVisible();
    expect(file(app)).toBe(kept);

    await app.operate('keyring', { backend: 'gnome_libsecret', isRunning: true });
    await lock(page);
    await withComputer(page).click();
    await unlocked(page);
  });
}

test('a key that the keyring has replaced is sealed again when this computer opens the keystore', async ({
  launch,
}) => {
  const app = await launch();
  const page = await openRemembered(app);
  const old = file(app);
  await app.operate('keyring', { isRotated: true });
  await lock(page);
  await withComputer(page).click();
  await unlocked(page);
  await expect.poll(() => file(app)).not.toBe(old);
});

const UNSAFE = {
  'a backend that keeps plain text': { STAND_IN_KEYRING: 'basic_text' },
  'a desktop of a keyring that does not run': { STAND_IN_KEYRING_GONE: '1' },
};
for (const [where, env] of Object.entries(UNSAFE)) {
  test(`nothing is remembered in ${where}, and the page says why`, async ({ launch }) => {
    test.skip(SYSTEM !== 'linux', 'only Linux has backends');
    const app = await launch({ env });
    const page = await openKeys(app);
    await makeKeystore(page);
    await expect(page.getByText('this system has no safe key storage')).toBeVisible();
    await expect(remember(page)).toBeDisabled();
    await expect(remember(page)).not.toBeChecked();
    expect(await complaints(page)).toEqual([]);
  });
}

for (const isKeyringBack of [true, false]) {
  const then = isKeyringBack ? 'sealed again' : 'forgotten';
  test(`what was sealed with a key that everyone knows opens nothing, and is ${then}`, async ({ launch }) => {
    test.skip(SYSTEM !== 'linux', 'only Linux seals without a keyring');
    const first = await launch();
    const before = await openKeys(first);
    await makeKeystore(before);
    await first.operate('quit');
    await first.exited;
    const opened = await openKeystore(bytes(first), PASSPHRASE);
    if (!opened.ok) throw new Error(opened.reason);
    const text = Buffer.from(opened.keystore.dataKey).toString('base64');
    const sealed = Buffer.from(`v10${JSON.stringify({ secret: 'peanuts', text })}`);
    writeFileSync(path(first), withOsWrap(opened.keystore, sealed).bytes);

    const app = await launch({ home: first.home, env: isKeyringBack ? {} : { STAND_IN_KEYRING_GONE: '1' } });
    const page = await openKeys(app);
    await locked(page);
    await withComputer(page).click();
    await alerts(page, /^This computer can no longer open the keystore/);
    await typePassphrase(page);
    await unlocked(page);
    await expect(remember(page)).toBeChecked({ checked: isKeyringBack });
    const tag = () => Buffer.from(osWrapOf(bytes(app)) ?? []).toString('latin1', 0, 3);
    await expect.poll(tag).toBe(isKeyringBack ? 'v11' : '');
  });
}

for (const system of ['linux', 'darwin', 'win32'] as const) {
  test(`the keys lock with the screen on ${system}`, async ({ launch }) => {
    const app = await launch({ system });
    const page = await openKeys(app);
    await makeKeystore(page);
    await app.lockScreen();
    await locked(page);
    await expect(page.getByText('this computer slept or its screen was locked')).toBeVisible();
  });
}

test('the keys lock when the machine sleeps, and opened secrets leave the page', async ({ launch }) => {
  const app = await launch();
  const page = await openKeys(app);
  await makeKeystore(page);
  await typePhrase(page, PHRASE);
  await keepAs(page, 'Kept');
  await app.operate('power', 'suspend');
  await locked(page);
  await expect(page.getByText('this computer slept or its screen was locked')).toBeVisible();
  await expect(page.getByRole('article', { name: 'Kept' })).toHaveCount(0);
});

test('the menu locks the keys', async ({ launch }) => {
  const app = await launch();
  const page = await openKeys(app);
  await makeKeystore(page);
  await app.operate('pressMenu', 'lock-keys');
  await locked(page);
  await expect(page.getByText('You locked the keys.')).toBeVisible();
});
