import type { Page } from '@playwright/test';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { call } from '../test/support/owner-client.ts';
import { complaints } from './support/axe.ts';
import { minutes, registered, send } from './support/devices.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openOwner, sidewaysScroll, test } from './support/owner-test.ts';

const NAMES = ['Basil', 'Chard', 'Dill', 'Endive'] as const;

const devices: SimulatedDevice[] = [];
const node = ownerNode(async (started) => {
  for (const name of NAMES) {
    const device = await registered(started, ['local'], { name }, { publishTo: 0 });
    await send(started, 'local', minutes(device, { count: 20 }));
    devices.push(device);
  }
  // Silent at once.
  const notes = { displayName: null, units: {}, earlierLabels: {}, text: '', status: 0 as const, mine: null };
  await call(started.process, 'setNotes', { id: devices[3]!.id, notes: { ...notes, silentAfterMs: 1000 } });
});

test.beforeEach(async ({ page }) => {
  await call(node().process, 'setOwnerChoices', { groups: [] });
  await openOwner(page, node());
});

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Groups of devices' });
const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true });
const names = (page: Page, group: string) => table(page, group).getByRole('link').allInnerTexts();
const headings = (page: Page) => page.getByRole('heading', { level: 2 }).locator('bdi');

async function make(page: Page, name: string): Promise<void> {
  await dialog(page).getByLabel('New group').fill(name);
  await dialog(page).getByRole('button', { name: 'Add' }).click();
  await expect(dialog(page).getByLabel(`Name of the group ${name}`)).toBeVisible();
}

test('groups are made, named, ordered and deleted; a device is in one', async ({ page, context }) => {
  await expect(table(page, 'Your devices').getByRole('link')).toHaveCount(4);
  await page.getByRole('button', { name: 'Make groups' }).click();
  await make(page, 'North house');
  await make(page, 'South house');
  await dialog(page).getByLabel('Group of Dill').selectOption('North house');
  await dialog(page).getByLabel('Group of Basil').selectOption('North house');
  await dialog(page).getByLabel('Group of Chard').selectOption('South house');
  await dialog(page).getByLabel('Group of Dill').selectOption('South house');
  await dialog(page).getByRole('button', { name: 'Move South house up' }).click();
  await dialog(page).getByLabel('Name of the group North house').fill('Nursery');
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  const asMade = async (of: Page) => {
    await expect(headings(of)).toHaveText(['South house', 'Nursery', 'In no group']);
    expect(await names(of, 'South house')).toEqual(['Chard', 'Dill']);
    expect(await names(of, 'Nursery')).toEqual(['Basil']);
    expect(await names(of, 'In no group')).toEqual(['Endive']);
  };
  await asMade(page);
  // Kept on the node: another page shows the same, and follows.
  const other = await context.newPage();
  await openOwner(other, node());
  await asMade(other);
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await dialog(page).getByRole('button', { name: 'Delete the group South house' }).click();
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await expect(headings(page)).toHaveText(['Nursery', 'In no group']);
  await expect(headings(other)).toHaveText(['Nursery', 'In no group']);
  expect(await names(other, 'In no group')).toEqual(['Chard', 'Dill', 'Endive']);
});

const groupOf = (name: string, number: number, members: readonly number[]) => ({
  id: `00000000-0000-4000-8000-00000000000${number}`,
  name,
  isCollapsed: false,
  devices: members.map((index) => devices[index]!.id),
});

test('a collapsed group stays so, and still says what is silent in it', async ({ page }) => {
  await call(node().process, 'setOwnerChoices', {
    groups: [groupOf('Herbs', 1, [0, 2]), groupOf('Leaves', 2, [1, 3])],
  });
  const leaves = page.getByRole('region', { name: /^Leaves/ });
  await leaves.getByRole('button', { name: 'Leaves' }).click();
  await expect(table(page, 'Leaves')).toHaveCount(0);
  await expect(leaves).toContainText('2 devices · 1 silent');
  await expect(table(page, 'Herbs')).toBeVisible();
  await page.reload();
  await expect(table(page, 'Herbs')).toBeVisible();
  await expect(leaves.getByRole('button', { name: 'Leaves' })).toHaveAttribute('aria-expanded', 'false');
  await leaves.getByRole('button', { name: 'Leaves' }).click();
  expect(await names(page, 'Leaves')).toEqual(['Chard', 'Endive']);
});

test('search and order go through the groups, and the comparison offers them', async ({ page }) => {
  await call(node().process, 'setOwnerChoices', {
    groups: [groupOf('Herbs', 1, [0, 2]), groupOf('Leaves', 2, [1, 3])],
  });
  await expect(headings(page)).toHaveText(['Herbs', 'Leaves']);
  await page.getByRole('searchbox', { name: 'Search devices' }).fill('dill');
  await expect(headings(page)).toHaveText(['Herbs']);
  expect(await names(page, 'Herbs')).toEqual(['Dill']);
  await page.getByRole('searchbox', { name: 'Search devices' }).fill('');
  await openOwner(page, node(), '#/compare?range=all');
  const picker = page.getByRole('group', { name: 'Add a line' });
  await picker.getByLabel('Device').selectOption('All of Leaves');
  await picker.getByLabel('Field').selectOption('EC');
  await picker.getByRole('button', { name: 'Add' }).click();
  await expect(page.locator('[data-line]')).toHaveCount(2);
  for (const index of [1, 3]) {
    await expect(page.locator(`[data-line="${devices[index]!.id}:ec"]`)).toContainText('20 values');
  }
});

test('fits every width, without anything that axe calls an error', async ({ page }) => {
  await call(node().process, 'setOwnerChoices', { groups: [groupOf('Herbs', 1, [0, 2])] });
  for (const width of [390, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(headings(page)).toHaveText(['Herbs', 'In no group']);
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await complaints(page)).toEqual([]);
    await page.getByRole('button', { name: 'Groups', exact: true }).click();
    await expect(dialog(page).getByLabel('Group of Basil')).toBeVisible();
    expect(await complaints(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Close' }).click();
  }
});

test('the list beside every page follows the groups: name, order, and what is collapsed', async ({ page }) => {
  await call(node().process, 'setOwnerChoices', {
    groups: [groupOf('Leaves', 2, [1, 3]), groupOf('Herbs', 1, [0])],
  });
  await openOwner(page, node(), `#/device/${devices[0]!.id}`);
  const list = page.getByRole('navigation', { name: 'Devices', exact: true });
  const rows = () =>
    list
      .getByRole('listitem')
      .locator('bdi, span[class*=groupName]')
      .evaluateAll((names) =>
        names
          .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
          .map((name) => name.textContent),
      );
  await expect.poll(rows).toEqual(['Leaves', 'Chard', 'Endive', 'Herbs', 'Basil', 'In no group', 'Dill']);
  // Folded here, it is folded in the overview; the device that is open stays in view.
  await list.getByRole('button', { name: 'Leaves' }).click();
  await list.getByRole('button', { name: 'Herbs' }).click();
  await expect.poll(rows).toEqual(['Leaves', 'Herbs', 'Basil', 'In no group', 'Dill']);
  await expect(list.getByRole('button', { name: 'Leaves' })).toHaveAttribute('aria-expanded', 'false');
  await page.getByRole('link', { name: 'Wellhouse' }).click();
  await expect(table(page, 'In no group')).toBeVisible();
  await expect(table(page, 'Leaves')).toHaveCount(0);
  await expect(page.getByRole('region', { name: /^Herbs/ }).getByRole('button', { name: 'Herbs' })).toHaveAttribute(
    'aria-expanded',
    'false',
  );
  await expect.poll(rows).toEqual(['Leaves', 'Herbs', 'In no group', 'Dill']);
  await page
    .getByRole('region', { name: /^Leaves/ })
    .getByRole('button', { name: 'Leaves' })
    .click();
  await expect.poll(rows).toEqual(['Leaves', 'Chard', 'Endive', 'Herbs', 'In no group', 'Dill']);
});

test('devices have one order: in the list, in the dialogs and where lines are added', async ({ page }) => {
  const groups = [{ id: crypto.randomUUID(), name: 'North', isCollapsed: false, devices: [devices[2]!.id] }];
  await call(node().process, 'setOwnerChoices', { groups });
  await page.getByLabel('Sort by').selectOption('Name');
  await page.getByRole('button', { name: 'Ascending' }).click();
  const order = ['Dill', 'Endive', 'Chard', 'Basil'];
  const listed = page.getByRole('navigation', { name: 'Devices', exact: true }).locator('a[href^="#/device/"] bdi');
  await expect(listed).toHaveText(order);
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  const inDialog = dialog(page).getByRole('list', { name: 'Devices and their groups' }).locator('bdi');
  await expect(inDialog).toHaveText(order);
  // What is put into a group stays under the pointer.
  await dialog(page).getByLabel('Group of Basil').selectOption('North');
  await expect(listed).toHaveText(['Dill', 'Basil', 'Endive', 'Chard']);
  await expect(inDialog).toHaveText(order);
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Compare' }).click();
  const offered = page
    .getByLabel('Device', { exact: true })
    .locator('option[value]:not([value=""]):not([value^=group])');
  await expect(offered).toHaveText(['Dill', 'Basil', 'Endive', 'Chard']);
  await page.goto(`${node().url('local')}/ui/#/alerts?tab=rules`);
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const forWhich = page.getByRole('dialog').getByLabel('For', { exact: true }).locator('option[value^="device "]');
  await expect(forWhich).toHaveText(['Dill', 'Basil', 'Endive', 'Chard']);
});
