import type { Locator } from '@playwright/test';
import { hexToBytes } from '../src/shared/crypto/hex.ts';
import { deriveFieldKey } from '../src/shared/crypto/keyring/field-key.ts';
import { deriveOwner } from '../src/shared/crypto/phrase/owner-key.ts';
import { sealedField } from '../src/simulator/block-source.ts';
import { registered, send } from './support/devices.ts';
import {
  giveKeystore,
  keepAs,
  makeKeystore,
  openKeys,
  openUnlocked,
  PHRASE,
  phraseSecret,
  removeSecret,
  typePassphrase,
  typePhrase,
  unlocked,
} from './support/keys.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, test } from './support/owner-test.ts';

/** Spelled as the word lists spell them, and with a right checksum. */
const PHRASES = {
  English: PHRASE,
  Português: 'imitador vinheta sogro xerife veleiro pomar volumoso tratador imitador vinheta sogro xingar',
  Español: 'ligero vista talar yogur venta queso yacer trozo ligero vista talar zafiro',
  日本語: 'そつう れきだい ほんやく わかす りくつ ばいか ろせん やちん そつう れきだい ほんやく わかめ',
  简体中文: '枪 疫 霉 尝 俩 闹 饿 贤 枪 疫 霉 卿',
} as const;
const ENGLISH = PHRASES.English;

/** The public keys of a phrase, standard and firmware. */
function publicKeys(phrase: string): string[] {
  return deriveOwner('test', { kind: 'phrase', phrase: phrase.normalize('NFKD') }).keys.map((key) => key.publicKey);
}

const keysOf = (card: Locator) => card.locator('code').allTextContents();

test('creates a phrase, shows it once, asks for three of its words and saves it', async ({ page, freshNode }) => {
  await openKeys(page, freshNode);
  await makeKeystore(page);
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
  const card = page.getByRole('article', { name: 'Greenhouse' });
  await expect(card).toContainText('12 words, Español');
  expect(await keysOf(card)).toEqual(publicKeys(words.join(' ')));

  await page.reload();
  await typePassphrase(page);
  await unlocked(page);
  expect(await keysOf(card)).toEqual(publicKeys(words.join(' ')));
});

test.describe('with devices of several owner keys', () => {
  const OTHER = PHRASES.Español;
  const kept = phraseSecret(ENGLISH, 'Kept');
  const owned = ownerNode(async (started) => {
    const [standard, firmware] = deriveOwner('test', { kind: 'phrase', phrase: ENGLISH }).keys;
    const byFirmware = { name: 'By firmware', ownerPubkey: firmware!.publicKey };
    const device = await registered(started, ['local'], byFirmware, { publishTo: 0 });
    const key = deriveFieldKey(firmware!.seed, hexToBytes(device.id), 4);
    await send(started, 'local', [
      device.block({ seq: 1, timestamp: Date.now(), keyVersion: 4, sealed: { ph: sealedField(key, 6.5) } }),
    ]);
    const byStandard = { name: 'By standard', ownerPubkey: standard!.publicKey };
    await registered(started, ['local'], byStandard, { publishTo: 0 });
    const ofOther = { name: 'Of another', ownerPubkey: publicKeys(OTHER)[1]! };
    await registered(started, ['local'], ofOther, {
      publishTo: 0,
      privacyPolicy: { ph: { default_disposition: 2 } },
    });
    // It seals nothing: no key is missed.
    await registered(started, ['local'], { name: 'Plain', ownerPubkey: 'ab'.repeat(32) }, { publishTo: 0 });
    await giveKeystore(started, { secrets: [kept] });
  });

  test('phrases are matched with devices, and verified by a drill', async ({ page }) => {
    await test.step('names the matching derivation of each device, and says if none matches', async () => {
      await openUnlocked(page, owned());
      const card = page.getByRole('article', { name: 'Kept' });
      const [standard, firmware] = publicKeys(ENGLISH) as [string, string];
      const row = (key: string) => card.locator('dl > div').filter({ hasText: key });
      await expect(row(standard)).toContainText('Standard');
      await expect(row(standard).getByRole('link')).toHaveText(['By standard']);
      await expect(row(firmware)).toContainText('Firmware');
      await expect(row(firmware).getByRole('link')).toHaveText(['By firmware']);
      const unmatched = page.getByRole('region', { name: 'Devices of another key' });
      await expect(unmatched).toContainText('none of the 2 public keys above');
      await expect(unmatched).toContainText(publicKeys(OTHER)[1]!);
      await expect(unmatched.getByRole('link')).toHaveText(['Of another']);

      await typePhrase(page, OTHER);
      const second = await keepAs(page, 'Second');
      await expect(second.getByRole('link')).toHaveText(['Of another']);
      await expect(unmatched).toBeHidden();
      await removeSecret(page, second);
      await expect(unmatched).toBeVisible({ timeout: 20_000 });
    });
    await test.step('the restore drill verifies the written phrase, by the keys and by opening a value', async () => {
      await expect(page.getByText('One phrase or seed was neither exported nor tried from paper.')).toBeVisible();
      await page.getByRole('article', { name: 'Kept' }).getByRole('button', { name: 'Restore drill' }).click();
      const dialog = page.getByRole('dialog', { name: 'Restore drill' });
      await dialog.getByLabel('Your words').fill(OTHER);
      await dialog.getByRole('button', { name: 'Check' }).click();
      await expect(dialog.getByText('This is not the stored phrase')).toBeVisible();
      await dialog.getByLabel('Your words').fill(ENGLISH.toUpperCase());
      await dialog.getByRole('button', { name: 'Check' }).click();
      await expect(dialog.getByText('Your paper is right')).toBeVisible();
      await expect(dialog.getByText('By firmware: opened 1 of 1 newest sealed value')).toBeVisible();
      await expect(dialog.getByText('By standard: belongs to it; nothing sealed to try')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('heading', { name: 'Keys without a copy' })).toBeHidden();
    });
  });
});
