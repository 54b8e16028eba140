import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import Database from 'better-sqlite3';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { chart, hoverAt, readout } from './support/charts.ts';
import { parseCsv } from './support/csv.ts';
import { MINUTE_MS, registered, send } from './support/devices.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openDevice, openOwner, test, tile } from './support/owner-test.ts';

let tank: SimulatedDevice;
let other: SimulatedDevice;
const now = Date.now();
const node = ownerNode(async (started) => {
  tank = await registered(started, ['local'], { name: 'Measured tank' }, { publishTo: 0 });
  other = await registered(started, ['local'], { name: 'Other tank' }, { publishTo: 0 });
  for (const device of [tank, other]) {
    const blocks = Array.from({ length: 60 }, (_, index) =>
      device.block({
        seq: index + 1,
        timestamp: now - (59 - index) * MINUTE_MS,
        plain: { ec: 1000, waterLevel: 225, tempWater: 21.6, tempAmbient: 20 + index / 10 },
      }),
    );
    await send(started, 'local', blocks);
  }
});

const grid = (page: Page) => page.getByRole('grid', { name: 'Readings' });

/** Opens the units of the device that is shown, changes those of a field, and saves. */
async function chooseUnits(page: Page, field: string, choose: (units: ReturnType<Page['locator']>) => Promise<void>) {
  await page.getByRole('button', { name: 'Units and tank' }).click();
  const dialog = page.getByRole('dialog');
  await choose(dialog.getByRole('group', { name: `Units of ${field}` }));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
}

test.describe.configure({ mode: 'serial' });

test('units convert numbers wherever they stand, in exports too, for one device and for all', async ({
  page,
  browser,
  watch,
}) => {
  await test.step('a unit converts the number wherever it stands', async () => {
    await openDevice(page, node(), tank.id);
    await expect(tile(page, 'Water temperature')).toContainText('21.60°C');
    await expect(tile(page, 'EC')).toContainText('1,000ppm₅₀₀');
    await chooseUnits(page, 'Water temperature', (units) =>
      units.getByLabel('Show', { exact: true }).selectOption('°F').then(),
    );
    await chooseUnits(page, 'EC', (units) => units.getByLabel('Show', { exact: true }).selectOption('mS/cm').then());
    await expect(tile(page, 'Water temperature')).toContainText('70.9°F');
    await expect(tile(page, 'Water temperature').getByTitle('70.88 °F (21.6 °C)')).toBeVisible();
    await expect(tile(page, 'EC')).toContainText('2.000mS/cm');
    await expect(tile(page, 'Air temperature')).toContainText('°C');
    await expect(chart(page, 'Water temperature')).toHaveAttribute('aria-label', /mean of the readings 70\.9 °F/);
    const temperature = chart(page, 'Water temperature');
    await temperature.scrollIntoViewIfNeeded();
    await hoverAt(page, temperature, 0.985);
    await expect(readout(temperature)).toContainText(/^70\.9 °F · /);
    await expect(grid(page).getByRole('columnheader', { name: /EC/ })).toContainText('mS/cm');
    await expect(grid(page).getByRole('gridcell', { name: '70.9' }).first()).toBeVisible();
  });
  await test.step('an export says which unit and scale, in the dialect of the spreadsheet, and remembers that', async () => {
    await openDevice(page, node(), tank.id);
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export readings' });
    await expect(dialog.getByLabel('Separators')).toHaveValue('comma');
    await dialog.getByLabel('Separators').selectOption('semicolon');
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    const text = readFileSync(await (await downloading).path(), 'utf8').replace(/^\uFEFF/, '');
    const [header, first] = text.split('\r\n').map((line) => line.split(';'));
    expect(header).toContain('tempWater (°F)');
    expect(header).toContain('ec (mS/cm)');
    expect(first![header!.indexOf('tempWater (°F)')]).toBe('70,88');
    await page.reload();
    await page.getByRole('button', { name: 'Export' }).click();
    await expect(page.getByRole('dialog').getByLabel('Separators')).toHaveValue('semicolon');
  });
  await test.step('a Brazilian page begins with what a Brazilian spreadsheet reads', async () => {
    const context = await browser.newContext({ locale: 'pt-BR', timezoneId: 'America/Sao_Paulo' });
    const page = await context.newPage();
    watch.allow(new URL(node().link).origin);
    await page.goto(node().link);
    await page.getByRole('link', { name: 'Measured tank' }).first().click();
    await page.getByRole('button', { name: 'Exportar' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Separadores')).toHaveValue('semicolon');
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Exportar', exact: true }).click();
    const text = readFileSync(await (await downloading).path(), 'utf8');
    expect(text).toContain(';70,88;');
    await context.close();
  });
  await test.step('units for all devices hold where a device has none of its own, on every screen at once', async () => {
    const another = await page.context().newPage();
    await openDevice(another, node(), other.id);
    await expect(tile(another, 'Water temperature')).toContainText('21.60°C');
    await openOwner(page, node());
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Temperature', { exact: true }).selectOption('°F');
    await page.getByLabel('Nutrients (EC)', { exact: true }).selectOption('ppm, 700 scale');
    await expect(tile(another, 'Water temperature')).toContainText('70.9°F');
    await expect(tile(another, 'EC')).toContainText('1,400ppm₇₀₀');
    // The tank has units of its own.
    await openDevice(another, node(), tank.id);
    await expect(tile(another, 'EC')).toContainText('2.000mS/cm');
    await page.getByLabel('Temperature', { exact: true }).selectOption('°C');
    await page.getByLabel('Nutrients (EC)', { exact: true }).selectOption('ppm, 500 scale');
    await expect(tile(another, 'Air temperature')).toContainText('°C');
  });
  await test.step('asks about a label of an earlier version, and never shows a number under it that is not in it', async () => {
    const db = new Database(join(node().dataDir, 'private.db'));
    db.prepare('REPLACE INTO device_notes (id, unit_labels, updated_at) VALUES (?, ?, 0)').run(
      Buffer.from(other.id, 'hex'),
      JSON.stringify({ tempWater: '°F', waterLevel: '%', ec: 'NTU' }),
    );
    db.close();
    await openDevice(page, node(), other.id);
    await expect(tile(page, 'Water temperature')).toContainText('70.9°F');
    await expect(tile(page, 'Distance to water')).toContainText('225mm');
    await expect(tile(page, 'EC')).toContainText('1,000NTU');
    const question = page.getByRole('status').filter({ hasText: 'Are these units right?' });
    await expect(question).toContainText('Water temperature had the label “°F”');
    await question.getByRole('button', { name: 'No, the device sends °F' }).click();
    await expect(tile(page, 'Water temperature')).toContainText('21.6°F');
    await question.getByRole('button', { name: 'Understood' }).click();
    await expect(question).toBeHidden();
    await page.reload();
    await expect(tile(page, 'Water temperature')).toContainText('21.6°F');
    await expect(question).toBeHidden();
  });
  await test.step('CSV of commas reads back with a reader of its own', async () => {
    await openDevice(page, node(), other.id);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('dialog').getByLabel('Separators').selectOption('comma');
    const downloading = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
    const [header] = parseCsv(readFileSync(await (await downloading).path(), 'utf8').replace(/^\uFEFF/, ''));
    expect(header).toContain('ec (NTU)');
    expect(header).toContain('tempAmbient (°C)');
  });
});
