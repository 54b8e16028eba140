import { expect, test } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import { openPage } from './support/open-page.tsx';
import {
  chart,
  DAY_MS,
  deviceList,
  HOUR_MS,
  hoverAt,
  openDevice,
  press,
  type ReadingsOptions,
  rangeBar,
  readings,
  readout,
} from './support/page-parts.ts';

const now = Date.now();
// Ten hours, a gap of six and a half, two hours up to now; and some hours long before.
const three = ['ph', 'ec', 'humidity'] as const;
const charted = (name: string, options: Pick<ReadingsOptions, 'fields'> = {}) =>
  new FakeDevice({
    name,
    sent: [
      ...readings({ count: 300, firstSeq: 1, endAt: now - 40 * DAY_MS, ...options }),
      ...readings({ count: 600, firstSeq: 1001, endAt: now - 8.5 * HOUR_MS, ...options }),
      ...readings({ count: 120, firstSeq: 2001, endAt: now, sealed: ['ph'], fields: three }),
    ],
  });
const tank = charted('Charted tank');
/** Each move of the range draws all charts, so there are few. */
const moved = charted('Moved tank', { fields: three });
const ec = chart('EC');

/** The description of a chart once it has its values, its times as Unix milliseconds. */
async function summary(group: Locator) {
  await expect.element(group).toHaveAttribute('aria-label', expect.stringMatching(/Values: /));
  const text = group.element().getAttribute('aria-label')!.replace(/\s+/g, ' ');
  const [, from, to, count] = / from (.*?) to (.*?)\. Values: ([\d,]+)\./.exec(text)!;
  const time = (local: string) => Date.parse(`${local} GMT-0300`);
  return { from: time(from!), to: time(to!), count: Number(count!.replaceAll(',', '')) };
}
const width = async (group: Locator) => {
  const { from, to } = await summary(group);
  return (to - from) / HOUR_MS;
};
const expectWidth = (hours: number, digits = 0) => expect.poll(() => width(ec)).toBeCloseTo(hours, digits);

/** Which columns of the plot's pixels have some of the line's own colour, from left to right. */
function drawnColumns(group: Locator): boolean[] {
  const element = group.element();
  const swatch = element.closest('figure')!.querySelector('figcaption span')!;
  const [r, g, b] = getComputedStyle(swatch).backgroundColor.match(/\d+/g)!.map(Number);
  const canvas = element.querySelector('canvas')!;
  const plot = element.querySelector('.u-over')!.getBoundingClientRect();
  const frame = canvas.getBoundingClientRect();
  const scale = canvas.width / frame.width;
  const [left, wide] = [Math.round((plot.left - frame.left) * scale), Math.round(plot.width * scale)];
  const { data } = canvas.getContext('2d')!.getImageData(left, 0, wide, canvas.height);
  const isDrawn = (at: number) =>
    data[at + 3]! > 200 && Math.abs(data[at]! - r!) + Math.abs(data[at + 1]! - g!) + Math.abs(data[at + 2]! - b!) < 60;
  return Array.from({ length: wide }, (_, x) =>
    Array.from({ length: canvas.height }, (__, y) => 4 * (y * wide + x)).some(isDrawn),
  );
}

/** The widest gap of the line, as a part of the chart's width. */
function longestGap(group: Locator): number {
  const columns = drawnColumns(group);
  const drawn = columns.flatMap((isDrawn, x) => (isDrawn ? [x] : []));
  return Math.max(0, ...drawn.slice(1).map((x, index) => x - drawn[index]! - 1)) / columns.length;
}

test('draws a chart for each field with a summary in words, leaves gaps, and has one cursor for all charts', async () => {
  await openDevice(tank, 'range=24h');
  for (const field of ['pH', 'EC', 'Distance to water', 'Water temperature', 'Air temperature', 'Humidity']) {
    await expect.element(chart(field)).toBeVisible();
    chart(field).element().scrollIntoView();
    await expect.poll(() => drawnColumns(chart(field)).filter(Boolean).length).toBeGreaterThan(50);
  }
  await expectWidth(24);
  expect((await summary(ec)).count).toBe(720);
  expect((await summary(chart('pH'))).count).toBe(600);
  await expect.element(page.getByText(/120 sealed values are not drawn/)).toBeVisible();
  // 6.5 of 24 hours without a reading.
  await expect.poll(() => longestGap(ec)).toBeGreaterThan(0.24);
  expect(longestGap(ec)).toBeLessThan(0.31);

  await hoverAt(ec, 0.25);
  await expect.element(readout('EC')).toContainText(/1,\d\d\d/);
  await expect.element(readout('Humidity')).toContainText(/\d\d.*%.*·/);
  await hoverAt(ec, 0.8);
  await expect.element(readout('EC')).toContainText(/^No value · /);
  await expect.element(readout('Humidity')).toContainText(/^No value · /);
});

test('offers ranges from an hour to the whole history, keeps the chosen one, and shows its data as a table', async () => {
  const { reload } = await openDevice(moved, 'range=all');
  await expect.poll(() => width(ec)).toBeGreaterThan(40 * 24);
  for (const [name, hours, count] of [
    ['8 h', 8, 120],
    ['24 h', 24, 720],
    ['7 d', 168, 720],
    ['30 d', 720, 720],
    ['1 h', 1, 60],
  ] as const) {
    await rangeBar().getByText(name, { exact: true }).click();
    // A moving range begins at a sixtieth of its width.
    await expect.poll(async () => Math.floor(((await width(ec)) / hours) * 60), { message: name }).toBe(60);
    await expect
      .poll(async () => Math.abs((await summary(ec)).count - count), { message: name })
      .toBeLessThanOrEqual(2);
  }
  await reload();
  await expect.element(rangeBar().getByRole('radio', { name: '1 h' })).toBeChecked();
  await expectWidth(1, 1);
  await expect.element(page.getByText(/^All \d+ values here are sealed$/)).toBeVisible();

  // The table does not change the chart beside it.
  const height = () => chart('Humidity').element().closest('figure')!.getBoundingClientRect().height;
  const before = height();
  await page.getByRole('button', { name: 'EC as a table' }).click();
  const rows = page.getByRole('table', { name: 'EC as a table' }).getByRole('row');
  await expect.element(rows.nth(1)).toContainText(/1,\d{3}/);
  await expect.poll(() => Math.abs(rows.elements().length - 61)).toBeLessThan(3);
  expect(height()).toBe(before);

  await rangeBar().getByText('1 y', { exact: true }).click();
  await expect.poll(async () => (await summary(ec)).count).toBe(1020);
});

test('zooms, moves and goes back by keyboard and by buttons, and shows a chosen range', async () => {
  await openDevice(moved, 'range=24h');
  await expectWidth(24);
  (ec.element() as HTMLElement).focus();
  await press('+');
  await expectWidth(12);
  (ec.element() as HTMLElement).focus();
  await press('{Shift>}{ArrowLeft}{/Shift}', '-');
  await expectWidth(24);
  await press('{Backspace}', '{Backspace}', '{Backspace}');
  const first = async () => {
    const { from, to } = await summary(ec);
    return [Math.round((to - from) / HOUR_MS), Math.abs(Math.round((Date.now() - to) / HOUR_MS))];
  };
  await expect.poll(first).toEqual([24, 0]);

  await rangeBar().getByRole('button', { name: 'Zoom in' }).click();
  await expectWidth(12);
  const { from } = await summary(ec);
  await rangeBar().getByRole('button', { name: 'Earlier' }).click();
  await expect.poll(async () => (from - (await summary(ec)).from) / HOUR_MS).toBeCloseTo(12, 0);
  await rangeBar().getByRole('button', { name: 'Later' }).click();
  await rangeBar().getByRole('button', { name: 'Zoom out' }).click();
  await expectWidth(24);

  // The cursor of the keyboard keeps its place while zooming.
  (ec.element() as HTMLElement).focus();
  await press('{ArrowLeft}');
  await expect.element(readout('EC')).toContainText(/\d ppm/);
  for (let zooms = 0; zooms < 5; zooms += 1) await press('+');
  await expectWidth(0.75, 1);
  await expect.element(readout('EC')).toContainText(/ · .*:\d\d/);

  await rangeBar().getByRole('button', { name: 'From – to' }).click();
  const local = (ms: number) => new Date(ms - 3 * HOUR_MS).toISOString().slice(0, 19);
  await page.getByLabelText('From', { exact: true }).fill(local(now - 10 * HOUR_MS));
  await page.getByLabelText('To', { exact: true }).fill(local(now - 11 * HOUR_MS));
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect.element(page.getByText(/The end must be after the beginning/)).toBeVisible();
  await page.getByLabelText('From', { exact: true }).fill(local(now - 12 * HOUR_MS));
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expectWidth(1, 2);
  await expect.poll(async () => Math.abs((await summary(ec)).count - 60)).toBeLessThanOrEqual(1);
});

test('the charts are requested once, though the list of devices appears beside them', async () => {
  const asked: (number | null)[] = [];
  await openPage('#/', {
    devices: [tank],
    answers: (fake) => ({
      history: (input) => {
        // The cards of the overview ask for a course, without this.
        if (input.pixelMs !== undefined) asked.push(input.from);
        return fake.history(input);
      },
    }),
  });
  await page.getByRole('link', { name: 'Charted tank' }).first().click();
  await expectWidth(24);
  await expect.element(page.css('[aria-busy=false] canvas').first()).toBeVisible();
  await expect.element(deviceList()).toBeVisible();
  // The time may move the range meanwhile.
  expect(asked).toEqual([...new Set(asked)]);
  expect(asked).not.toEqual([]);
});
