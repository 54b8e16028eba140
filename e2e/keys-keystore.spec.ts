import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { openKeystore } from '../src/shared/crypto/keystore/keystore.ts';
import { deriveOwner } from '../src/shared/crypto/phrase/owner-key.ts';
import {
  damagedKeystore as damaged,
  keystorePath,
  makeKeystore,
  newerKeystore as ofNewerVersion,
  openKeys,
  PASSPHRASE,
  removeSecret,
} from './support/keys.ts';
import type { OwnerNode } from './support/owner-node.ts';
import { expect, test } from './support/owner-test.ts';

/** No Buffer, whose slices are the same memory. */
const fileOf = (node: OwnerNode, suffix = '') => new Uint8Array(readFileSync(keystorePath(node, suffix)));

/** The public keys that a card shows. */
const keysOf = (page: Page, name: string) => page.getByRole('article', { name }).locator('code').allTextContents();

test('a new keystore keeps a phrase that it made, and is exported and restored', async ({ page, freshNode }) => {
  await openKeys(page, freshNode);
  await makeKeystore(page);
  let words: string[] = [];
  await test.step('creates a phrase, shows it once, asks for three of its words and saves it', async () => {
    words = await createPhrase(page);
    await expect(page.getByRole('article', { name: 'Greenhouse' })).toContainText('12 words, Español');
  });
  const publicKeys = deriveOwner('test', { kind: 'phrase', phrase: words.join(' ').normalize('NFKD') }).keys.map(
    (key) => key.publicKey,
  );
  await test.step('a new keystore has the documented cost, and the node has its file', async () => {
    expect(await keysOf(page, 'Greenhouse')).toEqual(publicKeys);
    // log2 N, r, p.
    expect([...fileOf(freshNode).subarray(12, 15)]).toEqual([17, 8, 1]);
  });
  await test.step('exports the file as it is, and restores it', async () => {
    const file = fileOf(freshNode);
    const downloading = page.waitForEvent('download');
    await page.getByRole('region', { name: 'Keys without a copy' }).getByRole('button', { name: 'Export' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^wellhouse_keystore_\d{4}-\d\d-\d\d\.wellhouse$/);
    const exported = new Uint8Array(readFileSync(await download.path()));
    expect(exported).toEqual(file);
    // The export is recorded, and the page no longer mentions it.
    await expect(page.getByRole('heading', { name: 'Keys without a copy' })).toBeHidden();
    const opened = await openKeystore(fileOf(freshNode), PASSPHRASE);
    const noted = opened.ok ? opened.keystore.contents : null;
    expect(noted!.exportedAt).toBeGreaterThan(0);
    expect(noted!.secrets).toMatchObject([{ kind: 'phrase', phrase: words.join(' ').normalize('NFKD') }]);
    expect(fileOf(freshNode, '.previous')).toEqual(file);

    // The node lost what it had.
    await removeSecret(page, page.getByRole('article', { name: 'Greenhouse' }));
    await expect(page.getByRole('article')).toHaveCount(0);
    await page.getByRole('button', { name: 'Restore from a file' }).click();
    const dialog = page.getByRole('dialog');
    const choose = async (bytes: Uint8Array) => {
      const choosing = page.waitForEvent('filechooser');
      await dialog.getByLabel('Keystore file').click();
      const chooser = await choosing;
      await chooser.setFiles({ name: 'e.wellhouse', mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) });
      await dialog.getByLabel('Passphrase of that file').fill(PASSPHRASE);
      await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    };
    await choose(damaged(exported));
    await expect(dialog.getByRole('alert')).toContainText('This file is damaged');
    await choose(ofNewerVersion(exported));
    await expect(dialog.getByRole('alert')).toContainText('written by a newer Wellhouse');
    await choose(exported);
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('article', { name: 'Greenhouse' })).toBeVisible();
    expect(await keysOf(page, 'Greenhouse')).toEqual(publicKeys);
    expect(fileOf(freshNode)).toEqual(exported);
  });
});

/** Has the page make a phrase of twelve Spanish words, and answers its questions. Returns the words. */
async function createPhrase(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'New phrase' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('24 words').click();
  await expect(dialog.getByText('Field devices take 12 words.')).toBeVisible();
  await dialog.getByText('12 words').first().click();
  await expect(dialog.getByText('Field devices take 12 words.')).toBeHidden();
  await dialog.getByLabel('Language of the words').selectOption('Español');
  await dialog.getByLabel('Name').fill('Greenhouse');
  await dialog.getByRole('button', { name: 'Make the phrase' }).click();

  const items = dialog.getByRole('list').getByRole('listitem');
  await expect(items).toHaveCount(12);
  const words = (await items.allTextContents()).map((text) => text.replace(/^\d+/, ''));
  // A slip of the hand does not throw away what is never shown again.
  await page.keyboard.press('Escape');
  await expect(items).toHaveCount(12);
  await dialog.getByRole('button', { name: 'Show as QR code' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code of the recovery phrase' })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('[data-print-sheet]')).toBeVisible();
  await expect(page.locator('[data-print-sheet]')).toContainText(words[11]!);
  await expect(dialog).toBeHidden();
  await page.emulateMedia({ media: 'screen' });

  await dialog.getByRole('button', { name: 'I wrote them down' }).click();
  await expect(dialog.getByText(words.join(' '))).toHaveCount(0);
  const asked = dialog.getByLabel(/^Word \d+$/);
  await expect(asked).toHaveCount(3);
  for (const field of await asked.all()) await field.fill('ábaco');
  await dialog.getByRole('button', { name: 'Keep the phrase' }).click();
  await expect(dialog.getByText('This is not the word at this place').first()).toBeVisible();
  for (const label of await dialog.getByText(/^Word \d+$/).allTextContents()) {
    // As one types in haste: capitals, and without accents.
    const typed = words[Number(/\d+/.exec(label)![0]) - 1]!.normalize('NFD').replace(/\p{M}/gu, '');
    await dialog.getByLabel(label, { exact: true }).fill(` ${typed.toUpperCase()} `);
  }
  await dialog.getByRole('button', { name: 'Keep the phrase' }).click();
  return words;
}
