import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeDevice, OWNER_PHRASE } from '../scripts/fake-node/devices.ts';
import { publicKeyOf } from '../src/shared/crypto/ed25519.ts';
import { bytesToHex, hexToBytes } from '../src/shared/crypto/hex.ts';
import { deriveFieldKey } from '../src/shared/crypto/keyring/field-key.ts';
import type { StoredSecret } from '../src/shared/crypto/keystore/keystore-contents.ts';
import { firmwareSeed, standardSeed } from '../src/shared/crypto/phrase/derivations.ts';
import { openLocked, PASSPHRASE, PHRASE, phraseSecret, typePassphrase } from './support/kept-keys.ts';
import { MINUTE_MS } from './support/page-parts.ts';

/** Two readings of each of two key versions, with every field sealed. */
function sealingDevice(): FakeDevice {
  const sent = [1, 2, 3, 4].map((seq) => ({
    ...{ seq, at: Date.now() - (4 - seq) * MINUTE_MS, values: { ph: 6, ec: 1200 } },
    ...{ sealed: ['ph', 'ec'] as const, keyVersion: seq < 3 ? 1 : 2 },
  }));
  return new FakeDevice({ name: 'Sealing', sent });
}
const device = sealingDevice();
const keyHex = (version: number): string =>
  bytesToHex(deriveFieldKey(firmwareSeed(OWNER_PHRASE), hexToBytes(device.id), version));

const section = page.getByRole('region', { name: 'Keys' });
const version = (number: number) => section.getByRole('row', { name: new RegExp(`^${number} `) });
const dialog = page.getByRole('dialog', { name: 'Import field keys' });
const keysField = dialog.getByLabelText('Keys', { exact: true });
const take = dialog.getByRole('button', { name: 'Import', exact: true });
const newest = page.css('[role=grid] [role=row][aria-rowindex="2"]');

/** Opens the device's page with a phrase of its owner, or of somebody else, and unlocks the keys there. */
async function openKeyring(secret: StoredSecret): Promise<void> {
  await openLocked([secret], `#/device/${device.id}`, [device]);
  await section.getByRole('button', { name: 'Unlock your keys' }).click();
  await typePassphrase();
  await expect.element(section.getByRole('button', { name: 'Import keys' })).toBeVisible();
}

test('if no phrase fits, keys are imported, singly or from a file; wrong lines are named; each change can be undone', async () => {
  await openKeyring(phraseSecret(PHRASE, 'Well phrase'));
  await expect.element(section).toContainText('None of your phrases and seeds gives the owner key');
  await expect.element(section.getByText(device.ownerPubkey)).toBeVisible();
  for (const seed of [standardSeed(PHRASE), firmwareSeed(PHRASE)]) {
    await expect.element(section.getByText(bytesToHex(publicKeyOf(seed)))).toBeVisible();
  }
  await expect.element(version(2)).toContainText('no key');
  await section.getByRole('button', { name: 'Import keys' }).click();
  const lines = Array.from({ length: 300 }, (_, index) => `${device.id},${index + 1},abcd`);
  await keysField.fill(lines.join('\n'));
  await take.click();
  await expect.poll(() => dialog.getByRole('alert').getByRole('listitem').elements()).toHaveLength(11);
  await expect.element(dialog.getByRole('alert')).toContainText('290');
  const bad = [`xyz,1,${keyHex(1)}`, `${device.id},two,${keyHex(2)}`, `${device.id},3,12`, 'one,two'];
  await keysField.fill(['device,version,key', ...bad].join('\n'));
  await take.click();
  await expect
    .poll(() =>
      dialog
        .getByRole('alert')
        .getByRole('listitem')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual([
      'Line or item 2: the device id is not 64 hex digits',
      expect.stringMatching(/^Line or item 3: the key version is not a whole number/),
      'Line or item 4: the key is not 64 hex digits',
      'Line or item 5: expected: device id, key version and key',
    ]);
  const list = [1, 2].map((keyVersion) => ({ deviceId: device.id, keyVersion, key: keyHex(keyVersion) }));
  const file = new File([JSON.stringify(list)], 'keys.json', { type: 'application/json' });
  await userEvent.upload(page.css('[role=dialog] input[type=file]'), file);
  await expect.element(keysField).toHaveValue(JSON.stringify(list));
  await take.click();
  await expect.element(dialog).not.toBeInTheDocument();
  for (const number of [1, 2]) await expect.element(version(number)).toContainText('opens 2');

  // A single key is imported, removed, and replaced after a confirmation, which can be undone.
  await version(2).getByRole('button', { name: 'Remove the key for version 2' }).click();
  await expect.element(version(2)).toContainText('no key');
  await expect.element(newest.getByText('key missing').first()).toBeVisible();
  await version(2).getByRole('button', { name: 'Add the key' }).click();
  await expect.element(dialog.getByLabelText('Version of a single key')).toHaveValue('2');
  await keysField.fill('abcd');
  await take.click();
  await expect.element(dialog.getByRole('alert')).toContainText('the key is not 64 hex digits');
  await keysField.fill(keyHex(2).toUpperCase());
  await take.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(section.getByText('1 key imported', { exact: false })).toBeVisible();
  await expect.element(version(2)).toContainText('imported');
  await expect.element(version(2)).toContainText('opens 2');
  await expect.element(newest.getByLabelText('Opened with key version 2').first()).toBeVisible();
  await version(2).getByRole('button', { name: 'Remove the key for version 2' }).click();
  await expect.element(newest.getByText('key missing').first()).toBeVisible();
  await section.getByRole('button', { name: 'Undo' }).click();
  await expect.element(newest.getByLabelText('Opened with key version 2').first()).toBeVisible();
  await expect.element(version(2)).toContainText('imported');

  await version(2).getByRole('button', { name: 'Remove the key for version 2' }).click();
  await expect.element(version(2)).toContainText('no key');
  const bring = async (key: string) => {
    await section.getByRole('button', { name: 'Import keys' }).click();
    await dialog.getByLabelText('Version of a single key').fill('2');
    await keysField.fill(key);
    await take.click();
  };
  await bring('ab'.repeat(32));
  await expect.element(version(2)).toContainText('fails on 2');
  await expect.element(version(2)).toContainText('wrong key');
  await bring(keyHex(2));
  await expect.element(dialog.getByRole('alert')).toContainText('already has another key');
  await expect.element(version(2)).toContainText('fails on 2');
  await dialog.getByRole('button', { name: 'Replace it' }).click();
  await expect.element(version(2)).toContainText('opens 2');
  await section.getByRole('button', { name: 'Undo' }).click();
  await expect.element(version(2)).toContainText('fails on 2');
});

test('removes a shown key from the page when the keys are locked', async () => {
  await openKeyring(phraseSecret(OWNER_PHRASE, 'Owner'));
  await version(2).getByRole('button', { name: 'Give to the device: version 2' }).click();
  const given = page.getByRole('dialog', { name: 'Key for version 2' });
  const show = async (passphrase: string) => {
    await given.getByLabelText('Passphrase', { exact: true }).fill(passphrase);
    await given.getByRole('button', { name: 'Show the key' }).click();
  };
  await show('not the passphrase');
  await expect.element(given.getByRole('alert')).toContainText('Wrong passphrase');
  const inClear = page.getByText(keyHex(2), { exact: false });
  await expect.element(inClear).not.toBeInTheDocument();
  await show(PASSPHRASE);
  await expect.element(inClear).toBeVisible();
  await userEvent.keyboard('{Control>}{Shift>}L{/Shift}{/Control}');
  await expect.element(inClear).not.toBeInTheDocument();
  await expect.element(section).toContainText('Your keys are locked');
});
