import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { openKeystore } from '../src/shared/crypto/keystore/keystore.ts';
import { complaints } from './support/axe.ts';
import {
  alerts,
  beginAgain,
  damagedKeystore as damaged,
  giveKeystore,
  keepAs,
  keystorePath,
  locked,
  makeKeystore,
  OTHER_PHRASE,
  newerKeystore as ofNewerVersion,
  openKeys,
  openUnlocked,
  PASSPHRASE,
  PHRASE,
  phraseSecret,
  removeSecret,
  typePassphrase,
  typePhrase,
  unlocked,
} from './support/keys.ts';
import { expect, test } from './support/owner-test.ts';

const kept = () => phraseSecret(PHRASE, 'Kept');

test('a wrong passphrase and a damaged, newer or missing keystore have distinct messages; no keystore is overwritten unasked', async ({
  page,
  freshNode,
}) => {
  await test.step('distinguishes a wrong passphrase, a damaged file and a newer one, and overwrites none', async () => {
    const good = await giveKeystore(freshNode, { secrets: [kept()] });
    const file = () => new Uint8Array(readFileSync(keystorePath(freshNode)));
    await openKeys(page, freshNode);
    await typePassphrase(page, 'not the passphrase');
    await alerts(page, /^Wrong passphrase\. The file is not damaged\.$/);
    expect(await complaints(page)).toEqual([]);
    expect(file()).toEqual(good);

    const bad = damaged(good);
    writeFileSync(keystorePath(freshNode), bad);
    await page.reload();
    await alerts(page, /The keystore file is damaged/);
    await expect(page.getByText('There is no earlier file on this node.')).toBeVisible();
    await expect(page.getByLabel('Passphrase', { exact: true })).toHaveCount(0);
    expect(await complaints(page)).toEqual([]);
    expect(file()).toEqual(bad);

    // Damage that comes while the page shows the form is reported as damage, not as a wrong passphrase.
    writeFileSync(keystorePath(freshNode), good);
    await page.reload();
    await locked(page);
    await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
    writeFileSync(keystorePath(freshNode), bad);
    // By the keyboard: the page may have noticed by itself, and the form with its button be gone.
    await page.keyboard.press('Enter');
    await alerts(page, /The keystore file is damaged/);
    expect(file()).toEqual(bad);

    const newer = ofNewerVersion(good);
    writeFileSync(keystorePath(freshNode), newer);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'A newer Wellhouse wrote this keystore' })).toBeVisible();
    expect(await complaints(page)).toEqual([]);
    expect(file()).toEqual(newer);
    expect(readdirSync(freshNode.dataDir).filter((name) => name.startsWith('keystore.'))).toEqual([
      'keystore.wellhouse',
    ]);
  });
  await test.step('opens the previous file, and keeps the damaged one beside it', async () => {
    await beginAgain(page, freshNode);
    const good = await giveKeystore(freshNode, { secrets: [kept()] });
    const bad = damaged(good);
    writeFileSync(keystorePath(freshNode, '.previous'), good);
    writeFileSync(keystorePath(freshNode), bad);
    await page.reload();
    await page.getByRole('button', { name: 'Open the previous file' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Passphrase of that file').fill('not the passphrase');
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await expect(dialog.getByRole('alert')).toContainText('Wrong passphrase', { timeout: 20_000 });
    expect(new Uint8Array(readFileSync(keystorePath(freshNode)))).toEqual(bad);
    await dialog.getByLabel('Passphrase of that file').fill(PASSPHRASE);
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await unlocked(page);
    await expect(page.getByRole('article', { name: 'Kept' })).toBeVisible();
    expect(new Uint8Array(readFileSync(keystorePath(freshNode)))).toEqual(good);
    const aside = readdirSync(freshNode.dataDir).filter((name) => name.includes('.damaged-'));
    expect(aside).toHaveLength(1);
    expect(new Uint8Array(readFileSync(`${freshNode.dataDir}/${aside[0]}`))).toEqual(bad);
  });
  await test.step('a new keystore replaces a damaged one only after a confirmation, and moves it aside', async () => {
    await beginAgain(page, freshNode);
    const bad = damaged(await giveKeystore(freshNode));
    writeFileSync(keystorePath(freshNode), bad);
    await page.reload();
    await page.getByText('Neither opens').click();
    await page.getByLabel('New passphrase', { exact: true }).fill(PASSPHRASE);
    await page.getByLabel('Repeat it', { exact: true }).fill(PASSPHRASE);
    const start = page.getByRole('button', { name: 'Start a new keystore' });
    await expect(start).toBeDisabled();
    await page.getByRole('checkbox').check();
    await start.click();
    await unlocked(page);
    const aside = readdirSync(freshNode.dataDir).filter((name) => name.includes('.damaged-'));
    expect(new Uint8Array(readFileSync(`${freshNode.dataDir}/${aside[0]}`))).toEqual(bad);
  });
  await test.step('after a lost passphrase, a new keystore starts, and the unreadable file stays beside it', async () => {
    await beginAgain(page, freshNode);
    const lost = await giveKeystore(freshNode, { secrets: [kept()] });
    await page.reload();
    await page.getByText('The passphrase is lost').click();
    await page.getByLabel('New passphrase', { exact: true }).fill('another set of words');
    await page.getByLabel('Repeat it', { exact: true }).fill('another set of words');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Start a new keystore' }).click();
    await unlocked(page);
    await expect(page.getByRole('article')).toHaveCount(0);
    // And stays there, whatever is changed next.
    for (const minutes of ['5', '30']) {
      await page.getByLabel('Lock automatically').selectOption(minutes);
      await expect(page.getByLabel('Lock automatically')).toHaveValue(minutes);
    }
    const [name, ...others] = readdirSync(freshNode.dataDir).filter((each) => each.includes('.replaced-'));
    expect(others).toEqual([]);
    expect(new Uint8Array(readFileSync(`${freshNode.dataDir}/${name}`))).toEqual(lost);
  });
});

test('a keystore of the page is exported as it is, and restored', async ({ page, freshNode }) => {
  await test.step('a new keystore has the documented cost, and the node keeps only the file', async () => {
    await openKeys(page, freshNode);
    await makeKeystore(page);
    await typePhrase(page, PHRASE);
    await keepAs(page, 'Kept');
    const bytes = readFileSync(keystorePath(freshNode));
    // log2 N, r, p.
    expect([...bytes.subarray(12, 15)]).toEqual([17, 8, 1]);
    const opened = await openKeystore(bytes, PASSPHRASE);
    expect(opened.ok && opened.keystore.contents.secrets).toMatchObject([{ kind: 'phrase', phrase: PHRASE }]);
    const before = await openKeystore(readFileSync(keystorePath(freshNode, '.previous')), PASSPHRASE);
    expect(before.ok && before.keystore.contents.secrets).toEqual([]);
  });
  await test.step('exports the file as it is, and restores it into another node', async () => {
    await beginAgain(page, freshNode);
    const file = await giveKeystore(freshNode);
    await page.reload();
    await typePassphrase(page);
    await unlocked(page);
    await typePhrase(page, PHRASE);
    await keepAs(page, 'Kept');
    const downloading = page.waitForEvent('download');
    await page.getByRole('region', { name: 'Keys without a copy' }).getByRole('button', { name: 'Export' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^wellhouse_keystore_\d{4}-\d\d-\d\d\.wellhouse$/);
    // No Buffer, whose slices are the same memory.
    const exported = new Uint8Array(readFileSync(await download.path()));
    const onDisk = () => new Uint8Array(readFileSync(keystorePath(freshNode)));
    expect(exported).not.toEqual(file);
    // The export is recorded, and the page no longer mentions it.
    await expect(page.getByRole('heading', { name: 'Keys without a copy' })).toBeHidden();
    const noted = await openKeystore(onDisk(), PASSPHRASE);
    expect(noted.ok && noted.keystore.contents.exportedAt).toBeGreaterThan(0);

    // The node lost what it had.
    await removeSecret(page, page.getByRole('article', { name: 'Kept' }));
    await expect(page.getByRole('article')).toHaveCount(0, { timeout: 20_000 });
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
    await expect(dialog).toBeHidden({ timeout: 20_000 });
    await expect(page.getByRole('article', { name: 'Kept' })).toBeVisible();
    expect(onDisk()).toEqual(exported);
  });
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
  await expect(dialog).toBeHidden({ timeout: 20_000 });
  await page.getByLabel('Lock automatically').selectOption('Never');
  await locked(page);
  await expect(page.getByText('passphrase was changed in another window')).toBeVisible();
  await typePassphrase(page, 'another set of words');
  await unlocked(page);
  await expect(page.getByRole('article', { name: 'Second' })).toBeVisible();
});
