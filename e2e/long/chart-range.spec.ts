import type { Page } from '@playwright/test';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { chart, drawnColumns, hoverAt, rangeBar, readout } from '../support/charts.ts';
import { MINUTE_MS, minutes, registered, send, valuesAt } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openDevice, test } from '../support/owner-test.ts';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** São Paulo, three hours behind UTC all year. */
const ZONE_MS = 3 * HOUR_MS;
const EVERY_MS = 10 * MINUTE_MS;
const COUNT = 1300;

let device: SimulatedDevice;
const now = Math.floor(Date.now() / EVERY_MS) * EVERY_MS;
const today = Math.floor((now - ZONE_MS) / DAY_MS) * DAY_MS + ZONE_MS;
const node = ownerNode(async (started) => {
  device = await registered(started, ['local'], { name: 'Charted tank' }, { publishTo: 0 });
  await send(started, 'local', minutes(device, { count: COUNT, everyMs: EVERY_MS, endAt: now }));
});

/** Water levels of a stretch, as they were sent. */
function levels(from: number, to: number): number[] {
  return Array.from({ length: COUNT }, (_, index) => [now - (COUNT - 1 - index) * EVERY_MS, index] as const)
    .filter(([time]) => time >= from && time <= to)
    .map(([, index]) => valuesAt(index).waterLevel);
}
const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const stat = (page: Page, key: string) => page.locator(`[data-stats=waterLevel] [data-stat=${key}] dd`);
const choose = (page: Page, name: string) => rangeBar(page).getByText(name, { exact: true }).click();
const overlay = (page: Page) => rangeBar(page).getByRole('combobox', { name: 'Compare with earlier values' });
const level = (page: Page) =>
  page.locator('figure', { has: page.getByRole('heading', { name: /^Distance to water/ }) });

test('charts show a range of local time, with its statistics, its address and an earlier range behind it', async ({
  page,
  browser,
  watch,
}) => {
  await test.step('keeps range, fields and the earlier range in the address: for the back button, a reload and a sent link', async () => {
    await openDevice(page, node(), device.id);
    await expect(chart(page, 'EC')).toBeVisible();

    await expect(page).toHaveURL(/[?&]range=24h$/);
    await choose(page, 'Yesterday');
    await overlay(page).selectOption('Compare: a week earlier');
    await rangeBar(page).getByRole('button', { name: 'Fields' }).click();
    for (const field of ['pH', 'Humidity']) await page.getByRole('checkbox', { name: field }).uncheck();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/range=yesterday.*fields=ec,waterLevel,tempWater,tempAmbient/);
    await expect(page).toHaveURL(/overlay=lastWeek/);
    const asChosen = async (of: Page) => {
      await expect(rangeBar(of).getByRole('radio', { name: 'Yesterday' })).toBeChecked();
      await expect(chart(of, 'EC')).toBeVisible();
      await expect(chart(of, 'Humidity')).toHaveCount(0);
      await expect(overlay(of)).toHaveValue('lastWeek');
      await expect(level(of)).toContainText(/a week earlier, mean of the readings [\d.]+ mm/);
    };
    await asChosen(page);
    await page.reload();
    await asChosen(page);

    // Somebody else's browser, which remembers another range.
    const other = await browser.newContext();
    watch.allow(new URL(page.url()).origin);
    const elsewhere = await other.newPage();
    await elsewhere.goto(node().link);
    await expect(elsewhere.getByText('Live', { exact: true })).toBeVisible();
    await elsewhere.goto(page.url());
    await asChosen(elsewhere);
    await other.close();

    for (let back = 0; back < 3; back += 1) await page.goBack();
    await expect(rangeBar(page).getByRole('radio', { name: 'Yesterday' })).toBeChecked();
    await expect(chart(page, 'Humidity')).toBeVisible();
    await expect(overlay(page)).toHaveValue('');
    await rangeBar(page).getByRole('button', { name: 'Back' }).click();
    await expect(rangeBar(page).getByRole('radio', { name: '24 h' })).toBeChecked();
    await expect(rangeBar(page).getByRole('button', { name: 'Back' })).toBeDisabled();
    await page.goForward();
    await expect(rangeBar(page).getByRole('radio', { name: 'Yesterday' })).toBeChecked();
  });
  await test.step('reads the valid parts of an address typed by hand', async () => {
    await openDevice(page, node(), device.id);
    await expect(chart(page, 'EC')).toBeVisible();

    await choose(page, '24 h');
    await page.goto(`${page.url().split('?')[0]}?range=nonsense&fields=none,ec&overlay=never`);
    await expect(chart(page, 'EC')).toBeVisible();
    await expect(chart(page, 'pH')).toHaveCount(0);
    await expect(page).toHaveURL(/range=24h/);
  });
  await test.step('shows minimum, mean and maximum of the visible range', async () => {
    await openDevice(page, node(), device.id);
    await expect(chart(page, 'EC')).toBeVisible();

    await choose(page, 'Yesterday');
    const shown = levels(today - DAY_MS, today - 1);
    await expect(stat(page, 'values')).toHaveText(String(shown.length));
    await expect(stat(page, 'min')).toHaveText(`${Math.min(...shown)} mm`);
    await expect(stat(page, 'max')).toHaveText(`${Math.max(...shown)} mm`);
    const mean = Number(/^([\d.]+) mm$/.exec(await stat(page, 'mean').innerText())![1]);
    expect(Math.abs(mean - meanOf(shown))).toBeLessThan(0.051);
  });
  await test.step('offers local days, nights, weeks and months by name', async () => {
    await openDevice(page, node(), device.id);
    await expect(chart(page, 'EC')).toBeVisible();

    const local = (ms: number) => new Date(ms - ZONE_MS).toISOString().slice(11, 19);
    for (const [name, from, to] of [
      ['Today', '00:00:00', null],
      ['Yesterday', '00:00:00', '23:59:59'],
      ['Last night', '20:00:00', null],
      ['This week', '00:00:00', null],
      ['Last week', '00:00:00', '23:59:59'],
      ['This month', '00:00:00', null],
      ['Last month', '00:00:00', '23:59:59'],
    ] as const) {
      await choose(page, name);
      await expect(rangeBar(page)).toContainText('America/Sao_Paulo, GMT-3');
      const shown = rangeBar(page).getByText(/^\w{3} \d+, \d{4}, .* – /);
      const [first, last] = (await shown.innerText()).replaceAll(' ', ' ').split(' · ')[0]!.split(' – ');
      expect(local(Date.parse(`${first} GMT-0300`)), name).toBe(from);
      if (to !== null) expect(local(Date.parse(`${last} GMT-0300`)), name).toBe(to);
    }
    await choose(page, '24 h');
  });
  await test.step('draws an earlier day behind the line, at the same times of day', async () => {
    await openDevice(page, node(), device.id);
    await expect(chart(page, 'EC')).toBeVisible();

    await choose(page, 'Yesterday');
    await overlay(page).selectOption('Compare: a day earlier');
    const before = levels(today - 2 * DAY_MS, today - DAY_MS - 1);
    const note = level(page).getByText(/^Pale and dashed: a day earlier, mean of the readings [\d.]+ mm$/);
    await expect(note).toBeVisible();
    const mean = Number(/mean of the readings ([\d.]+)/.exec(await note.innerText())![1]);
    expect(Math.abs(mean - meanOf(before))).toBeLessThan(0.051);
    // The statistics are those of the day that is shown.
    await expect(stat(page, 'values')).toHaveText(String(levels(today - DAY_MS, today - 1).length));
    await hoverAt(page, chart(page, 'Distance to water'), 0.5);
    await expect(readout(chart(page, 'Distance to water'))).toContainText(/^\d+ mm · .* · a day earlier \d+ mm$/);
    const text = await readout(chart(page, 'Distance to water')).innerText();
    const [, own, earlier] = /^(\d+) mm.*earlier (\d+) mm/.exec(text)!;
    // 144 readings a day, of values that come again after 60.
    expect((Number(own) - Number(earlier) + 60) % 60).toBe(144 % 60);
    // Pale: the pixels of the line itself are those of the day that is shown.
    expect((await drawnColumns(chart(page, 'Distance to water'))).some(Boolean)).toBe(true);
  });
  await test.step('chart, table and comparison show the same count for a range', async () => {
    await openDevice(page, node(), device.id);
    await expect(chart(page, 'EC')).toBeVisible();

    const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Readings' }) });
    const listed = async () =>
      Number(/([\d,]+) readings/.exec(await section.last().innerText())?.[1]?.replace(',', ''));
    const drawn = async () => Number((await stat(page, 'values').innerText()).replace(',', ''));
    for (const name of ['8 h', '24 h', '7 d', 'Today', 'Yesterday']) {
      await choose(page, name);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expect.poll(async () => (await listed()) - (await drawn()), { message: name }).toBe(0);
      const count = await drawn();
      const compare = await page.getByRole('link', { name: 'Compare with others' }).getAttribute('href');
      const other = await page.context().newPage();
      await other.goto(`${node().url('local')}/ui/${compare}`);
      const line = other.locator(`[data-line="${device.id}:waterLevel"]`);
      await expect(line).toContainText(`${count.toLocaleString('en')} values`);
      await other.close();
    }
  });
  await test.step('a chart without values in its range still shows the earlier range', async () => {
    await openDevice(page, node(), device.id);
    await expect(chart(page, 'EC')).toBeVisible();

    const address = page.url().split('?')[0]!;
    const time = (ms: number) => new Date(ms).toISOString();
    await page.goto(`${address}?from=${time(now + HOUR_MS)}&to=${time(now + 3 * HOUR_MS)}&overlay=yesterday`);
    await expect(level(page)).toContainText(/a day earlier, mean of the readings [\d.]+ mm/);
    await hoverAt(page, level(page).getByRole('group'), 0.5);
    await expect(level(page)).toContainText(/No value · .* · a day earlier \d+ mm/);
  });
});
