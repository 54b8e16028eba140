import { readFileSync } from 'node:fs';
import { openKeystore } from '../../src/shared/crypto/keystore/keystore.ts';
import {
  giveKeystore,
  keepAs,
  keystorePath,
  locked,
  makeKeystore,
  OTHER_PHRASE,
  openKeys,
  openUnlocked,
  PASSPHRASE,
  PHRASE,
  phraseSecret,
  typePassphrase,
  typePhrase,
  unlocked,
} from '../support/keys.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

const SEED = '5e'.repeat(32);

test('locking one tab locks every tab, and a tab in use keeps the others open', async ({ context, freshNode }) => {
  await giveKeystore(freshNode, { secrets: [phraseSecret(PHRASE, 'Kept')] });
  const [one, other] = [await context.newPage(), await context.newPage()];
  await context.clock.install();
  for (const page of [one, other]) await openUnlocked(page, freshNode);
  // The tabs share the clock.
  await context.clock.runFor('14:00');
  await one.bringToFront();
  await one.mouse.move(200, 300);
  await one.mouse.move(210, 300);
  await context.clock.runFor('02:00');
  await unlocked(other);
  await one.keyboard.press('Control+Shift+L');
  for (const page of [one, other]) {
    await locked(page);
    await expect.poll(() => page.workers()).toHaveLength(0);
  }
  // Leaving a page locks that page alone.
  for (const page of [one, other]) {
    await typePassphrase(page);
    await unlocked(page);
  }
  await one.close();
  await context.clock.runFor('00:10');
  await unlocked(other);
});

test('a tab notices a keystore that another tab created, and typed secrets are never in the document', async ({
  context,
  freshNode,
  page,
}) => {
  await test.step('a tab notices a keystore that another tab created when it gets the focus', async () => {
    const [one, other] = [await context.newPage(), await context.newPage()];
    await openOwner(one, freshNode);
    await openKeys(other, freshNode);
    await expect(one.getByRole('heading', { level: 1 })).toBeVisible();
    await makeKeystore(other);
    const unlock = one.getByRole('button', { name: 'Unlock the keys' });
    await expect(unlock).toHaveCount(0);
    await one.evaluate(() => dispatchEvent(new Event('focus')));
    await expect(unlock).toBeVisible();
  });
  await test.step('typed secrets are never in the document', async () => {
    await openKeys(page, freshNode);
    await typePassphrase(page);
    await unlocked(page);
    const typed = async (...texts: readonly string[]) => {
      const html = await page.evaluate(() => document.documentElement.outerHTML);
      expect(texts.filter((text) => html.includes(text))).toEqual([]);
    };
    await page.getByRole('button', { name: 'Change the passphrase' }).click();
    const change = page.getByRole('dialog');
    await change.getByLabel('Current passphrase').fill(PASSPHRASE);
    await change.getByLabel('New passphrase', { exact: true }).fill('another set of words');
    await change.getByLabel('Repeat it').fill('another set of words');
    await expect(change.getByRole('button', { name: 'Change', exact: true })).toBeEnabled();
    await typed(PASSPHRASE, 'another set of words');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Enter an existing one' }).click();
    const bring = page.getByRole('dialog');
    await bring.getByLabel('Your words').fill(PHRASE);
    await expect(bring.getByText('12 words')).toBeVisible();
    await typed(PHRASE);
    await bring.getByText('Seed in hex', { exact: true }).click();
    await bring.getByLabel(/^Seed/).last().fill(SEED);
    await expect(bring.getByRole('button', { name: 'Keep it' })).toBeEnabled();
    await typed(SEED);
  });
});

test('a seed is removed from the clipboard after a minute', async ({ page, context, freshNode }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const secret = { id: 'ab'.repeat(16), label: 'Seed', createdAt: 1, kind: 'seed', seedHex: SEED } as const;
  await giveKeystore(freshNode, { secrets: [secret] });
  await page.clock.install();
  await openUnlocked(page, freshNode);
  await page.getByRole('button', { name: 'Show again' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await dialog.getByRole('button', { name: 'Show', exact: true }).click();
  await dialog.getByRole('button', { name: 'Copy the seed' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Copied for one minute' })).toHaveCount(1);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  expect(await clipboard()).toBe(SEED);
  await page.clock.runFor('00:50');
  expect(await clipboard()).toBe(SEED);
  await page.clock.runFor('00:15');
  await expect.poll(clipboard).toBe('');
});

test('two windows that change the keystore lose no change', async ({ page, context, watch, freshNode }) => {
  // The node says that the other window was faster.
  watch.tolerate(/status of 409/);
  await giveKeystore(freshNode);
  const other = await context.newPage();
  await openUnlocked(page, freshNode);
  await openUnlocked(other, freshNode);
  await typePhrase(page, PHRASE);
  await keepAs(page, 'First');
  await typePhrase(other, OTHER_PHRASE);
  await keepAs(other, 'Second');
  await expect(other.getByRole('article', { name: 'First' })).toBeVisible();
  const opened = await openKeystore(readFileSync(keystorePath(freshNode)), PASSPHRASE);
  expect(opened.ok && opened.keystore.contents.secrets.map(({ label }) => label)).toEqual(['First', 'Second']);

  // A new passphrase in one: the key that the other holds opens no later file.
  await other.getByRole('button', { name: 'Change the passphrase' }).click();
  const dialog = other.getByRole('dialog');
  await dialog.getByLabel('Current passphrase').fill(PASSPHRASE);
  await dialog.getByLabel('New passphrase', { exact: true }).fill('another set of words');
  await dialog.getByLabel('Repeat it', { exact: true }).fill('another set of words');
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await expect(dialog).toBeHidden();
  await page.getByLabel('Lock automatically').selectOption('Never');
  await locked(page);
  await expect(page.getByText('passphrase was changed in another window')).toBeVisible();
  await typePassphrase(page, 'another set of words');
  await unlocked(page);
  await expect(page.getByRole('article', { name: 'Second' })).toBeVisible();
});
