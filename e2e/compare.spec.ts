import type { Page } from '@playwright/test';
import type { FieldName } from '../src/shared/protocol/fields.ts';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { call } from '../test/support/owner-client.ts';
import { complaints } from './support/axe.ts';
import { hoverAt, rangeBar } from './support/charts.ts';
import { MINUTE_MS, minutes, registered, send } from './support/devices.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openDevice, openOwner, sidewaysScroll, test } from './support/owner-test.ts';

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
const saved = (page: Page) => page.getByRole('group', { name: 'Kept comparisons' });
const panel = (page: Page, name: RegExp) =>
  page.locator('figure').filter({ has: page.getByRole('heading', { level: 2, name }) });
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

test('fields of several devices share one axis of time, with a chart for each unit', async ({ page }) => {
  await openOwner(page, node());
  await page.getByRole('link', { name: 'Compare' }).click();
  await expect(page).toHaveTitle('Compare – Wellhouse');
  await expect(page.getByText('Nothing to compare yet')).toBeVisible();
  await rangeBar(page).getByText('8 h', { exact: true }).click();
  await add(page, 'Tomato bed', 'Water temperature');
  await add(page, 'Rain tank', 'Air temperature');
  await add(page, 'Tomato bed', 'EC');
  await expect(page.locator('figure')).toHaveCount(2);
  await expect(panel(page, /^Water temperature, Air temperature · °C$/).getByRole('listitem')).toHaveCount(2);
  await expect(panel(page, /^EC · ppm/).getByRole('listitem')).toHaveCount(1);
  await expect(line(page, bed, 'tempWater')).toContainText(
    /min [\d.]+ °C · mean of the readings [\d.]+ °C · max [\d.]+ °C · 300 values/,
  );
  await expect(line(page, tank, 'tempAmbient')).toContainText('100 values');

  // One cursor for all of them; where a line has nothing, it says so.
  const temperatures = panel(page, /°C$/).getByRole('group');
  await hoverAt(page, temperatures, 0.5);
  await expect(line(page, bed, 'tempWater')).toContainText(/[\d.]+ °Cmin/);
  await expect(line(page, tank, 'tempAmbient')).toContainText(/[\d.]+ °Cmin/);
  await expect(line(page, bed, 'ec')).toContainText(/[\d,]+ ppm\S*min/);
  await hoverAt(page, temperatures, 0.9);
  await expect(line(page, bed, 'ec')).toContainText(/[\d,]+ ppm\S*min/);
  await expect(line(page, tank, 'tempAmbient')).toContainText(/no valuemin/);

  await page.reload();
  await expect(line(page, tank, 'tempAmbient')).toContainText('100 values');
  await line(page, bed, 'ec').getByRole('button', { name: 'Leave out Tomato bed – EC' }).click();
  await expect(page.locator('figure')).toHaveCount(1);
  await page.goBack();
  await expect(page.locator('figure')).toHaveCount(2);
});

test('says that means are of readings where these lie differently far apart', async ({ page }) => {
  const words = /The readings lie between 1 min and 2 min apart\. Each mean is of readings/;
  const lines = [
    [bed, 'tempWater'],
    [tank, 'tempAmbient'],
    [bed, 'ec'],
  ] as const;
  await openOwner(page, node(), address(lines));
  await expect(line(page, tank, 'tempAmbient')).toContainText('100 values');
  await expect(panel(page, /°C$/)).toContainText(words);
  await expect(panel(page, /^EC/)).toContainText('300 values');
  await expect(page.getByText(words)).toHaveCount(1);
});

test('shows the units that the owner chose, and never two on one axis', async ({ page }) => {
  const notes = { displayName: null, earlierLabels: {}, text: '', silentAfterMs: null, status: 0 as const, mine: null };
  const units = { tempWater: { shown: 'fahrenheit' as const } };
  await call(node().process, 'setNotes', { id: tank.id, notes: { ...notes, units } });
  await openOwner(
    page,
    node(),
    address([
      [bed, 'tempWater'],
      [tank, 'tempWater'],
      [tank, 'tempAmbient'],
    ]),
  );
  await expect(panel(page, /°C$/).getByRole('listitem')).toHaveCount(2);
  await expect(panel(page, /°F$/).getByRole('listitem')).toHaveCount(1);
  await expect(line(page, tank, 'tempWater')).toContainText(/mean of the readings 6\d(\.\d+)? °F/);
  await call(node().process, 'setNotes', { id: tank.id, notes: { ...notes, units: {} } });
});

test('takes no more than eight lines, and none twice', async ({ page }) => {
  const six = (['ph', 'ec', 'waterLevel', 'tempWater', 'tempAmbient', 'humidity'] as const).map(
    (field) => [bed, field] as const,
  );
  await openOwner(page, node(), address([...six, [tank, 'ec']]));
  await expect(page.getByRole('button', { name: /^Leave out / })).toHaveCount(7);
  await picker(page).getByLabel('Device').selectOption('Rain tank');
  await picker(page).getByLabel('Field').selectOption('EC');
  await expect(picker(page).getByRole('button', { name: 'Add' })).toBeDisabled();
  await add(page, 'Rain tank', 'Water temperature');
  await expect(page.getByRole('button', { name: /^Leave out / })).toHaveCount(8);
  await picker(page).getByLabel('Field').selectOption('Air temperature');
  await expect(picker(page).getByRole('button', { name: 'Add' })).toBeDisabled();
  await expect(picker(page)).toContainText('At most 8 lines');
});

test('is kept by name, on the node, with its range', async ({ page, browser, watch }) => {
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
  await expect(saved(page).getByLabel('Kept comparisons')).toHaveValue(/^[0-9a-f-]{36}$/);
  await expect(saved(page).getByRole('button', { name: 'Keep the changes' })).toHaveCount(0);

  // Another browser of the owner, from nothing.
  const other = await browser.newContext();
  watch.allow(node().url('local'));
  const elsewhere = await other.newPage();
  await openOwner(elsewhere, node(), '#/compare');
  await saved(elsewhere).getByLabel('Kept comparisons').selectOption('Water, both');
  await expect(line(elsewhere, tank, 'tempWater')).toBeVisible();
  await expect(rangeBar(elsewhere).getByRole('radio', { name: 'Today' })).toBeChecked();
  await add(elsewhere, 'Tomato bed', 'pH');
  await saved(elsewhere).getByRole('button', { name: 'Keep the changes' }).click();
  await expect(saved(elsewhere).getByRole('button', { name: 'Keep the changes' })).toHaveCount(0);
  await other.close();

  await page.reload();
  // The address is that of before; what was kept has changed.
  await saved(page).getByLabel('Kept comparisons').selectOption('None opened');
  await saved(page).getByLabel('Kept comparisons').selectOption('Water, both');
  await expect(line(page, bed, 'ph')).toBeVisible();
  await saved(page).getByRole('button', { name: 'Delete' }).click();
  await saved(page).getByRole('button', { name: 'Yes, delete it' }).click();
  await expect(saved(page).getByLabel('Kept comparisons')).toHaveCount(0);
  await expect(line(page, bed, 'ph')).toBeVisible();
});

test('begins with what the charts of a device show, and says what is not known any more', async ({ page }) => {
  await openDevice(page, node(), bed.id);
  await rangeBar(page).getByText('8 h', { exact: true }).click();
  await page.getByRole('link', { name: 'Compare with others' }).click();
  await expect(page.getByRole('button', { name: /^Leave out / })).toHaveCount(6);
  await expect(rangeBar(page).getByRole('radio', { name: '8 h' })).toBeChecked();
  const gone = 'ab'.repeat(32);
  await openOwner(page, node(), `${address([[bed, 'ec']])}`.replace('lines=', `lines=${gone}:ph,`));
  await expect(page.getByText(/^The device .* is not known here any more/)).toBeVisible();
  await page.getByRole('button', { name: 'Leave it out' }).click();
  await expect(page).not.toHaveURL(new RegExp(gone));
});

test('has nothing that axe calls an error, and no sideways scroll, at any width', async ({ page }) => {
  await openOwner(
    page,
    node(),
    address([
      [bed, 'tempWater'],
      [tank, 'tempAmbient'],
      [bed, 'ph'],
    ]),
  );
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(line(page, bed, 'ph')).toContainText('300 values');
      expect(await sidewaysScroll(page), `${width}`).toBe(0);
      expect(await complaints(page, colorScheme), `${colorScheme}, ${width}`).toEqual([]);
    }
  }
});
