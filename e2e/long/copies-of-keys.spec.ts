import type { Page } from '@playwright/test';
import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import { removeFolder, temporaryFolder } from '../../test/support/node-process.ts';
import { call } from '../../test/support/owner-client.ts';
import { minutes, registered, send } from '../support/devices.ts';
import {
  giveKeystore,
  keepAs,
  OTHER_PHRASE,
  openKeys,
  PHRASE,
  phraseSecret,
  typePassphrase,
  typePhrase,
  unlocked,
} from '../support/keys.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

const OWNER = 'aa'.repeat(32);

test('resolved tasks leave the list; every browser knows the copies of the keys, and a verified backup counts as one', async ({
  page,
  freshNode,
  browser,
  watch,
}) => {
  await test.step('the filter shows silent devices, and resolved tasks leave the list', async () => {
    const device = await registered(
      freshNode,
      ['local'],
      { name: 'Rain barrel', ownerPubkey: OWNER },
      { publishTo: 0 },
    );
    await send(freshNode, 'local', minutes(device, { count: 5 }));
    const fine = await registered(freshNode, ['local'], { name: 'Basil bed', ownerPubkey: OWNER }, { publishTo: 0 });
    await send(freshNode, 'local', minutes(fine, { count: 5 }));
    const setSilent = (silentAfterMs: number) =>
      call(freshNode.process, 'setNotes', { id: device.id, notes: { ...NO_NOTES, silentAfterMs } });
    await setSilent(1000);
    await openOwner(page, freshNode);
    const needs = page.getByRole('region', { name: 'Needs you now' });
    await expect(needs).toContainText('Rain barrel has been silent');
    await page.getByRole('button', { name: 'View' }).click();
    await page.getByLabel('Filter by status').selectOption({ label: 'Silent or without a reading' });
    await page.keyboard.press('Escape');
    await expect(page.getByRole('article', { name: 'Basil bed' })).toBeHidden();
    await expect(page.getByRole('article', { name: 'Rain barrel' })).toBeVisible();
    await setSilent(3_600_000);
    await expect(needs).toBeHidden();
  });
  await test.step('every browser knows the copies of the keys', async () => {
    const fine = await registered(freshNode, ['local'], { name: 'Basil bed', ownerPubkey: OWNER }, { publishTo: 0 });
    await send(freshNode, 'local', minutes(fine, { count: 5 }));
    await giveKeystore(freshNode, { secrets: [phraseSecret(PHRASE, 'Sheet in the safe')] });
    const needs = (of: Page) => of.getByRole('region', { name: 'Needs you now' });
    await page.reload();
    await expect(needs(page)).toContainText('Some of your keys have no copy');
    const context = await browser.newContext();
    try {
      const other = await context.newPage();
      await openOwner(other, freshNode);
      await expect(needs(other)).toContainText('Some of your keys have no copy');

      // Exported while it is locked; the keystore takes note of it when it is opened, here or elsewhere.
      await openKeys(page, freshNode);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export' }).click();
      await download;
      await expect(needs(other)).toBeHidden();
      await other.goto(`${freshNode.url('local')}/ui/#/keys`);
      await typePassphrase(other);
      await unlocked(other);
      await expect(other.getByText('was neither exported nor tried from paper')).toBeHidden();

      // What is added since has no copy, and every browser says so, locked or not.
      await typePhrase(other, OTHER_PHRASE);
      await keepAs(other, 'Second sheet');
      await expect(other.getByText('was neither exported nor tried from paper')).toBeVisible();
      await page.getByRole('link', { name: 'Wellhouse' }).click();
      await expect(needs(page)).toContainText('Some of your keys have no copy');
    } finally {
      await context.close();
    }
  });
  await test.step('a verified backup counts as a copy of the keys', async () => {
    const fine = await registered(freshNode, ['local'], { name: 'Basil bed', ownerPubkey: OWNER }, { publishTo: 0 });
    await send(freshNode, 'local', minutes(fine, { count: 5 }));
    await giveKeystore(freshNode, { secrets: [phraseSecret(PHRASE, 'Sheet in the safe')] });
    const needs = page.getByRole('region', { name: 'Needs you now' });
    await page.reload();
    await expect(needs).toContainText('Some of your keys have no copy');
    const folder = temporaryFolder();
    try {
      const plan = { folder, recipient: null, time: '03:30', keepDaily: 7, keepWeekly: 4, keepMonthly: 12 };
      await call(freshNode.process, 'planBackups', plan);
      await call(freshNode.process, 'makeBackup', { passphrase: null });
      await expect(needs).toBeHidden();
    } finally {
      removeFolder(folder);
    }
  });
  watch.end();
});
