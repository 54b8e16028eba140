import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { openKeystore } from '../../src/shared/crypto/keystore/keystore.ts';
import { MINUTE_MS, registered, send, valuesAt } from '../support/devices.ts';
import { giveKeystore, keystorePath, PASSPHRASE, phraseSecret, typePassphrase } from '../support/keys.ts';
import type { OwnerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';
import { floatBytes, PHRASE, PHRASE_NAME, SealingDevice, sealBytes } from '../support/sealing.ts';

const COUNT = 620;
/** The first of the second key version. */
const SECOND_FROM = 561;

const ofFirmware = new SealingDevice('Of the firmware', 'firmware');
const ofStandard = new SealingDevice('Of the standard', 'standard');

/** Two fields: one of them does not open where the other does. */
function valuesOf(seq: number) {
  const { ph, ec } = valuesAt(seq);
  return { ph, ec };
}

async function fill(node: OwnerNode): Promise<void> {
  const endAt = Date.now();
  for (const { device } of [ofFirmware, ofStandard]) {
    const { seed, mac, name, ownerPubkey } = device;
    await registered(node, ['local'], { seed, mac, name, ownerPubkey });
  }
  await giveKeystore(node, { secrets: [phraseSecret(PHRASE, PHRASE_NAME)] });
  const block = (device: SealingDevice, seq: number, count: number, keyVersion: number, instead = {}) =>
    device.block({ seq, timestamp: endAt - (count - seq) * MINUTE_MS, keyVersion, values: valuesOf(seq), instead });
  const many = Array.from({ length: COUNT }, (_, index) => {
    const seq = index + 1;
    // Three of the second version, and one among the first five hundred, are sealed with another key.
    const isForged = seq === 40 || seq > COUNT - 3;
    const instead = isForged ? { ph: sealBytes(randomBytes(32), floatBytes(7)) } : {};
    return block(ofFirmware, seq, COUNT, seq < SECOND_FROM ? 1 : 2, instead);
  });
  await send(node, 'local', many);
  await send(node, 'local', [block(ofStandard, 1, 1, 1)]);
}

const section = (page: Page) => page.getByRole('region', { name: 'Keys' });
const version = (page: Page, number: number) => section(page).getByRole('row', { name: new RegExp(`^${number} `) });

/** Opens a device's page and unlocks the keys from its own card. */
async function openKeyring(page: Page, node: OwnerNode, device: SealingDevice): Promise<void> {
  await openOwner(page, node, `#/device/${device.id}`);
  await unlockKeyring(page);
}

async function unlockKeyring(page: Page): Promise<void> {
  await section(page).getByRole('button', { name: 'Unlock your keys' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await typePassphrase(page);
  await expect(section(page).getByRole('button', { name: 'Import keys' })).toBeVisible();
}

test('a device’s keys: their owner, what each version opens, and a new version', async ({ page, freshNode }) => {
  await fill(freshNode);
  await test.step('names the phrase and the derivation that a device belongs to', async () => {
    await openKeyring(page, freshNode, ofFirmware);
    await expect(section(page)).toContainText(`comes from ${PHRASE_NAME}, firmware derivation`);
    await expect(version(page, 1)).toContainText(`derived from ${PHRASE_NAME}, firmware derivation`);
  });
  await test.step('counts how many values each version opens, in the latest and in all readings', async () => {
    await expect(version(page, 2)).toContainText('opens 57');
    await expect(version(page, 2)).toContainText('fails on 3');
    await expect(version(page, 2)).toContainText('wrong key (3)');
    await expect(version(page, 1)).toContainText('opens 440');
    await expect(version(page, 1)).not.toContainText('fails');
    await section(page).getByRole('button', { name: 'Count all 620' }).click();
    await expect(version(page, 1)).toContainText('opens 559');
    await expect(version(page, 1)).toContainText('fails on 1');
    await expect(section(page)).toContainText('Counted over all 620 readings');
  });
  await test.step('adds a version, shows the key for the device, and keeps the old ones', async () => {
    await section(page).getByRole('button', { name: 'New key version' }).click();
    const dialog = page.getByRole('dialog', { name: 'Key for version 3' });
    await showKey(dialog);
    await expect(dialog.getByRole('img', { name: 'QR code with the key for version 3' })).toBeVisible();
    const given = { deviceId: ofFirmware.id, keyVersion: 3, key: ofFirmware.keyHex(3) };
    expect(JSON.parse((await dialog.locator('code').textContent())!)).toEqual(given);
    await dialog.getByRole('button', { name: 'Close' }).click();
    for (const number of [1, 2, 3]) await expect(version(page, number)).toBeVisible();
    // The device takes it, and what it sends then opens.
    const block = ofFirmware.block({ seq: 700, timestamp: Date.now(), keyVersion: 3, values: { ph: 4.75 } });
    await send(freshNode, 'local', [block]);
    await expect(page.getByRole('grid', { name: 'Readings' }).getByText('4.75')).toBeVisible();
    await expect(version(page, 3)).toContainText('opens 1');
    // It is kept in the node's file, which is read again when the keys are unlocked.
    await page.keyboard.press('Control+Shift+L');
    await expect(version(page, 3)).toHaveCount(0);
    const kept = await openKeystore(readFileSync(keystorePath(freshNode)), PASSPHRASE);
    expect(kept.ok && kept.keystore.contents.fieldKeys).toMatchObject([
      { deviceId: ofFirmware.id, keyVersion: 3, keyHex: ofFirmware.keyHex(3) },
    ]);
    await unlockKeyring(page);
    await expect(version(page, 3)).toContainText('kept since');
  });
  await test.step('a new key version skips one that only an old reading has', async () => {
    // Beyond the latest five hundred, which the page counts by itself.
    const block = ofFirmware.block({ seq: 0, timestamp: Date.now() - 1e9, keyVersion: 9, values: { ph: 5 } });
    await send(freshNode, 'local', [block]);
    await expect(version(page, 2)).toBeVisible();
    await expect(version(page, 9)).toHaveCount(0);
    await section(page).getByRole('button', { name: 'New key version' }).click();
    await expect(page.getByRole('dialog', { name: 'Key for version 10' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });
  await test.step('names the other derivation for a device that belongs to it', async () => {
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /Of the standard/ })
      .click();
    await expect(section(page)).toContainText(`comes from ${PHRASE_NAME}, standard derivation`);
    await expect(page.getByRole('grid').getByText(String(valuesAt(1).ph))).toBeVisible();
  });
});

/** Types the passphrase that a key in clear asks for. */
async function showKey(dialog: Locator, passphrase = PASSPHRASE): Promise<void> {
  await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await dialog.getByRole('button', { name: 'Show the key' }).click();
}
