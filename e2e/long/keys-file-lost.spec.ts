import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openKeystore } from '../../src/shared/crypto/keystore/keystore.ts';
import { complaints } from '../support/axe.ts';
import {
  alerts,
  beginAgain,
  damagedKeystore,
  giveKeystore,
  keepAs,
  keystoreBytes,
  keystorePath,
  locked,
  makeKeystore,
  newerKeystore,
  openKeys,
  PASSPHRASE,
  PHRASE,
  phraseSecret,
  typePassphrase,
  typePhrase,
  unlocked,
} from '../support/keys.ts';
import { SCHEMES } from '../support/matrix.ts';
import type { OwnerNode } from '../support/owner-node.ts';
import { expect, test } from '../support/owner-test.ts';

// The keystore's file is lost or spoilt: by a disk, a backup program, or a hand in the data folder.

const kept = () => phraseSecret(PHRASE, 'Kept');
const file = (node: OwnerNode) => new Uint8Array(readFileSync(keystorePath(node)));

function aside(node: OwnerNode, kind: string): Uint8Array[] {
  const names = readdirSync(node.dataDir).filter((name) => name.includes(`.${kind}-`));
  return names.map((name) => new Uint8Array(readFileSync(join(node.dataDir, name))));
}

async function labelsIn(node: OwnerNode): Promise<string[]> {
  const opened = await openKeystore(readFileSync(keystorePath(node)), PASSPHRASE);
  if (!opened.ok) throw new Error(opened.reason);
  return opened.keystore.contents.secrets.map(({ label }) => label);
}

/** Chooses the passphrase of a new keystore in place of one that can't be opened, and confirms that. */
async function startAnew(page: Page, passphrase: string): Promise<void> {
  await page.getByLabel('New passphrase', { exact: true }).fill(passphrase);
  await page.getByLabel('Repeat it', { exact: true }).fill(passphrase);
  const start = page.getByRole('button', { name: 'Start a new keystore' });
  await expect(start).toBeDisabled();
  await page.getByRole('checkbox').check();
  await start.click();
  await unlocked(page);
}

async function change(page: Page): Promise<void> {
  await page.getByLabel('Lock automatically').selectOption('Never');
}

test.describe('while the keys are open', () => {
  test('a keystore file that is lost or damaged while the keys are open is reported, never overwritten, and written again', async ({
    page,
    watch,
    freshNode,
  }) => {
    await test.step('a damaged file is reported, not overwritten, and moved aside when the owner saves', async () => {
      // The node says that the file is not the one that the page read.
      watch.tolerate(/status of 409/);
      await beginAgain(page, freshNode, { secrets: [kept()] });
      await typePassphrase(page);
      await unlocked(page);

      const bad = damagedKeystore(file(freshNode));
      writeFileSync(keystorePath(freshNode), bad);
      await change(page);
      await alerts(page, /The file was damaged/);
      await expect(page.getByText('passphrase was changed')).toHaveCount(0);
      await expect(page.getByRole('article', { name: 'Kept' })).toBeVisible();
      for (const scheme of SCHEMES) {
        await page.emulateMedia({ colorScheme: scheme });
        expect(await complaints(page, scheme), scheme).toEqual([]);
      }
      // Again: the damaged file stays unchanged after any number of changes.
      await change(page);
      await alerts(page, /The keystore file on this node is damaged/);
      expect(file(freshNode)).toEqual(bad);
      await page.getByRole('button', { name: 'Move the damaged file aside and save' }).click();
      await expect(page.getByRole('alert').filter({ hasText: 'The keystore file is damaged' })).toHaveCount(0);
      expect(await labelsIn(freshNode)).toEqual(['Kept']);
      expect(aside(freshNode, 'damaged')).toEqual([bad]);
      await change(page);
      await expect(page.getByLabel('Lock automatically')).toHaveValue('0');
    });
    await test.step('a missing file is reported, and written again when the owner saves', async () => {
      // The node says that the file is not the one that the page read.
      watch.tolerate(/status of 409/);
      await beginAgain(page, freshNode, { secrets: [kept()] });
      await typePassphrase(page);
      await unlocked(page);

      rmSync(keystorePath(freshNode));
      await change(page);
      await alerts(page, /The file was removed/);
      await expect(page.getByRole('article', { name: 'Kept' })).toBeVisible();
      await page.getByRole('button', { name: 'Save it as a new file' }).click();
      await expect(page.getByRole('button', { name: 'Save it as a new file' })).toHaveCount(0);
      expect(await labelsIn(freshNode)).toEqual(['Kept']);
    });
    await test.step('a file of a newer Wellhouse is reported and stays unchanged', async () => {
      // The node says that the file is not the one that the page read.
      watch.tolerate(/status of 409/);
      await beginAgain(page, freshNode, { secrets: [kept()] });
      await typePassphrase(page);
      await unlocked(page);

      const newer = newerKeystore(file(freshNode));
      writeFileSync(keystorePath(freshNode), newer);
      await change(page);
      await alerts(page, /A newer Wellhouse wrote the keystore file/);
      await expect(page.getByRole('article', { name: 'Kept' })).toBeVisible();
      await expect(page.getByRole('button', { name: /save/i })).toHaveCount(0);
      expect(file(freshNode)).toEqual(newer);
    });
    await test.step('a restore reports a damaged file, and then moves it aside', async () => {
      // The node says that the file is not the one that the page read.
      watch.tolerate(/status of 409/);
      await beginAgain(page, freshNode, { secrets: [kept()] });
      await typePassphrase(page);
      await unlocked(page);

      const exported = await keystoreBytes({ secrets: [phraseSecret(PHRASE, 'Exported')] });
      const bad = damagedKeystore(file(freshNode));
      writeFileSync(keystorePath(freshNode), bad);
      await page.getByRole('button', { name: 'Restore from a file' }).click();
      const dialog = page.getByRole('dialog');
      const choosing = page.waitForEvent('filechooser');
      await dialog.getByLabel('Keystore file').click();
      const buffer = Buffer.from(exported);
      await (await choosing).setFiles({ name: 'e.wellhouse', mimeType: 'application/octet-stream', buffer });
      await dialog.getByLabel('Passphrase of that file').fill(PASSPHRASE);
      await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
      await expect(dialog.getByRole('alert')).toContainText('The keystore file on this node is damaged');
      expect(file(freshNode)).toEqual(bad);
      await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
      await expect(page.getByRole('article', { name: 'Exported' })).toBeVisible();
      expect(file(freshNode)).toEqual(exported);
      expect(aside(freshNode, 'damaged')).toEqual([bad]);
    });
    await test.step('a page that gets the focus back shows the new state of the file', async () => {
      // The node says that the file is not the one that the page read.
      watch.tolerate(/status of 409/);
      await beginAgain(page, freshNode, { secrets: [kept()] });
      await typePassphrase(page);
      await unlocked(page);

      rmSync(keystorePath(freshNode));
      await page.evaluate(() => dispatchEvent(new Event('focus')));
      await alerts(page, /The file was removed/);
      // Locked, it says what there is, and asks for no passphrase of a file that is gone.
      await page.keyboard.press('Control+Shift+L');
      await expect(page.getByRole('heading', { name: 'Choose a passphrase' })).toBeVisible();
    });
  });
});

test('if the file is missing, the previous one is offered and opens, or stays beside a new keystore', async ({
  page,
  freshNode,
}) => {
  await test.step('if the file is missing, the previous one is offered and opens', async () => {
    await beginAgain(page, freshNode);
    const previous = await keystoreBytes({ secrets: [kept()] });
    writeFileSync(keystorePath(freshNode, '.previous'), previous);
    await page.reload();
    await alerts(page, /The keystore file is missing/);
    expect(await complaints(page)).toEqual([]);
    await page.getByRole('button', { name: 'Open the previous file' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Passphrase of that file').fill(PASSPHRASE);
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await unlocked(page);
    await expect(page.getByRole('article', { name: 'Kept' })).toBeVisible();
    expect(file(freshNode)).toEqual(previous);
  });
  await test.step('a new keystore keeps the previous file through any number of changes', async () => {
    await beginAgain(page, freshNode);
    const previous = await keystoreBytes({ secrets: [kept()] });
    writeFileSync(keystorePath(freshNode, '.previous'), previous);
    await page.reload();
    await makeKeystore(page);
    await typePhrase(page, PHRASE);
    await keepAs(page, 'First');
    await change(page);
    await page.keyboard.press('Control+Shift+L');
    await locked(page);
    expect(aside(freshNode, 'kept')).toEqual([previous]);
  });
});

test('a keystore that does not open is reported and never overwritten unasked', async ({ page, freshNode }) => {
  const good = await giveKeystore(freshNode, { secrets: [phraseSecret(PHRASE, 'Kept')] });
  const bad = damagedKeystore(good);
  const put = (bytes: Uint8Array, suffix = '') => writeFileSync(keystorePath(freshNode, suffix), bytes);
  await test.step('distinguishes a wrong passphrase, a damaged file and a newer one, and overwrites none', async () => {
    await openKeys(page, freshNode);
    await typePassphrase(page, 'not the passphrase');
    await alerts(page, /^Wrong passphrase\. The file is not damaged\.$/);
    expect(await complaints(page)).toEqual([]);
    expect(file(freshNode)).toEqual(good);

    // Damage that comes while the page shows the form is reported as damage, not as a wrong passphrase.
    await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
    put(bad);
    // By the keyboard: the page may have noticed by itself, and the form with its button be gone.
    await page.keyboard.press('Enter');
    await alerts(page, /The keystore file is damaged/);
    await expect(page.getByText('There is no earlier file on this node.')).toBeVisible();
    await expect(page.getByLabel('Passphrase', { exact: true })).toHaveCount(0);
    expect(await complaints(page)).toEqual([]);
    expect(file(freshNode)).toEqual(bad);

    const newer = newerKeystore(good);
    put(newer);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'A newer Wellhouse wrote this keystore' })).toBeVisible();
    expect(await complaints(page)).toEqual([]);
    expect(file(freshNode)).toEqual(newer);
    expect(readdirSync(freshNode.dataDir).filter((name) => name.startsWith('keystore.'))).toEqual([
      'keystore.wellhouse',
    ]);
  });
  await test.step('opens the previous file, and keeps the damaged one beside it', async () => {
    put(good, '.previous');
    put(bad);
    await page.reload();
    await alerts(page, /The keystore file is damaged/);
    await page.getByRole('button', { name: 'Open the previous file' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Passphrase of that file').fill('not the passphrase');
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await expect(dialog.getByRole('alert')).toContainText('Wrong passphrase');
    expect(file(freshNode)).toEqual(bad);
    await dialog.getByLabel('Passphrase of that file').fill(PASSPHRASE);
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await unlocked(page);
    await expect(page.getByRole('article', { name: 'Kept' })).toBeVisible();
    expect(file(freshNode)).toEqual(good);
    expect(aside(freshNode, 'damaged')).toEqual([bad]);
  });
  await test.step('after a lost passphrase, a new keystore starts, and the unreadable file stays beside it', async () => {
    await page.keyboard.press('Control+Shift+L');
    await locked(page);
    await page.getByText('The passphrase is lost').click();
    await startAnew(page, 'another set of words');
    await expect(page.getByRole('article')).toHaveCount(0);
    // And stays there, whatever is changed next.
    for (const minutes of ['5', '30']) {
      await page.getByLabel('Lock automatically').selectOption(minutes);
      await expect(page.getByLabel('Lock automatically')).toHaveValue(minutes);
    }
    expect(aside(freshNode, 'replaced')).toEqual([good]);
  });
  await test.step('a new keystore replaces a damaged one only after a confirmation, and moves it aside', async () => {
    const spoilt = damagedKeystore(file(freshNode));
    put(spoilt);
    await page.reload();
    await page.getByText('Neither opens').click();
    await startAnew(page, PASSPHRASE);
    expect(aside(freshNode, 'damaged')).toContainEqual(spoilt);
  });
});
