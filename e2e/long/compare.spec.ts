import type { Page } from '@playwright/test';
import type { FieldName } from '../../src/shared/protocol/fields.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { complaints } from '../support/axe.ts';
import { rangeBar } from '../support/charts.ts';
import { MINUTE_MS, minutes, registered, send } from '../support/devices.ts';
import { SCHEMES } from '../support/matrix.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openOwner, sidewaysScroll, test } from '../support/owner-test.ts';

const HOUR_MS = 60 * MINUTE_MS;
const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

let bed: SimulatedDevice;
let tank: SimulatedDevice;
const node = ownerNode(async (started) => {
  bed = await registered(started, ['local'], { name: 'Tomato bed' }, { publishTo: 0 });
  tank = await registered(started, ['local'], { name: 'Rain tank' }, { publishTo: 0 });
  await send(started, 'local', minutes(bed, { count: 300, endAt: now }));
  // Half as often, and nothing in the last two hours.
  const sparse = { everyMs: 2 * MINUTE_MS, endAt: now - 2 * HOUR_MS };
  await send(started, 'local', minutes(tank, { ...sparse, count: 100, fields: ['tempWater', 'tempAmbient', 'ec'] }));
});

const picker = (page: Page) => page.getByRole('group', { name: 'Add a line' });
const saved = (page: Page) => page.getByRole('group', { name: 'Saved comparisons' });
const line = (page: Page, device: SimulatedDevice, field: FieldName) =>
  page.locator(`[data-line="${device.id}:${field}"]`);

async function add(page: Page, device: string, field: string): Promise<void> {
  await picker(page).getByLabel('Device').selectOption(device);
  await picker(page).getByLabel('Field').selectOption(field);
  await picker(page).getByRole('button', { name: 'Add' }).click();
}

/** The address of lines over a range. */
const address = (lines: readonly (readonly [SimulatedDevice, FieldName])[], range = 'range=8h') =>
  `#/compare?lines=${lines.map(([{ id }, field]) => `${id}:${field}`).join(',')}&${range}`;

test('the node saves a comparison by name, and it fits every width', async ({ page, browser, watch }) => {
  await test.step('saves the comparison by name on the node, with its range', async () => {
    await openOwner(
      page,
      node(),
      address(
        [
          [bed, 'tempWater'],
          [tank, 'tempWater'],
        ],
        'range=today',
      ),
    );
    await saved(page).getByRole('button', { name: 'Save this comparison' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Water, both');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(saved(page).getByLabel('Saved comparisons')).toHaveValue(/^[0-9a-f-]{36}$/);
    await expect(saved(page).getByRole('button', { name: 'Save the changes' })).toHaveCount(0);

    // Another browser of the owner, from nothing.
    const other = await browser.newContext();
    watch.allow(node().url('local'));
    const elsewhere = await other.newPage();
    await openOwner(elsewhere, node(), '#/compare');
    await saved(elsewhere).getByLabel('Saved comparisons').selectOption('Water, both');
    await expect(line(elsewhere, tank, 'tempWater')).toBeVisible();
    await expect(rangeBar(elsewhere).getByRole('radio', { name: 'Today' })).toBeChecked();
    await add(elsewhere, 'Tomato bed', 'pH');
    await saved(elsewhere).getByRole('button', { name: 'Save the changes' }).click();
    await expect(saved(elsewhere).getByRole('button', { name: 'Save the changes' })).toHaveCount(0);
    await other.close();

    await page.reload();
    // The address is that of before; what was kept has changed.
    await saved(page).getByLabel('Saved comparisons').selectOption('None open');
    await saved(page).getByLabel('Saved comparisons').selectOption('Water, both');
    await expect(line(page, bed, 'ph')).toBeVisible();
    await saved(page).getByRole('button', { name: 'Delete' }).click();
    await saved(page).getByRole('button', { name: 'Yes, delete it' }).click();
    await expect(saved(page).getByLabel('Saved comparisons')).toHaveCount(0);
    await expect(line(page, bed, 'ph')).toBeVisible();
  });
  await test.step('axe finds no error, and no page scrolls sideways at any width', async () => {
    await openOwner(
      page,
      node(),
      address([
        [bed, 'tempWater'],
        [tank, 'tempAmbient'],
        [bed, 'ph'],
      ]),
    );
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      for (const width of [390, 768, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await expect(line(page, bed, 'ph')).toContainText('300 values');
        expect(await sidewaysScroll(page), `${width}`).toBe(0);
        expect(await complaints(page, colorScheme), `${colorScheme}, ${width}`).toEqual([]);
      }
    }
  });
});
