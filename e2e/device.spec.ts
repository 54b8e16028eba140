import type { Page } from '@playwright/test';
import { PublishTo } from '../src/shared/protocol/codes.ts';
import type { DeviceRegistrationInput } from '../src/shared/protocol/device.ts';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { queryStore } from '../test/support/store-file.ts';
import { MINUTE_MS, minutes, registered, send } from './support/devices.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openAbout, openDevice, test } from './support/owner-test.ts';

/** A cell of resolution 7 near Campinas. */
const CELL = 0x87a813b22ffffffn;
const POLICY: DeviceRegistrationInput['privacyPolicy'] = {
  ph: { default_disposition: 0 },
  ec: { default_disposition: 2 },
};

let both: SimulatedDevice;
const node = ownerNode(async (started) => {
  both = await registered(
    started,
    ['local', 'public'],
    { name: 'Merged tank', mac: '02a1b2c3d4e5' },
    { location: CELL, ownerName: 'Ada Lovelace', privacyPolicy: POLICY, publishTo: PublishTo.BOTH },
  );
  const plain = { ph: 6, ec: 1000, humidity: 50 };
  const now = Date.now();
  const block = (seq: number, values: Record<string, number>) =>
    both.block({ seq, timestamp: now - (10 - seq) * MINUTE_MS, plain: values });
  await send(
    started,
    'local',
    [1, 2, 3].map((seq) => block(seq, { ...plain, waterLevel: 100 + seq })),
  );
  // The same seq with another content, and seqs that the private store does not have.
  await send(
    started,
    'public',
    [3, 4, 5].map((seq) => block(seq, { tempWater: 10 + seq })),
  );
});

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a device’s page describes it and its data in both stores; notes are saved', async ({ page }) => {
  await test.step('a device’s page shows its description, location, policy and data in both stores', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openDevice(page, node(), both.id);
    await openAbout(page);
    await test.step('shows a device’s identity, and copies its id', async () => {
      const identity = card(page, 'Identity');
      for (const text of [both.id, '02a1b2c3d4e5', 'Ada Lovelace', 'mains sensor', 'ESP32 (simulated), 1.0.0']) {
        await expect(identity).toContainText(text);
      }
      await expect(identity).toContainText('Registered, private');
      await expect(identity).toContainText('Registered, public');
      await identity.getByRole('button', { name: 'Copy the device id' }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(both.id);
    });
    await test.step('draws its cell on the map, with its size', async () => {
      const location = card(page, 'Location');
      await expect(location).toContainText('resolution 7 of 15');
      await expect(location).toContainText('87a813b22ffffff');
      // The map is loaded when it comes into view.
      await location.scrollIntoViewIfNeeded();
      await expect(location).toContainText(/The cell covers \d+(\.\d+)? km²/);
      const map = location.getByRole('img', { name: 'Map with the cell of Merged tank' });
      await expect(map.locator('path').nth(2)).toHaveAttribute('d', /^M/);
      const before = await map.innerHTML();
      await location.getByRole('button', { name: 'Zoom in' }).click();
      await expect.poll(() => map.innerHTML()).not.toBe(before);
      await location.getByRole('button', { name: 'Zoom to the cell' }).click();
      await expect(location.getByRole('button', { name: 'Zoom in' })).toBeDisabled();
      await location.getByRole('button', { name: 'Zoom out' }).click();
      await expect(location.getByRole('button', { name: 'Zoom in' })).toBeEnabled();
    });
    await test.step('explains the policy, and counts withheld values', async () => {
      const policy = card(page, 'Privacy policy');
      await expect(policy).toContainText('publishes to both stores');
      const rowOf = (name: string) => policy.getByRole('row', { name: new RegExp(`^${name}`) });
      const cells = (name: string) => rowOf(name).getByRole('cell');
      // What the policy allows; below, what came.
      await expect(cells('pH').first()).toHaveText(/^not sent.*3 withheld3 without it$/);
      await expect(cells('EC').first()).toHaveText(/^sealed.*3 withheld3 without it$/);
      await expect(cells('Humidity').first()).toHaveText(/^in plain.*3 in plain$/);
      await expect(cells('Water temperature').first()).toHaveText(/^in plainnothing arrived$/);
      await expect(cells('Water temperature').nth(1)).toHaveText(/^in plain.*3 in plain$/);
      const withheld = card(page, 'Withheld');
      await expect(withheld).toContainText(
        '3 values of pH came to the private store, though the policy does not send them',
      );
      await expect(withheld).toContainText('3 values of EC came to the private store in plain');
      await expect(withheld).toContainText('firmware and its policy disagree');
    });
    await test.step('merges both stores by seq, with the private store’s reading as a whole', async () => {
      const grid = page.getByRole('grid', { name: 'Readings' });
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('checkbox', { name: 'Store' }).check();
      await page.keyboard.press('Escape');
      await expect(grid).toHaveAttribute('aria-rowcount', '6');
      const third = grid.getByRole('row').filter({ has: page.getByRole('gridcell', { name: '3', exact: true }) });
      await expect(third).toContainText('private');
      await expect(third).toContainText('103');
      // The public reading of that seq has a water temperature of 13, and none of it is mixed in.
      await expect(third.getByText('13', { exact: true })).toHaveCount(0);
      await expect(grid.getByRole('row').nth(1)).toContainText('public');
      await expect(page.locator('main header')).toContainText('both');
    });
  });
  await test.step('saves the owner’s notes: name, units, threshold and status', async () => {
    const device = await registered(node(), ['local'], { name: 'Noted tank' }, { publishTo: 0 });
    await send(node(), 'local', minutes(device, { count: 3 }));
    await openDevice(page, node(), device.id);
    await openAbout(page);
    const edit = page.getByRole('button', { name: 'Edit notes' });
    const dialog = page.getByRole('dialog', { name: 'Notes on this device' });

    await edit.click();
    await dialog.getByLabel('Name').fill('Kitchen tank');
    await dialog.getByLabel('Silent after').fill('0');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('From one second to 366 days')).toBeVisible();
    await dialog.getByLabel('Silent after').fill('1');
    await dialog.getByLabel('Unit of time').selectOption({ label: 'seconds' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('heading', { level: 1, name: 'Kitchen tank' })).toBeVisible();
    await page.getByRole('button', { name: 'Units and tank' }).click();
    const units = page.getByRole('dialog', { name: 'Units and tank' });
    const ec = units.getByRole('group', { name: 'Units of EC' });
    await ec.getByLabel('Show', { exact: true }).selectOption('µS/cm');
    await units.getByRole('button', { name: 'Save' }).click();
    await expect(units).toBeHidden();
    await expect(page.getByRole('heading', { level: 1, name: 'Kitchen tank' })).toBeVisible();
    await expect(page.locator('main header').getByTitle(/^2,\d\d\d µS\/cm \(1,\d\d\d ppm₅₀₀\)$/)).toBeVisible();
    await expect(page.locator('main header')).toContainText('Silent for');
    await expect(card(page, 'Identity')).toContainText('Noted tank');

    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Kitchen tank' })).toBeVisible();
    await edit.click();
    await dialog.getByText('Lost', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.locator('main header')).toContainText('Lost');
    const [kept] = queryStore(
      node().dataDir,
      'local',
      'SELECT * FROM device_notes WHERE id = ?',
      Buffer.from(device.id, 'hex'),
    );
    expect(kept).toMatchObject({ display_name: 'Kitchen tank', silent_after_ms: 1000n, status: 2n });
  });
});
