import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { chart, hoverAt, readout } from './support/charts.ts';
import { parseCsv } from './support/csv.ts';
import { MINUTE_MS, minutes, registered, send } from './support/devices.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openDevice, openOwner, test } from './support/owner-test.ts';

const HOUR_MS = 60 * MINUTE_MS;
/** São Paulo, three hours behind UTC all year. */
const ZONE_MS = 3 * HOUR_MS;
const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

let bed: SimulatedDevice;
let tank: SimulatedDevice;
const node = ownerNode(async (started) => {
  bed = await registered(started, ['local'], { name: 'Tomato bed' }, { publishTo: 0 });
  tank = await registered(started, ['local'], { name: 'Rain tank' }, { publishTo: 0 });
  for (const device of [bed, tank]) await send(started, 'local', minutes(device, { count: 300, endAt: now }));
});

const notes = (page: Page) => page.getByRole('region', { name: 'Notes', exact: true });
const entries = (page: Page) => notes(page).getByRole('listitem');
const local = (ms: number) => new Date(ms - ZONE_MS).toISOString().slice(0, 19);

async function add(page: Page, text: string, at: number, of?: string): Promise<void> {
  await notes(page).getByRole('button', { name: 'Add a note' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a note' });
  await dialog.getByLabel('What happened').fill(text);
  await dialog.getByLabel('When, local time').fill(local(at));
  if (of !== undefined) await dialog.getByLabel('Of', { exact: true }).selectOption(of);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
}

/** How many pixels of a column of the plot, at a part of its width, have the colour of notes. */
function notePixels(locator: Locator, part: number): Promise<number> {
  return locator.evaluate((element, at) => {
    const canvas = element.querySelector('canvas')!;
    const plot = element.querySelector('.u-over')!.getBoundingClientRect();
    const frame = canvas.getBoundingClientRect();
    const scale = canvas.width / frame.width;
    const x = Math.round((plot.left - frame.left + plot.width * at) * scale);
    const { data } = canvas.getContext('2d')!.getImageData(x - 1, 0, 3, canvas.height);
    let found = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3]! > 200 && data[i]! < 80 && data[i + 1]! < 80 && data[i + 2]! < 90) found += 1;
    }
    return found;
  }, part);
}

test('a note stands in charts and lists of its device, is changed, and another page learns of it', async ({
  page,
  context,
}) => {
  await test.step('a note stands at its time in every chart and in the list, with one number', async () => {
    await openDevice(page, node(), bed.id);
    const at = now - 2 * HOUR_MS;
    await add(page, 'Changed nutrients', at);
    await add(page, 'Cleaned the probe', now - HOUR_MS);
    await expect(entries(page)).toHaveCount(2);
    await expect(entries(page).first()).toContainText('2');
    await expect(entries(page).nth(1)).toContainText(/^1.*Changed nutrients$/);
    const time = (ms: number) => new Date(ms).toISOString();
    // The first note is in the middle of this range, the second is not in it.
    await page.goto(`${page.url().split('?')[0]}?from=${time(at - HOUR_MS / 2)}&to=${time(at + HOUR_MS / 2)}`);
    await expect(entries(page)).toHaveCount(1);
    for (const field of ['EC', 'Humidity']) {
      await expect.poll(() => notePixels(chart(page, field), 0.5)).toBeGreaterThan(20);
      expect(await notePixels(chart(page, field), 0.7)).toBe(0);
    }
    await hoverAt(page, chart(page, 'EC'), 0.5);
    await expect(readout(chart(page, 'EC'))).toContainText('note 1: Changed nutrients');
    await hoverAt(page, chart(page, 'EC'), 0.6);
    await expect(readout(chart(page, 'EC'))).not.toContainText('Changed nutrients');
    await page.reload();
    await expect(entries(page)).toContainText(['Changed nutrients']);
    // Outside of the range it is listed without a number.
    await notes(page).getByText('All', { exact: true }).click();
    await expect(entries(page)).toHaveCount(2);
    await expect(entries(page).first()).toContainText(/^\w{3} .*Cleaned the probe$/);
  });
  await test.step('a note of all devices is on every page, and another page learns of it by itself', async () => {
    await openDevice(page, node(), tank.id);
    const other = await context.newPage();
    await openDevice(other, node(), bed.id);
    await add(page, 'Power cut', now - 3 * HOUR_MS, 'All devices');
    await expect(notes(page)).toContainText('All devices');
    await expect(notes(other)).toContainText('Power cut');
    await expect(notes(page)).not.toContainText('Changed nutrients');
  });
  await test.step('is changed and deleted, not by one click', async () => {
    await openDevice(page, node(), tank.id);
    await add(page, 'Filled up', now - 30 * MINUTE_MS);
    const entry = () => entries(page).filter({ hasText: 'Filled' });
    await entry()
      .getByRole('button', { name: /^Change the note of / })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Change the note' });
    await dialog.getByLabel('What happened').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toContainText('Write what happened');
    await dialog.getByLabel('What happened').fill('Filled halfway');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(entry()).toContainText('Filled halfway');
    await entry()
      .getByRole('button', { name: /^Change the note of / })
      .click();
    await dialog.getByRole('button', { name: 'Delete the note' }).click();
    await expect(entry()).toHaveCount(1);
    await dialog.getByRole('button', { name: 'Yes, delete it for good' }).click();
    await expect(dialog).toBeHidden();
    await expect(entry()).toHaveCount(0);
  });
  await test.step('what is written about a device stands on its page', async () => {
    await openDevice(page, node(), bed.id);
    await expect(notes(page)).toContainText('No notes about this device yet.');
    await notes(page).getByRole('button', { name: 'Write about the device' }).click();
    await page.getByRole('dialog').getByLabel('About this device').fill('Pump replaced in spring.\nSpare in the shed.');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(notes(page)).toContainText('Spare in the shed.');
    await openOwner(page, node(), `#/device/${bed.id}`);
    await expect(notes(page)).toContainText('Pump replaced in spring.');
  });
});

test('notes stand in comparisons of their device, and are exported as CSV that no spreadsheet runs', async ({
  page,
  freshNode,
}) => {
  await test.step('stands in the charts that compare its device, and in no others', async () => {
    const made = [];
    for (const name of ['Fern wall', 'Moss wall']) {
      const device = await registered(freshNode, ['local'], { name }, { publishTo: 0 });
      await send(freshNode, 'local', minutes(device, { count: 300, endAt: now }));
      made.push(device.id);
    }
    const at = now - 2 * HOUR_MS;
    const range = `from=${new Date(at - HOUR_MS / 2).toISOString()}&to=${new Date(at + HOUR_MS / 2).toISOString()}`;
    await openOwner(page, freshNode, `#/compare?${range}&lines=${made[0]}:ec`);
    await add(page, 'Changed nutrients', at, 'Fern wall');
    const panel = page.getByRole('group', { name: /^EC/ });
    await expect.poll(() => notePixels(panel, 0.5)).toBeGreaterThan(20);
    await hoverAt(page, panel, 0.5);
    await expect(page.locator('figure figcaption')).toContainText('note 1: Changed nutrients');
    await page.goto(`${freshNode.url('local')}/ui/#/compare?${range}&lines=${made[1]}:ec`);
    await expect(page.locator('[data-line]')).toContainText('Moss wall');
    await expect(notes(page)).toContainText('No notes in the range of the charts');
    await expect.poll(() => notePixels(panel, 0.5)).toBe(0);
  });
  await test.step('is exported as CSV that no spreadsheet runs', async () => {
    const device = await registered(freshNode, ['local'], { name: 'Bench' });
    await send(freshNode, 'local', minutes(device, { count: 300, endAt: now }));
    await openDevice(page, freshNode, device.id);
    const at = now - HOUR_MS;
    await add(page, '=1+1, "quoted"\nand more', at);
    await add(page, 'Everywhere', at + MINUTE_MS, 'All devices');
    await expect(entries(page)).toHaveCount(2);
    await notes(page).getByRole('button', { name: 'Save as a file' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'As a CSV file' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^wellhouse_bench_.*_notes\.csv$/);
    const [header, ...rows] = parseCsv(readFileSync(await download.path(), 'utf8').replace(/^\uFEFF/, ''));
    expect(header!.slice(0, 5)).toEqual(['time', 'time_local (America/Sao_Paulo)', 'device', 'device_id', 'note']);
    expect(rows.map((row) => row.slice(0, 5))).toEqual([
      [new Date(at).toISOString(), local(at).replace('T', ' '), 'Bench', device.id, '\'=1+1, "quoted"\nand more'],
      [
        new Date(at + MINUTE_MS).toISOString(),
        local(at + MINUTE_MS).replace('T', ' '),
        'all devices',
        '',
        'Everywhere',
      ],
    ]);
  });
});
