import type { Page } from '@playwright/test';
import { NO_NOTES } from '../src/shared/owner-data/notes.ts';
import { SimulatedDevice } from '../src/simulator/device.ts';
import { removeFolder, temporaryFolder } from '../test/support/node-process.ts';
import { complaints } from './support/axe.ts';
import { attempt, MINUTE_MS, minutes, register, registered, send } from './support/devices.ts';
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
} from './support/keys.ts';
import { WIDTHS } from './support/matrix.ts';
import { type OwnerNode, ownerNode } from './support/owner-node.ts';
import { expect, openOwner, test } from './support/owner-test.ts';

const OWNER = 'aa'.repeat(32);

let silent: SimulatedDevice;
const knocking = new SimulatedDevice();

/** Calls the owner API as the page does. */
async function call(node: OwnerNode, method: string, input: unknown): Promise<void> {
  const reply = await fetch(`${node.url('local')}/ui/api/${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${node.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  expect(await reply.json()).toMatchObject({ ok: true });
}

const node = ownerNode(async (started) => {
  const owned = { ownerPubkey: OWNER };
  const fine = await registered(started, ['local'], { name: 'Basil bed', ...owned }, { publishTo: 0 });
  await send(started, 'local', minutes(fine, { count: 5 }));
  silent = await registered(started, ['local'], { name: 'Rain barrel', ...owned }, { publishTo: 0 });
  await send(started, 'local', minutes(silent, { count: 5 }));
  await call(started, 'setNotes', { id: silent.id, notes: { ...NO_NOTES, silentAfterMs: 1000 } });
  const clockless = await registered(started, ['local'], { name: 'Attic tank', ...owned }, { publishTo: 0 });
  await send(started, 'local', minutes(clockless, { count: 5, bootedAt: Date.now() - 10 * MINUTE_MS }));
  await attempt(started, 'local', knocking.block({ seq: 1, timestamp: Date.now(), plain: { ph: 6 } }));
  await giveKeystore(started);
});

test('the overview starts with the tasks for the owner, worst first; bytes and refusals are on the node’s page', async ({
  page,
}) => {
  await test.step('the overview starts with the tasks for the owner, worst first, each with one action', async () => {
    await openOwner(page, node());
    const needs = page.getByRole('region', { name: 'Needs you now' });
    const items = needs.locator('> ul > li');
    await expect(items).toHaveCount(4);
    await expect(items.nth(0)).toContainText(/^Rain barrel has been silent for/);
    await expect(items.nth(1)).toContainText('An unregistered device is knocking');
    await expect(items.nth(2)).toContainText('The clock of Attic tank is not set');
    await expect(items.nth(3)).toContainText('Some of your keys have no copy');
    // One sentence says it before, and the devices come after.
    await expect(page.getByRole('heading', { level: 1, name: '2 of 3 need you.' })).toBeVisible();
    const above = (await needs.boundingBox())!.y;
    expect(above).toBeLessThan((await page.getByRole('list', { name: 'Your devices' }).boundingBox())!.y);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await complaints(page), String(width)).toEqual([]);
    }

    await items.nth(0).getByRole('link', { name: 'Open' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Rain barrel' })).toBeVisible();
    await page.getByRole('link', { name: 'Wellhouse' }).click();
    await items.nth(3).getByRole('link', { name: 'Export' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
  });
  await test.step('bytes and refusals are on the node’s page, with their reasons', async () => {
    await openOwner(page, node());
    await page.getByRole('link', { name: 'Live' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Node' })).toBeVisible();
    const storage = page.getByRole('region', { name: 'Storage' });
    await expect(storage).toContainText(/Private store[\d.,]+ [kM]B/);
    await expect(storage).toContainText(/Room left on the disk.* of /);
    await expect(page.getByRole('region', { name: 'Today' })).toContainText('1 from devices that are not registered');
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await complaints(page), String(width)).toEqual([]);
    }
    await register(node(), 'local', knocking, { publishTo: 0 });
  });
});

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
      call(freshNode, 'setNotes', { id: device.id, notes: { ...NO_NOTES, silentAfterMs } });
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
      await call(freshNode, 'planBackups', plan);
      await call(freshNode, 'makeBackup', { passphrase: null });
      await expect(needs).toBeHidden({ timeout: 30_000 });
    } finally {
      removeFolder(folder);
    }
  });
  watch.end();
});
