import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { rangeBar } from '../support/charts.ts';
import { MINUTE_MS, minutes, registered, send } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openDevice, test } from '../support/owner-test.ts';

const HOUR_MS = 60 * MINUTE_MS;
const COUNT = 1600;
const PAGE = 500;
const now = Date.now();

let device: SimulatedDevice;
const node = ownerNode(async (started) => {
  device = await registered(started, ['local'], { name: 'Long tank' }, { publishTo: 0 });
  // A reading each five minutes, up to two hours ago; the last hundred with sealed EC.
  const options = { everyMs: 5 * MINUTE_MS };
  const end = now - 2 * HOUR_MS;
  await send(started, 'local', minutes(device, { ...options, count: COUNT - 100, endAt: end - 100 * options.everyMs }));
  await send(
    started,
    'local',
    minutes(device, { ...options, count: 100, endAt: end, firstSeq: COUNT - 99, sealed: ['ec'] }),
  );
});

test.beforeEach(async ({ page }) => {
  await openDevice(page, node(), device.id);
});

const section = (page: Page) => page.getByRole('region', { name: 'Readings' });
const grid = (page: Page) => page.getByRole('grid', { name: 'Readings' });
const rows = async (page: Page) => Number(await grid(page).getAttribute('aria-rowcount')) - 1;
const choose = (page: Page, name: string) => rangeBar(page).getByText(name, { exact: true }).click();

test('exports the whole range if the table shows one page of it, and counts both', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 900 });
  await choose(page, 'All');
  await expect(section(page)).toContainText('1–500 of 1,600 readings');
  await expect(section(page)).toContainText(/Not shown for lack of room: .*Delay/);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export readings' });
  await expect(dialog.getByRole('radio', { name: /All readings of a time range/ })).toBeChecked();
  const ofTable = dialog.getByRole('radio', { name: '500 of 1,600 readings: this page of the table' });
  await expect(ofTable).not.toBeChecked();
  const run = async () => {
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    const lines = readFileSync(await (await downloading).path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    return { header: lines[0]!, count: lines.length - 1 };
  };
  expect((await run()).count).toBe(COUNT);
  // What has no room in the table is in the file all the same, as the dialog says.
  await ofTable.check();
  await expect(dialog).toContainText('also those that do not fit on the page');
  await expect(dialog).toContainText('that of measurement also in milliseconds');
  const { header, count } = await run();
  expect(count).toBe(PAGE);
  expect(header).toContain('delay_s');
  expect(header).toContain('timestamp_ms');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  // Of a range that has one page, or what a filter found, the table is meant.
  await choose(page, '8 h');
  await expect.poll(() => rows(page)).toBeLessThan(PAGE);
  await expect(section(page)).not.toContainText('…');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(dialog.getByRole('radio', { name: /^The \d+ readings of the table/ })).toBeChecked();
});
