import type { Page } from '@playwright/test';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { MINUTE_MS, registered, send } from './support/devices.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openDevice, openOwner, test, tile } from './support/owner-test.ts';

const TEMPERATURES = [21, 21.5, 21.53, 9.5];
const ACIDITIES = [6, 6.2, 6.21, 6.3];

let device: SimulatedDevice;
let other: SimulatedDevice;
const node = ownerNode(async (started) => {
  const now = Date.now();
  device = await registered(started, ['local'], { name: 'Round numbers' }, { publishTo: 0 });
  other = await registered(started, ['local'], { name: 'Uneven numbers' }, { publishTo: 0 });
  const blocks = TEMPERATURES.map((tempWater, index) =>
    device.block({
      seq: index + 1,
      timestamp: now - (TEMPERATURES.length - index) * MINUTE_MS,
      plain: { tempWater, ph: ACIDITIES[index]!, waterLevel: 90 + index },
    }),
  );
  await send(started, 'local', blocks);
  await send(started, 'local', [other.block({ seq: 1, timestamp: now, plain: { tempWater: 21.53, ph: 6 } })]);
});

/** The texts of a column of the readings, newest first. */
const column = (page: Page, name: string) => page.locator(`[role=gridcell][data-column=${name}]`);

/** Where the decimal signs of texts stand, in pixels: the end of the box less the decimals after the sign. */
const signs = (page: Page, name: string) =>
  column(page, name).evaluateAll((cells) =>
    cells.map((cell) => {
      const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode() as Text;
      const range = document.createRange();
      const at = text.data.indexOf('.');
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return Math.round(range.getBoundingClientRect().left);
    }),
  );

test('values below each other in the readings have as many decimals, and their signs align', async ({ page }) => {
  await openDevice(page, node(), device.id);
  await expect(column(page, 'tempWater')).toHaveText(['9.50', '21.53', '21.50', '21.00']);
  await expect(column(page, 'ph')).toHaveText(['6.30', '6.21', '6.20', '6.00']);
  await expect(column(page, 'waterLevel')).toHaveText(['93', '92', '91', '90']);
  for (const name of ['tempWater', 'ph']) expect(new Set(await signs(page, name)).size).toBe(1);
  await expect(tile(page, 'Water temperature')).toContainText('9.50°C');
});

test('so have those in the table of a chart', async ({ page }) => {
  await openDevice(page, node(), device.id);
  await page.getByRole('button', { name: 'Water temperature as a table' }).click();
  const cells = page.getByRole('region', { name: 'Water temperature as a table' }).locator('td:nth-child(2)');
  await expect(cells).toHaveText(['9.50', '21.53', '21.50', '21.00']);
});

test('and those of a field of several devices', async ({ page }) => {
  await openOwner(page, node());
  await expect(page.getByRole('row', { name: 'Round numbers' })).toContainText('9.50°C');
  await expect(page.getByRole('row', { name: 'Uneven numbers' })).toContainText('21.53°C');
  await expect(page.getByRole('row', { name: 'Uneven numbers' })).toContainText('6.00');
});
