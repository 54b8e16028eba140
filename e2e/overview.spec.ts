import type { Page } from '@playwright/test';
import { SimulatedDevice } from '../src/simulator/device.ts';
import { attempt, MINUTE_MS, minutes, register, registered, send } from './support/devices.ts';
import { type OwnerNode, ownerNode } from './support/owner-node.ts';
import { expect, openOwner, test } from './support/owner-test.ts';

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
const mine = (page: Page) => page.getByRole('table', { name: 'Your devices' });
const names = (page: Page) => mine(page).getByRole('link').allTextContents();
const row = (page: Page, name: string) => mine(page).getByRole('row', { name });
const ALL = ['Attic tank', 'Basil bed', 'Carp pond', 'Dill shelf', 'Empty vat'];

test.beforeEach(async ({ page }) => {
  await openOwner(page, node());
  await expect(row(page, 'Carp pond')).toBeVisible();
});

test('lists the newest value of each field with its unit, a sparkline and its age', async ({ page }) => {
  const pond = row(page, 'Carp pond');
  await expect(pond.getByTitle('6.2', { exact: true })).toBeVisible();
  await expect(pond.getByTitle('1,800 ppm')).toBeVisible();
  await expect(pond.getByTitle('18.25 °C')).toBeVisible();
  // Of the reading before: the newest had none.
  await expect(pond.getByTitle('119 mm')).toBeVisible();
  await expect(pond.getByText(/sec ago|min ago|now/).first()).toBeVisible();
  await expect(pond.locator('svg path[vector-effect]').first()).toBeVisible();
});

test('says of each device where it is kept and how it fares', async ({ page }) => {
  await expect(row(page, 'Carp pond')).toContainText('private');
  await expect(row(page, 'Basil bed')).toContainText('both');
  await expect(row(page, 'Attic tank')).toContainText('clock not set');
  await expect(row(page, 'Carp pond')).not.toContainText('clock not set');
  await expect(row(page, 'Empty vat')).toContainText('No reading yet');
  await expect(row(page, 'Dill shelf').getByLabel('Sealed with key version 3')).toHaveCount(2);
});

test('a device of both stores is one device, its newest values from either', async ({ page }) => {
  await expect(row(page, 'Basil bed')).toHaveCount(1);
  await expect(row(page, 'Basil bed').getByTitle('7.5', { exact: true })).toBeVisible();
  await expect(row(page, 'Basil bed').getByTitle('900 ppm')).toBeVisible();
});

test('keeps devices of other owners apart, and folds them away for good', async ({ page }) => {
  expect(await names(page)).toEqual(ALL);
  const others = page.getByRole('table', { name: 'Devices of other owners' });
  await expect(others.getByRole('link', { name: 'Stranger’s pump' })).toBeVisible();
  await expect(page.getByText('Devices online').locator('..')).toContainText('4');
  await page.getByRole('button', { name: '1 device of another owner' }).click();
  await expect(others).toBeHidden();
  await page.reload();
  await expect(row(page, 'Carp pond')).toBeVisible();
  await expect(others).toBeHidden();
});

test('shows devices that knock, with what to do, until they register', async ({ page }) => {
  const notice = page.getByRole('region', { name: 'An unregistered device is knocking' });
  await expect(notice).toContainText('2 attempts · private store, public endpoint');
  await expect(notice).toContainText('Let it in, and its next reading is kept');
  await expect(notice.getByTitle(knocking.id)).toBeVisible();
  const device = new SimulatedDevice({ name: 'Newcomer', ownerPubkey: OWNER });
  await attempt(node(), 'local', at(device, 1, { ph: 6 }));
  await expect(page.getByRole('heading', { name: '2 unregistered devices are knocking' })).toBeVisible();
  await expect(notice).toBeHidden();
  await register(node(), 'local', device, { publishTo: 0 });
  await expect(page.getByRole('heading', { name: 'An unregistered device is knocking' })).toBeVisible();
  await expect(row(page, 'Newcomer')).toBeVisible();
});

test('a device that knocks is dismissed until it knocks again, also over a reload', async ({ page }) => {
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

test('an unknown device that only the public endpoint has seen is no alert', async ({ page }) => {
  const notice = page.getByRole('region', { name: 'An unknown device sends to the public endpoint' });
  await expect(page.getByTitle(strange.id)).toBeHidden();
  await notice.getByRole('button', { name: 'Show' }).click();
  await expect(notice.getByTitle(strange.id)).toBeVisible();
});

test('asks about a stranger’s device that names the owner’s key, and counts it for nothing until then', async ({
  page,
}) => {
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
  await row(page, 'Claimed pump').getByRole('link').click();
  await page.getByRole('button', { name: 'Edit notes' }).click();
  await page.getByLabel('Is it yours?').selectOption({ label: 'Not said' });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('counts what came in, and says on the node’s page what was refused and why', async ({ page }) => {
  await expect(page.getByText('Readings received today').locator('..')).toContainText(/11\d/);
  await page.getByRole('link', { name: 'Live' }).click();
  await expect(page.getByText('1 with a wrong signature')).toBeVisible();
  await expect(page.getByText(/from devices that are not registered/).first()).toBeVisible();
});

test('sorts by a column, either way, and remembers it', async ({ page }) => {
  await mine(page).getByRole('button', { name: 'pH' }).click();
  const byPh = (await names(page)).slice(0, 3);
  expect(byPh).toEqual(['Attic tank', 'Carp pond', 'Basil bed']);
  await mine(page).getByRole('button', { name: 'pH' }).click();
  await expect.poll(async () => (await names(page)).slice(0, 3)).toEqual(byPh.toReversed());
  await expect(mine(page).getByRole('columnheader', { name: 'pH' })).toHaveAttribute('aria-sort', 'descending');
  await page.reload();
  await expect.poll(async () => (await names(page)).slice(0, 3)).toEqual(byPh.toReversed());
  await page.getByLabel('Sort by').selectOption({ label: 'Name' });
  await expect.poll(async () => (await names(page)).filter((name) => ALL.includes(name))).toEqual(ALL);
});

test('searches, says how many are hidden, and remembers it', async ({ page }) => {
  await page.getByLabel('Search devices').fill('pônd CARP');
  await expect.poll(() => names(page)).toEqual(['Carp pond']);
  const count = page.getByText(/^1 of \d shown, \d hidden by search or filter$/);
  await expect(count).toBeVisible();
  await page.reload();
  await expect(count).toBeVisible();
  await expect(page.getByLabel('Search devices')).toHaveValue('pônd CARP');
  await expect(page.getByRole('navigation', { name: 'Devices', exact: true })).toContainText(/\d hidden/);
  await page.getByRole('button', { name: 'Show all' }).first().click();
  await expect(row(page, 'Basil bed')).toBeVisible();
  await page.getByLabel('Search devices').fill('no such thing');
  await expect(page.getByRole('heading', { name: 'No device fits the search and filters' })).toBeVisible();
  await expect(page.getByText(/^0 of \d shown, \d hidden/)).toBeVisible();
});

test('filters by store and by status, and remembers it', async ({ page }) => {
  await page.getByLabel('Filter by store').selectOption({ label: 'In both stores' });
  await expect.poll(() => names(page)).toEqual(['Basil bed']);
  await page.getByLabel('Filter by store').selectOption({ label: 'Private only' });
  await page.getByLabel('Filter by status').selectOption({ label: 'Silent or without a reading' });
  await expect.poll(() => names(page)).toContainEqual('Empty vat');
  await expect.poll(() => names(page)).not.toContainEqual('Carp pond');
  // Nothing is expected of somebody else's.
  await expect(page.getByText('Stranger’s pump')).toBeHidden();
  await page.reload();
  await expect(page.getByLabel('Filter by status')).toHaveValue('silent');
  await expect.poll(() => names(page)).toContainEqual('Empty vat');
  await expect.poll(() => names(page)).not.toContainEqual('Carp pond');
});

test('finds a device from any page with the keyboard: Enter opens the best match, arrows walk the list', async ({
  page,
}) => {
  await page.getByRole('link', { name: 'Connect a device' }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('carp');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Carp pond' })).toBeVisible();
  await expect(page.getByLabel('Search devices')).toHaveValue('');
  await expect(page.locator('main')).toBeFocused();
  const link = (name: string) => row(page, name).getByRole('link');
  await page.getByLabel('Search devices').fill('a');
  await page.getByLabel('Search devices').press('ArrowDown');
  await expect(link('Attic tank')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(link('Basil bed')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByLabel('Search devices')).toBeFocused();
});

for (const language of ['en', 'pt-BR', 'es']) {
  test.describe(`in a narrow window, in ${language}`, () => {
    test.use({ viewport: { width: 900, height: 900 } });
    test('a row says whole what its device is, also where its clock is not set', async ({ page }) => {
      await page.evaluate((chosen) => localStorage.setItem('wellhouse.language', chosen), language);
      await page.reload();
      const cells = page.getByRole('cell').filter({ has: page.getByRole('link') });
      await expect(cells.filter({ hasText: 'Attic tank' })).toBeVisible();
      const cut = await cells.evaluateAll((all) =>
        all.flatMap((cell) => {
          const badges = cell.lastElementChild!;
          const room = badges.getBoundingClientRect();
          // Each that stands in the line as a whole; of the last, its drawing.
          const parts = [...badges.children].map((part) => part.querySelector('svg') ?? part);
          const isCut = (part: Element) =>
            part.scrollWidth > part.clientWidth + 1 || part.getBoundingClientRect().right > room.right + 0.5;
          return parts.filter(isCut).map((part) => `${cell.textContent}: ${part.textContent}`);
        }),
      );
      expect(cut).toEqual([]);
    });

    test('the list beside a page says whole how old the readings of others are', async ({ page }) => {
      await page.evaluate((chosen) => localStorage.setItem('wellhouse.language', chosen), language);
      await page.goto(`${page.url().split('#')[0]}#/settings`);
      await page.reload();
      const item = page.getByRole('navigation').getByRole('listitem').filter({ hasText: 'Stranger’s pump' });
      await expect(item).toBeVisible();
      const cut = await item
        .locator('span')
        .evaluateAll((spans) =>
          spans.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map((span) => span.textContent),
        );
      expect(cut).toEqual([]);
    });
  });
}
