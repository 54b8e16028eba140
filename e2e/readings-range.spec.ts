import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { rangeBar } from './support/charts.ts';
import { MINUTE_MS, minutes, registered, send, valuesAt } from './support/devices.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openDevice, openOwner, test } from './support/owner-test.ts';

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
const firstSeq = (page: Page) => grid(page).getByRole('row').nth(1).getByRole('gridcell').first();
const rows = async (page: Page) => Number(await grid(page).getAttribute('aria-rowcount')) - 1;
const choose = (page: Page, name: string) => rangeBar(page).getByText(name, { exact: true }).click();
const filter = (page: Page) => page.getByRole('group', { name: 'Filter of the readings' });

test('lists the readings of the charts’ range', async ({ page }) => {
  await choose(page, '8 h');
  // Six hours and the part of a step that the range is asked for more.
  await expect.poll(async () => Math.abs((await rows(page)) - 6 * 12)).toBeLessThan(6);
  await expect(section(page)).toContainText(/\d+ readings · .* – now/);
  await choose(page, '1 h');
  await expect(section(page)).toContainText('No readings in the range of the charts');
  await page.getByRole('button', { name: 'Show all readings' }).click();
  await expect(section(page)).toContainText('1–500 of 1,600 readings · all that there is');
  await expect(page).toHaveURL(/range=all/);
});

test('walks through any range page by page, newest or oldest first', async ({ page }) => {
  await choose(page, 'All');
  await expect(firstSeq(page)).toHaveText(String(COUNT));
  const pager = page.getByRole('group', { name: 'Pages of the readings' });
  const [newer, older] = [pager.getByRole('button', { name: 'Newer' }), pager.getByRole('button', { name: 'Older' })];
  await expect(newer).toBeDisabled();
  const seen = new Set<string>();
  for (const [at, top] of [COUNT, COUNT - PAGE, COUNT - 2 * PAGE, COUNT - 3 * PAGE].entries()) {
    await expect(firstSeq(page)).toHaveText(String(top));
    const last = Math.min(COUNT, (at + 1) * PAGE);
    await expect(pager).toContainText(`${(at * PAGE + 1).toLocaleString('en')}–${last.toLocaleString('en')} of 1,600`);
    seen.add(String(top));
    if (at < 3) await older.click();
  }
  expect(seen.size).toBe(4);
  await expect(older).toBeDisabled();
  expect(await rows(page)).toBe(COUNT - 3 * PAGE);
  await newer.click();
  await expect(firstSeq(page)).toHaveText(String(COUNT - 2 * PAGE));
  // By time the other way round, the whole range begins at its oldest.
  await grid(page).getByRole('columnheader', { name: 'Time' }).getByRole('button').click();
  await expect(firstSeq(page)).toHaveText('1');
  await pager.getByRole('button', { name: 'Newer' }).click();
  await expect(firstSeq(page)).toHaveText(String(PAGE + 1));
  // What sorts by anything else says that it sorts a page.
  await grid(page).getByRole('columnheader', { name: 'pH' }).getByRole('button').click();
  await expect(page.getByText('Sorted within this page')).toBeVisible();
});

test('filters by field, form and value, as the owner sees it', async ({ page }) => {
  await choose(page, 'All');
  await filter(page).getByLabel('Field to filter by').selectOption('EC');
  await filter(page).getByLabel('Form of the value').selectOption('sealed');
  await expect(section(page)).toContainText('100 readings · all that there is · filtered');
  await filter(page).getByLabel('Form of the value').selectOption('in plain');
  await expect(section(page)).toContainText('1–500 of 1,500 readings');
  const values = Array.from({ length: COUNT - 100 }, (_, index) => valuesAt(index));
  await filter(page).getByLabel('At least, ppm').fill('1340');
  const high = values.filter(({ ec }) => ec >= 1340).length;
  expect(high).toBeGreaterThan(0);
  await expect(section(page)).toContainText(new RegExp(`Readings${high} readings · all that there is · filtered`));
  await filter(page).getByLabel('At most, ppm').fill('12x');
  await expect(filter(page)).toContainText('Not a number');
  await filter(page).getByRole('button', { name: 'Clear' }).click();
  await expect(section(page)).toContainText('1–500 of 1,600 readings');

  // Digits that are shown count: 6.2 was sent as the float32 next to it.
  await filter(page).getByLabel('Field to filter by').selectOption('pH');
  await filter(page).getByLabel('At least').fill('6,2');
  await filter(page).getByLabel('At most').fill('6.2');
  const all = [...values, ...Array.from({ length: 100 }, (_, index) => valuesAt(index))];
  const exact = all.filter(({ ph }) => ph === 6.2).length;
  expect(exact).toBeGreaterThan(0);
  await expect(section(page)).toContainText(new RegExp(`Readings${exact} readings? · all that there is · filtered`));
  await expect(grid(page).getByRole('row').nth(1).getByRole('gridcell').nth(4)).toHaveText('6.20');
  await filter(page).getByLabel('At least').fill('9');
  await expect(section(page)).toContainText('No reading of this range passes the filter');
});

test('the filter stands in the address: for reload, back and a link that is sent', async ({ page, context }) => {
  await choose(page, 'All');
  await filter(page).getByLabel('Field to filter by').selectOption('EC');
  await filter(page).getByLabel('Form of the value').selectOption('in plain');
  await filter(page).getByLabel('At least, ppm').fill('1340');
  await expect(page).toHaveURL(/range=all.*filter=ec&form=plain&min=1340$/);
  const high = Array.from({ length: COUNT - 100 }, (_, index) => valuesAt(index)).filter(({ ec }) => ec >= 1340);
  const counted = `Readings${high.length} readings · all that there is · filtered`;
  const asChosen = async (of: Page) => {
    await expect(section(of)).toContainText(counted);
    await expect(filter(of).getByLabel('Field to filter by')).toHaveValue('ec');
    await expect(filter(of).getByLabel('Form of the value')).toHaveValue('plain');
    await expect(filter(of).getByLabel('At least, ppm')).toHaveValue('1340');
  };
  await page.reload();
  await asChosen(page);
  await page.getByRole('link', { name: 'Wellhouse' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await page.goBack();
  await asChosen(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await asChosen(other);

  // What is typed on keeps to the same place in the history, and a range of before comes with the filter of then.
  await choose(page, '8 h');
  await expect(page).toHaveURL(/range=8h.*filter=ec/);
  await filter(page).getByRole('button', { name: 'Clear' }).click();
  await expect(page).not.toHaveURL(/filter=/);
  await page.goBack();
  await asChosen(page);
});

test('a new reading comes in on top of a range that goes on, filtered or not', async ({ page, freshNode }) => {
  const fresh = await registered(freshNode, ['local'], { name: 'Live tank' });
  await send(freshNode, 'local', minutes(fresh, { count: 5, fields: ['ph'] }));
  await openOwner(page, freshNode, `#/device/${fresh.id}?range=24h`);
  await expect(firstSeq(page)).toHaveText('5');
  await send(freshNode, 'local', [fresh.block({ seq: 6, timestamp: Date.now(), plain: { ph: 5 } })]);
  await expect(firstSeq(page)).toHaveText('6');
  await filter(page).getByLabel('Field to filter by').selectOption('pH');
  await filter(page).getByLabel('At least').fill('7');
  await expect(section(page)).toContainText('No reading of this range passes the filter');
  await send(freshNode, 'local', [fresh.block({ seq: 7, timestamp: Date.now(), plain: { ph: 8 } })]);
  await expect(firstSeq(page)).toHaveText('7');
});

test('exports the whole range where the table has a page of it, and says how many of how many', async ({ page }) => {
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
  await expect(dialog).toContainText('also those that have no room just now');
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

test('figures of a field that is sealed in part say what they are of', async ({ page }) => {
  await choose(page, 'All');
  const stats = (field: string) => page.locator(`[data-stats=${field}]`);
  await expect(stats('ec')).toContainText('of the values that are not sealed');
  await expect(stats('ph').locator('[data-stat=values]')).toContainText('1,600');
  await expect(stats('ph').locator('[data-stat=part]')).toHaveCount(0);
  await expect(stats('ph').locator('[data-stat=mean] abbr')).toHaveAttribute('title', /^Mean of the readings/);
});
