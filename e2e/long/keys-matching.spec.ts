import { hexToBytes } from '../../src/shared/crypto/hex.ts';
import { deriveFieldKey } from '../../src/shared/crypto/keyring/field-key.ts';
import { deriveOwner } from '../../src/shared/crypto/phrase/owner-key.ts';
import { sealedField } from '../../src/simulator/block-source.ts';
import { MINUTE_MS, registered, send } from '../support/devices.ts';
import {
  giveKeystore,
  keepAs,
  OTHER_PHRASE,
  openUnlocked,
  PHRASE,
  phraseSecret,
  removeSecret,
  typePhrase,
} from '../support/keys.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, test } from '../support/owner-test.ts';

const [STANDARD, FIRMWARE] = deriveOwner('test', { kind: 'phrase', phrase: PHRASE }).keys;
const [, OF_OTHER] = deriveOwner('test', { kind: 'phrase', phrase: OTHER_PHRASE }).keys;

const node = ownerNode(async (started) => {
  const owned = (name: string, ownerPubkey: string, options = {}) =>
    registered(started, ['local'], { name, ownerPubkey }, { publishTo: 0, ...options });
  const device = await owned('Well', FIRMWARE!.publicKey);
  const key = deriveFieldKey(FIRMWARE!.seed, hexToBytes(device.id), 1);
  const sealed = { ph: sealedField(key, 7.875) };
  await send(started, 'local', [device.block({ seq: 1, timestamp: Date.now() - MINUTE_MS, keyVersion: 1, sealed })]);
  await owned('By standard', STANDARD!.publicKey);
  await owned('Of another', OF_OTHER!.publicKey, { privacyPolicy: { ph: { default_disposition: 2 } } });
  // It seals nothing: no key is missed.
  await owned('Plain', 'ab'.repeat(32));
  await giveKeystore(started, { secrets: [phraseSecret(PHRASE, 'Kept')] });
});

test('the keys of a phrase are matched with devices, and a drill tries them on a value', async ({ page }) => {
  await openUnlocked(page, node());
  const unmatched = page.getByRole('region', { name: 'Devices of another key' });
  await test.step('names the matching derivation of each device, and says if none matches', async () => {
    const row = (key: string) => card.locator('dl > div').filter({ hasText: key });
    const card = page.getByRole('article', { name: 'Kept' });
    await expect(row(STANDARD!.publicKey)).toContainText('Standard');
    await expect(row(STANDARD!.publicKey).getByRole('link')).toHaveText(['By standard']);
    await expect(row(FIRMWARE!.publicKey)).toContainText('Firmware');
    await expect(row(FIRMWARE!.publicKey).getByRole('link')).toHaveText(['Well']);
    await expect(unmatched).toContainText('none of the 2 public keys above');
    await expect(unmatched).toContainText(OF_OTHER!.publicKey);
    await expect(unmatched.getByRole('link')).toHaveText(['Of another']);
    await typePhrase(page, OTHER_PHRASE);
    const typed = await keepAs(page, 'Typed');
    await expect(typed.getByRole('link')).toHaveText(['Of another']);
    await expect(unmatched).toBeHidden();
    await removeSecret(page, typed);
    await expect(unmatched).toBeVisible();
  });
  await test.step('the restore drill verifies the written phrase, by the keys and by opening a value', async () => {
    await expect(page.getByText('One phrase or seed was neither exported nor tried from paper.')).toBeVisible();
    await page.getByRole('article', { name: 'Kept' }).getByRole('button', { name: 'Restore drill' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore drill' });
    await dialog.getByLabel('Your words').fill(OTHER_PHRASE);
    await dialog.getByRole('button', { name: 'Check' }).click();
    await expect(dialog.getByText('This is not the stored phrase')).toBeVisible();
    await dialog.getByLabel('Your words').fill(PHRASE.toUpperCase());
    await dialog.getByRole('button', { name: 'Check' }).click();
    await expect(dialog.getByText('Your paper is right')).toBeVisible();
    await expect(dialog.getByText('Well: opened 1 of 1 newest sealed value')).toBeVisible();
    await expect(dialog.getByText('By standard: belongs to it; nothing sealed to try')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('heading', { name: 'Keys without a copy' })).toBeHidden();
  });
});
