import type { Page } from '@playwright/test';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { attempt, MINUTE_MS, minutes, register, registered, send } from '../support/devices.ts';
import { type OwnerNode, ownerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

const OWNER = 'aa'.repeat(32);
const knocking = new SimulatedDevice();
const strange = new SimulatedDevice();

/** One device of each kind that the list tells apart. */
async function fill(node: OwnerNode): Promise<void> {
  const owned = { ownerPubkey: OWNER };
  const plain = await registered(node, ['local'], { name: 'Carp pond', ...owned }, { publishTo: 0 });
  await send(node, 'local', minutes(plain, { count: 100 }));
  await send(node, 'local', [at(plain, 101, { ph: 6.2, ec: 1800, tempWater: 18.25 })]);
  const both = await registered(node, ['local', 'public'], { name: 'Basil bed', ...owned });
  await send(node, 'local', [at(both, 1, { ph: 5.5, ec: 900 })]);
  await send(node, 'public', [at(both, 2, { ph: 7.5 })]);
  const clockless = await registered(node, ['local'], { name: 'Attic tank', ...owned }, { publishTo: 0 });
  await send(node, 'local', minutes(clockless, { count: 5, bootedAt: Date.now() - 10 * MINUTE_MS }));
  const sealed = await registered(node, ['local'], { name: 'Dill shelf', ...owned }, { publishTo: 0 });
  await send(node, 'local', minutes(sealed, { count: 5, sealed: ['ph', 'ec'] }));
  await registered(node, ['local'], { name: 'Empty vat', ...owned }, { publishTo: 0 });
  const stranger = await registered(node, ['public'], { name: 'Stranger’s pump', ownerPubkey: 'bb'.repeat(32) });
  await send(node, 'public', [at(stranger, 1, { ph: 4.4 })]);
  await registered(node, ['public'], { name: 'Claimed pump', ...owned });
  await attempt(node, 'local', at(knocking, 1, { ph: 6 }));
  await attempt(node, 'public', at(knocking, 2, { ph: 6 }));
  await attempt(node, 'public', at(strange, 1, { ph: 6 }));
  const spoilt = at(plain, 102, { ph: 6 });
  spoilt.signature = '00'.repeat(64);
  await attempt(node, 'local', spoilt);
}

function at(device: SimulatedDevice, seq: number, plain: Record<string, number>) {
  return device.block({ seq, timestamp: Date.now(), plain });
}

const node = ownerNode(fill);
const mine = (page: Page) => page.getByRole('list', { name: 'Your devices' });
const names = (page: Page) => mine(page).locator('[data-device]').allTextContents();
const row = (page: Page, name: string) => mine(page).getByRole('article', { name });
const ALL = ['Attic tank', 'Basil bed', 'Carp pond', 'Dill shelf', 'Empty vat'];

test('the overview merges both stores, separates strangers, and asks about knocking devices', async ({ page }) => {
  await test.step('a device of both stores is one device, with the newest values of either', async () => {
    await openOwner(page, node());
    await expect(row(page, 'Carp pond')).toBeVisible();

    await expect(row(page, 'Basil bed')).toHaveCount(1);
    await expect(row(page, 'Basil bed').getByTitle('7.5', { exact: true })).toBeVisible();
    await expect(row(page, 'Basil bed').getByTitle('900 ppm')).toBeVisible();
  });
  await test.step('lists devices of other owners separately', async () => {
    await openOwner(page, node());
    await expect(row(page, 'Carp pond')).toBeVisible();

    expect(await names(page)).toEqual(ALL);
    const others = page.getByRole('list', { name: 'Devices of other owners' });
    await expect(others.getByRole('link', { name: 'Stranger’s pump' })).toBeVisible();
  });
  await test.step('shows knocking devices with instructions, until they register', async () => {
    await openOwner(page, node());
    await expect(row(page, 'Carp pond')).toBeVisible();

    const notice = page.getByRole('region', { name: 'An unregistered device is knocking' });
    await expect(notice).toContainText('2 attempts · private store, public endpoint');
    await expect(notice).toContainText('Let it in to keep its readings');
    await expect(notice.getByTitle(knocking.id)).toBeVisible();
    const device = new SimulatedDevice({ name: 'Newcomer', ownerPubkey: OWNER });
    await attempt(node(), 'local', at(device, 1, { ph: 6 }));
    await expect(page.getByRole('heading', { name: '2 unregistered devices are knocking' })).toBeVisible();
    await expect(notice).toBeHidden();
    await register(node(), 'local', device, { publishTo: 0 });
    await expect(page.getByRole('heading', { name: 'An unregistered device is knocking' })).toBeVisible();
    await expect(row(page, 'Newcomer')).toBeVisible();
  });
  await test.step('a knocking device can be dismissed until it knocks again, also over a reload', async () => {
    await openOwner(page, node());
    await expect(row(page, 'Carp pond')).toBeVisible();

    const device = new SimulatedDevice({ ownerPubkey: OWNER });
    const shown = page.getByTitle(device.id);
    await attempt(node(), 'local', at(device, 1, { ph: 6 }));
    await expect(shown).toBeVisible();
    const notice = page.getByRole('region', { name: /knocking$/ });
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await expect(notice).toBeHidden();
    await page.reload();
    await expect(row(page, 'Carp pond')).toBeVisible();
    await expect(notice).toBeHidden();
    await attempt(node(), 'local', at(device, 2, { ph: 6 }));
    await expect(page.getByRole('region', { name: 'An unregistered device is knocking' })).toContainText('2 attempts');
  });
  await test.step('asks about a stranger’s device with the owner’s key, and ignores it until the answer', async () => {
    await openOwner(page, node());
    await expect(row(page, 'Carp pond')).toBeVisible();

    const claims = page.getByRole('region', { name: 'A device claims your key. Is it yours?' });
    await expect(claims.getByRole('link', { name: 'Claimed pump' })).toBeVisible();
    expect(await names(page)).not.toContainEqual('Claimed pump');
    const waiting = async () =>
      Number(/(\d) without/.exec((await page.getByText(/\d without a reading/).textContent())!)![1]);
    const before = await waiting();
    await claims.getByRole('button', { name: 'It is mine' }).click();
    await expect(row(page, 'Claimed pump')).toBeVisible();
    await expect(claims).toBeHidden();
    await expect.poll(waiting).toBe(before + 1);
    // As it was, for the other tests.
    await row(page, 'Claimed pump').getByRole('link').first().click();
    await page.getByRole('button', { name: 'Edit notes' }).click();
    await page.getByLabel('Is it yours?').selectOption({ label: 'Not said' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
  });
  await test.step('the node’s page counts received blocks, and refused ones by reason', async () => {
    await openOwner(page, node());
    await expect(row(page, 'Carp pond')).toBeVisible();

    await page.getByRole('link', { name: 'Live' }).click();
    await expect(page.getByText('Readings received today').locator('..')).toContainText(/11\d/);
    await expect(page.getByText('1 with a wrong signature')).toBeVisible();
    await expect(page.getByText(/from devices that are not registered/).first()).toBeVisible();
  });
});
