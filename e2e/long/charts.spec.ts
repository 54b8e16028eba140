import type { Locator } from '@playwright/test';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { chart, rangeBar } from '../support/charts.ts';
import { MINUTE_MS, minutes, registered, send } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openDevice, test } from '../support/owner-test.ts';

const HOUR_MS = 60 * MINUTE_MS;

let device: SimulatedDevice;
const now = Date.now();
const node = ownerNode(async (started) => {
  device = await registered(started, ['local'], { name: 'Charted tank' }, { publishTo: 0 });
  // Ten hours, a gap of six and a half, two hours up to now; and some hours long before.
  await send(started, 'local', minutes(device, { count: 600, endAt: now - 8.5 * HOUR_MS }));
  await send(
    started,
    'local',
    minutes(device, { count: 120, firstSeq: 1001, sealed: ['ph'], fields: ['ec', 'humidity'] }),
  );
  await send(started, 'local', minutes(device, { count: 300, firstSeq: 2001, endAt: now - 40 * 24 * HOUR_MS }));
});

interface Summary {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** The description of a chart once it has its values, its times as Unix milliseconds. */
async function summary(locator: Locator): Promise<Summary> {
  await expect(locator).toHaveAttribute('aria-label', /Values: /);
  const text = (await locator.getAttribute('aria-label'))!.replace(/\s+/g, ' ');
  const [, from, to, count] = / from (.*?) to (.*?)\. Values: ([\d,]+)\./.exec(text)!;
  const time = (local: string) => Date.parse(`${local} GMT-0300`);
  return { from: time(from!), to: time(to!), count: Number(count!.replaceAll(',', '')) };
}

const width = async (locator: Locator) => {
  const { from, to } = await summary(locator);
  return (to - from) / HOUR_MS;
};

/** How many pixels of the chart's canvas are of the line's own colour. */
function linePixels(locator: Locator): Promise<number> {
  return locator.evaluate((element) => {
    const swatch = element.closest('figure')!.querySelector('figcaption span')!;
    const [r, g, b] = getComputedStyle(swatch).backgroundColor.match(/\d+/g)!.map(Number);
    const canvas = element.querySelector('canvas')!;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      const near = Math.abs(data[at]! - r!) + Math.abs(data[at + 1]! - g!) + Math.abs(data[at + 2]! - b!) < 24;
      if (near && data[at + 3]! > 200) count += 1;
    }
    return count;
  });
}

test('charts show ranges of the store’s history and zoom into them, without values of a range that is still loading', async ({
  page,
}) => {
  await test.step('shows no values of the previous range while a range is loading', async () => {
    await openDevice(page, node(), device.id);
    await expect(chart(page, 'EC')).toBeVisible();

    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/ui/api/history', async (route) => {
      await released;
      await route.continue();
    });
    await rangeBar(page).getByText('1 h', { exact: true }).click();
    await expect(chart(page, 'EC')).toHaveAttribute('aria-label', /^EC from .* to .*\. Loading the values\.$/);
    release();
    // A reading a minute, and the range begins up to a minute early.
    await expect.poll(async () => (await summary(chart(page, 'EC'))).count).toBeLessThanOrEqual(61);
    expect(await width(chart(page, 'EC'))).toBeCloseTo(1, 1);
    expect((await summary(chart(page, 'EC'))).count).toBeGreaterThan(50);
  });
  await test.step('shows the whole history of the store', async () => {
    // Each range by itself, and that it is remembered: component/charts.test.tsx.
    await rangeBar(page).getByText('All', { exact: true }).click();
    await expect.poll(() => width(chart(page, 'EC'))).toBeGreaterThan(40 * 24);
    await expect.poll(async () => (await summary(chart(page, 'EC'))).count).toBe(1020);
    await expect.poll(() => linePixels(chart(page, 'EC'))).toBeGreaterThan(20);
  });
  await test.step('zooms every chart to a dragged range, and goes back', async () => {
    await rangeBar(page).getByText('24 h', { exact: true }).click();
    await expect.poll(() => width(chart(page, 'EC'))).toBeCloseTo(24, 0);
    const before = await summary(chart(page, 'EC'));
    const plot = (await chart(page, 'EC').locator('.u-over').boundingBox())!;
    const y = plot.y + plot.height / 2;
    await page.mouse.move(plot.x + plot.width * 0.3, y);
    await page.mouse.down();
    await page.mouse.move(plot.x + plot.width * 0.4, y, { steps: 4 });
    await page.mouse.move(plot.x + plot.width * 0.5, y, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => width(chart(page, 'EC'))).toBeCloseTo(24 * 0.2, 0);
    // From 0.7 to 0.5 days ago: a reading a minute for 290 minutes, as soon as they are here.
    await expect.poll(async () => (await summary(chart(page, 'EC'))).count).toBeLessThan(320);
    const dragged = await summary(chart(page, 'EC'));
    const share = (dragged.from - before.from) / (before.to - before.from);
    expect(share).toBeCloseTo(0.3, 1);
    expect(dragged.count).toBeGreaterThan(200);
    // All charts show the same stretch.
    expect(await width(chart(page, 'Humidity'))).toBeCloseTo(await width(chart(page, 'EC')), 3);
    await rangeBar(page).getByRole('button', { name: 'Back' }).click();
    await expect.poll(() => width(chart(page, 'EC'))).toBeCloseTo(24, 0);
  });
});
