import type { Locator, Page } from '@playwright/test';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { slowness } from '../test/support/pace.ts';
import { minutes, registered, send } from './support/devices.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openDevice, openOwner, test } from './support/owner-test.ts';

/** The page's promise to the owner. */
const WITHIN_MS = 1000;

let device: SimulatedDevice;
const node = ownerNode(async (started) => {
  device = await registered(started, ['local'], { name: 'Live tank' }, { publishTo: 0 });
  await send(started, 'local', minutes(device, { count: 200, endAt: Date.now() - 60_000 }));
});

let seq = 1000;
function next(values: Record<string, number>) {
  seq += 1;
  return device.block({ seq, timestamp: Date.now(), plain: values });
}

/** Marks the page, so that a reload would show. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { isStillThis: true }));
const isStillThis = (page: Page) => page.evaluate(() => 'isStillThis' in window);

/** How long something takes to appear, in milliseconds; looked at every few. A busy machine may take much longer. */
async function appearsAfter(locator: Locator): Promise<number> {
  const since = performance.now();
  await expect.poll(() => locator.count(), { timeout: 30 * WITHIN_MS, intervals: [20] }).toBeGreaterThan(0);
  return performance.now() - since;
}

/** The same of several things in milliseconds of a quiet machine: the pace is that of this moment, which soon changes. */
async function quietlyAfter(locators: readonly Locator[]): Promise<number> {
  const took = Math.max(...(await Promise.all(locators.map(appearsAfter))));
  return took / slowness();
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

test('new readings appear on every page within a second, without a reload', async ({ page }) => {
  await test.step('a new reading appears in the overview within a second, without a reload', async () => {
    await openOwner(page, node());
    const row = page.getByRole('article', { name: 'Live tank' });
    await expect(row).toBeVisible();
    await mark(page);
    const took: number[] = [];
    for (const value of [611, 622, 633, 644, 655]) {
      await send(node(), 'local', [next({ ec: value })]);
      took.push(await quietlyAfter([row.getByTitle(`${value} ppm`)]));
    }
    // A single one may be late on a machine that does other work too; the promise holds for most.
    expect(median(took), took.join(', ')).toBeLessThan(WITHIN_MS);
    expect(await isStillThis(page)).toBe(true);
  });
  await test.step('a new reading appears on the device’s page within a second: header, table and chart', async () => {
    await openDevice(page, node(), device.id);
    await mark(page);
    const took: number[] = [];
    for (const ph of [8.11, 8.22, 8.33, 8.44, 8.55]) {
      await send(node(), 'local', [next({ ph, ec: 640 })]);
      const arrivals = [
        page.getByRole('gridcell', { name: String(seq), exact: true }),
        page.locator('main header').getByTitle(String(ph), { exact: true }),
        page.getByRole('group', { name: new RegExp(`^pH from .* maximum ${ph}`) }),
      ];
      took.push(await quietlyAfter(arrivals));
    }
    expect(median(took), took.join(', ')).toBeLessThan(WITHIN_MS);
    expect(await isStillThis(page)).toBe(true);
  });
  await test.step('many readings at once cause one update, which shows the last one', async () => {
    await openOwner(page, node());
    await expect(page.getByRole('article', { name: 'Live tank' })).toBeVisible();
    let calls = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/ui/api/overview')) calls += 1;
    });
    const since = performance.now();
    for (let batch = 0; batch < 20; batch += 1) {
      await send(
        node(),
        'local',
        Array.from({ length: 20 }, () => next({ ec: 700 })),
      );
    }
    await send(node(), 'local', [next({ ec: 777 })]);
    await appearsAfter(page.getByRole('article', { name: 'Live tank' }).getByTitle('777 ppm'));
    // At most two a second, whatever came in.
    expect(calls).toBeLessThanOrEqual(2 + (2 * (performance.now() - since)) / 1000);
  });
});
