import { randomBytes } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { publicKeyOf } from '../src/shared/crypto/ed25519.ts';
import { bytesToHex } from '../src/shared/crypto/hex.ts';
import { firmwareSeed, standardSeed } from '../src/shared/crypto/phrase/derivations.ts';
import { MINUTE_MS, registered, send, valuesAt } from './support/devices.ts';
import { giveKeystore, PASSPHRASE, phraseSecret, typePassphrase } from './support/keys.ts';
import type { OwnerNode } from './support/owner-node.ts';
import { expect, openOwner, test } from './support/owner-test.ts';
import { floatBytes, PHRASE, PHRASE_NAME, SealingDevice, sealBytes } from './support/sealing.ts';

const COUNT = 620;
/** The first of the second key version. */
const SECOND_FROM = 561;

const ofFirmware = new SealingDevice('Of the firmware', 'firmware');
const ofStandard = new SealingDevice('Of the standard', 'standard');
const stray = new SealingDevice('Stray', null);

// Each test changes what is kept, so each has a node of its own.
test.beforeEach(async ({ freshNode }) => {
  await fill(freshNode);
});

async function fill(node: OwnerNode): Promise<void> {
  const endAt = Date.now();
  for (const { device } of [ofFirmware, ofStandard, stray]) {
    const { seed, mac, name, ownerPubkey } = device;
    await registered(node, ['local'], { seed, mac, name, ownerPubkey });
  }
  await giveKeystore(node, { secrets: [phraseSecret(PHRASE, PHRASE_NAME)] });
  const block = (device: SealingDevice, seq: number, count: number, keyVersion: number, instead = {}) =>
    device.block({ seq, timestamp: endAt - (count - seq) * MINUTE_MS, keyVersion, values: valuesAt(seq), instead });
  const many = Array.from({ length: COUNT }, (_, index) => {
    const seq = index + 1;
    // Three of the second version, and one among the first five hundred, are sealed with another key.
    const isForged = seq === 40 || seq > COUNT - 3;
    const instead = isForged ? { ph: sealBytes(randomBytes(32), floatBytes(7)) } : {};
    return block(ofFirmware, seq, COUNT, seq < SECOND_FROM ? 1 : 2, instead);
  });
  await send(node, 'local', many);
  await send(node, 'local', [block(ofStandard, 1, 1, 1)]);
  await send(
    node,
    'local',
    [1, 2, 3, 4].map((seq) => block(stray, seq, 4, seq < 3 ? 1 : 2)),
  );
}

const section = (page: Page) => page.getByRole('region', { name: 'Keys' });
const version = (page: Page, number: number) => section(page).getByRole('row', { name: new RegExp(`^${number} `) });

/** Opens a device's page and unlocks the keys from its own card. */
async function openKeyring(page: Page, node: OwnerNode, device: SealingDevice): Promise<void> {
  await openOwner(page, node, `#/device/${device.id}`);
  await section(page).getByRole('button', { name: 'Unlock your keys' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await typePassphrase(page);
  await expect(section(page).getByRole('button', { name: 'Import keys' })).toBeVisible({ timeout: 15_000 });
}

test('says which phrase and which derivation a device belongs to', async ({ page, freshNode }) => {
  await openKeyring(page, freshNode, ofFirmware);
  await expect(section(page)).toContainText(`comes from ${PHRASE_NAME}, firmware derivation`);
  await expect(version(page, 1)).toContainText(`derived from ${PHRASE_NAME}, firmware derivation`);
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /Of the standard/ })
    .click();
  await expect(section(page)).toContainText(`comes from ${PHRASE_NAME}, standard derivation`);
  await expect(page.getByRole('grid').getByText(String(valuesAt(1).ph))).toBeVisible();
});

test('says plainly that none fits, with the public keys of both derivations', async ({ page, freshNode }) => {
  await openKeyring(page, freshNode, stray);
  await expect(section(page)).toContainText('None of your phrases and seeds gives the owner key');
  await expect(section(page).getByText(stray.device.ownerPubkey)).toBeVisible();
  for (const seed of [standardSeed(PHRASE), firmwareSeed(PHRASE)]) {
    await expect(section(page).getByText(bytesToHex(publicKeyOf(seed)))).toBeVisible();
  }
  await expect(version(page, 2)).toContainText('no key');
});

test('counts what each version opens and fails on, in the latest and in all readings', async ({ page, freshNode }) => {
  await openKeyring(page, freshNode, ofFirmware);
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

test('imports one key, opens with it, removes it and takes the removal back', async ({ page, freshNode }) => {
  await openKeyring(page, freshNode, stray);
  const newest = page.getByRole('grid', { name: 'Readings' }).getByRole('row').nth(1);
  await expect(newest.getByText('key missing').first()).toBeVisible();
  await version(page, 2).getByRole('button', { name: 'Add the key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import field keys' });
  await expect(dialog.getByLabel('Version of a single key')).toHaveValue('2');
  await dialog.getByLabel('Keys', { exact: true }).fill('abcd');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('the key is not 64 hex digits');
  await dialog.getByLabel('Keys', { exact: true }).fill(stray.keyHex(2).toUpperCase());
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(section(page).getByRole('status').filter({ hasText: '1 key imported' })).toBeVisible();
  await expect(version(page, 2)).toContainText('imported');
  await expect(version(page, 2)).toContainText('opens 2');
  await expect(newest.getByLabel('Opened with key version 2').first()).toBeVisible();
  await version(page, 2).getByRole('button', { name: 'Remove the key for version 2' }).click();
  await expect(newest.getByText('key missing').first()).toBeVisible();
  await section(page).getByRole('button', { name: 'Undo' }).click();
  await expect(newest.getByLabel('Opened with key version 2').first()).toBeVisible();
  await expect(version(page, 2)).toContainText('imported');
});

test('imports a list, and names every line that is wrong', async ({ page, freshNode }) => {
  await openKeyring(page, freshNode, stray);
  await section(page).getByRole('button', { name: 'Import keys' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import field keys' });
  const keys = dialog.getByLabel('Keys', { exact: true });
  const take = dialog.getByRole('button', { name: 'Import', exact: true });
  const bad = [`xyz,1,${stray.keyHex(1)}`, `${stray.id},two,${stray.keyHex(2)}`, `${stray.id},3,12`, 'one,two'];
  await keys.fill(['device,version,key', ...bad].join('\n'));
  await take.click();
  await expect(dialog.getByRole('alert').getByRole('listitem')).toHaveText([
    'Line or item 2: the device id is not 64 hex digits',
    /^Line or item 3: the key version is not a whole number/,
    'Line or item 4: the key is not 64 hex digits',
    'Line or item 5: expected: device id, key version and key',
  ]);
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'keys.json',
    mimeType: 'application/json',
    buffer: Buffer.from(
      JSON.stringify([1, 2].map((keyVersion) => ({ deviceId: stray.id, keyVersion, key: stray.keyHex(keyVersion) }))),
    ),
  });
  await expect(keys).toHaveValue(new RegExp(stray.keyHex(2)));
  await take.click();
  await expect(dialog).toBeHidden();
  await expect(version(page, 1)).toContainText('opens 2');
  await expect(version(page, 2)).toContainText('opens 2');
});

test('replaces a kept key only when asked, and takes that back', async ({ page, freshNode }) => {
  await openKeyring(page, freshNode, stray);
  const bring = async (key: string) => {
    await section(page).getByRole('button', { name: 'Import keys' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import field keys' });
    await dialog.getByLabel('Version of a single key').fill('2');
    await dialog.getByLabel('Keys', { exact: true }).fill(key);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    return dialog;
  };
  await expect(await bring('ab'.repeat(32))).toBeHidden();
  await expect(version(page, 2)).toContainText('fails on 2');
  await expect(version(page, 2)).toContainText('wrong key');
  const dialog = await bring(stray.keyHex(2));
  await expect(dialog.getByRole('alert')).toContainText('already has another key');
  await expect(version(page, 2)).toContainText('fails on 2');
  await dialog.getByRole('button', { name: 'Replace it' }).click();
  await expect(dialog).toBeHidden();
  await expect(version(page, 2)).toContainText('opens 2');
  await section(page).getByRole('button', { name: 'Undo' }).click();
  await expect(version(page, 2)).toContainText('fails on 2');
});

/** Types the passphrase that a key in clear asks for. */
async function showKey(dialog: Locator, passphrase = PASSPHRASE): Promise<void> {
  await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await dialog.getByRole('button', { name: 'Show the key' }).click();
}

test('adds a version, shows what the device must be given, and keeps the old ones', async ({ page, freshNode }) => {
  await openKeyring(page, freshNode, ofFirmware);
  await section(page).getByRole('button', { name: 'New key version' }).click();
  const dialog = page.getByRole('dialog', { name: 'Key for version 3' });
  await showKey(dialog);
  await expect(dialog.getByRole('img', { name: 'QR code with the key for version 3' })).toBeVisible({
    timeout: 20_000,
  });
  const given = { deviceId: ofFirmware.id, keyVersion: 3, key: ofFirmware.keyHex(3) };
  expect(JSON.parse((await dialog.locator('code').textContent())!)).toEqual(given);
  await dialog.getByRole('button', { name: 'Close' }).click();
  for (const number of [1, 2, 3]) await expect(version(page, number)).toBeVisible();
  // The device takes it, and what it sends then opens.
  const block = ofFirmware.block({ seq: 700, timestamp: Date.now(), keyVersion: 3, values: { ph: 4.75 } });
  await send(freshNode, 'local', [block]);
  await expect(page.getByRole('grid', { name: 'Readings' }).getByText('4.75')).toBeVisible();
  await expect(version(page, 3)).toContainText('opens 1');
  // It is kept: in a fresh page it is still there.
  await page.reload();
  await openKeyring(page, freshNode, ofFirmware);
  await expect(version(page, 3)).toContainText('kept since');
});

test('takes a key in clear off the page when the keys are locked', async ({ page, freshNode }) => {
  await openKeyring(page, freshNode, ofFirmware);
  await version(page, 2).getByRole('button', { name: 'Give to the device: version 2' }).click();
  const dialog = page.getByRole('dialog', { name: 'Key for version 2' });
  await showKey(dialog, 'not the passphrase');
  await expect(dialog.getByRole('alert')).toContainText('Wrong passphrase', { timeout: 20_000 });
  await expect(page.getByText(ofFirmware.keyHex(2))).toHaveCount(0);
  await showKey(dialog);
  await expect(page.getByText(ofFirmware.keyHex(2))).toBeVisible({ timeout: 20_000 });
  await page.keyboard.press('Control+Shift+L');
  await expect(page.getByText(ofFirmware.keyHex(2))).toHaveCount(0);
  await expect(section(page)).toContainText('Your keys are locked');
});

test('a new key version skips one that only an old reading has', async ({ page, freshNode }) => {
  // Beyond the latest five hundred, which the page counts by itself.
  const block = ofFirmware.block({ seq: 0, timestamp: Date.now() - 1e9, keyVersion: 9, values: { ph: 5 } });
  await send(freshNode, 'local', [block]);
  await openKeyring(page, freshNode, ofFirmware);
  await expect(version(page, 2)).toBeVisible();
  await expect(version(page, 9)).toHaveCount(0);
  await section(page).getByRole('button', { name: 'New key version' }).click();
  await expect(page.getByRole('dialog', { name: 'Key for version 10' })).toBeVisible({ timeout: 15_000 });
});

test('of a long list that is wrong, the first errors are named and the rest counted', async ({ page, freshNode }) => {
  await openKeyring(page, freshNode, stray);
  await section(page).getByRole('button', { name: 'Import keys' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import field keys' });
  const lines = Array.from({ length: 300 }, (_, index) => `${stray.id},${index + 1},abcd`);
  await dialog.getByLabel('Keys', { exact: true }).fill(lines.join('\n'));
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog.getByRole('alert').getByRole('listitem')).toHaveCount(11);
  await expect(dialog.getByRole('alert')).toContainText('290');
});
