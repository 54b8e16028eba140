import { readFileSync } from 'node:fs';
import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { call } from '../../test/support/owner-client.ts';
import { parseCsv } from '../support/csv.ts';
import { MINUTE_MS, registered, send } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openDevice, openOwner, test, tile } from '../support/owner-test.ts';

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
  const units = { tempWater: { shown: 'fahrenheit' }, ec: { shown: 'millisiemens' } } as const;
  await call(started.process, 'setNotes', { id: tank.id, notes: { ...NO_NOTES, units } });
});

test('units of one device and of all apply to exports and to every screen at once', async ({
  page,
  browser,
  watch,
}) => {
  await test.step('an export names unit and scale, in the spreadsheet’s dialect, and remembers the choice', async () => {
    await openDevice(page, node(), tank.id);
    await expect(tile(page, 'Water temperature')).toContainText('70.9°F');
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
  await test.step('a Brazilian page proposes the dialect of a Brazilian spreadsheet', async () => {
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
  await test.step('units for all devices apply to devices without their own, on every screen at once', async () => {
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
  await test.step('a CSV reader reads the exported file back', async () => {
    const notes = { ...NO_NOTES, units: { ec: { label: 'NTU' } } };
    await call(node().process, 'setNotes', { id: other.id, notes });
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
