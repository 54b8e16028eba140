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
const headings = (page: Page) => page.getByRole('heading', { level: 2 }).locator('bdi');

const groupOf = (name: string, number: number, members: readonly number[]) => ({
  id: `00000000-0000-4000-8000-00000000000${number}`,
  name,
  isCollapsed: false,
  devices: members.map((index) => devices[index]!.id),
});

test('fits every width, without anything that axe calls an error', async ({ page }) => {
  await call(node().process, 'setOwnerChoices', { groups: [groupOf('Herbs', 1, [0, 2])] });
  for (const width of [390, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(headings(page)).toHaveText(['Herbs', 'In no group']);
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await complaints(page)).toEqual([]);
    await page.getByRole('button', { name: 'View' }).click();
    await page.getByRole('button', { name: 'Groups', exact: true }).click();
    await expect(dialog(page).getByLabel('Group of Basil')).toBeVisible();
    expect(await complaints(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    // The menu, too, is gone.
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});
