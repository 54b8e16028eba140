import type { Page } from '@playwright/test';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { minutes, registered, send } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openDevice, openOwner, sidewaysScroll, test } from '../support/owner-test.ts';

const OWNER = 'aa'.repeat(32);
const WIDTHS = [390, 600, 768, 900, 1024, 1200, 1440, 1920];

let device: SimulatedDevice;
let sealed: SimulatedDevice;
const node = ownerNode(async (started) => {
  device = await registered(started, ['local'], { name: 'Rain barrel', ownerPubkey: OWNER }, { publishTo: 0 });
  await send(started, 'local', minutes(device, { count: 30 }));
  // Values as long as they come.
  const long = {
    ph: 12.25,
    ec: 12345.678,
    waterLevel: 9999.75,
    tempWater: -12.375,
    tempAmbient: 104.125,
    humidity: 100,
  };
  sealed = await registered(started, ['local'], { name: 'Sealed vat', ownerPubkey: OWNER }, { publishTo: 0 });
  await send(started, 'local', minutes(sealed, { count: 30, sealed: ['ph', 'ec', 'humidity'] }));
  await send(started, 'local', [device.block({ seq: 31, timestamp: Date.now(), plain: long })]);
});

/** Numbers that their cell or the window cuts, in words. */
function cutNumbers(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main [class*=number]')].flatMap((number) => {
      const box = number.getBoundingClientRect();
      if (box.width === 0) return [];
      const inside = (right: number, bottom: number) => box.right <= right + 0.5 && box.bottom <= bottom + 0.5;
      const cell = number.closest('[role=cell], [role=gridcell], dd');
      const bounds = (cell ?? document.documentElement).getBoundingClientRect();
      const isCut =
        !inside(bounds.right, bounds.bottom) ||
        box.right > window.innerWidth ||
        number.scrollWidth > number.clientWidth + 1;
      return isCut ? [`${number.textContent} to ${box.right} of ${bounds.right}`] : [];
    }),
  );
}

const head = (page: Page) => page.getByRole('table', { name: 'Your devices' }).getByRole('columnheader');

test('no number is cut at any width; columns are left out in the owner’s order, and their headers sort', async ({
  page,
}) => {
  await test.step('no number is cut at any width, on the overview and on a device’s page', async () => {
    await openOwner(page, node());
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => cutNumbers(page), String(width)).toEqual([]);
      expect(await sidewaysScroll(page), String(width)).toBe(0);
    }
    await openDevice(page, node(), device.id);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => cutNumbers(page), String(width)).toEqual([]);
      expect(await sidewaysScroll(page), String(width)).toBe(0);
    }
  });
  await test.step('the word for a sealed value is not cut', async () => {
    await openDevice(page, node(), sealed.id);
    const words = page.locator('[role=gridcell]').getByText('sealed', { exact: true });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await expect(words.first()).toBeVisible();
      const cut = () =>
        words.evaluateAll((all) => all.filter((word) => word.scrollWidth > word.clientWidth + 1).length);
      await expect.poll(cut, String(width)).toBe(0);
    }
  });
  await test.step('columns are left out in the owner’s order, which this browser remembers', async () => {
    await page.setViewportSize({ width: 800, height: 900 });
    await openOwner(page, node());
    await page.getByRole('button', { name: 'View' }).click();
    await page.getByText('Table', { exact: true }).click();
    await page.keyboard.press('Escape');
    await expect(head(page)).toHaveText(['Device', 'pH', 'EC', 'Distance', 'Water temp.', 'Air temp.']);
    await expect(page.getByText('Not shown for lack of room: Humidity')).toBeVisible();
    await page.getByRole('button', { name: 'Order of values' }).click();
    for (let step = 0; step < 5; step += 1) await page.getByRole('button', { name: 'Move Humidity up' }).click();
    await page.keyboard.press('Escape');
    const expected = ['Device', 'Humidity', 'pH', 'EC', 'Distance', 'Water temp.'];
    await expect(head(page)).toHaveText(expected);
    await page.reload();
    await expect(head(page)).toHaveText(expected);
    await expect(page.getByText('Not shown for lack of room: Air temperature')).toBeVisible();
  });
  await test.step('a click anywhere on a header cell sorts', async () => {
    await openOwner(page, node());
    const cell = head(page).nth(2);
    const { width, height } = (await cell.boundingBox())!;
    await cell.click({ position: { x: width - 4, y: height / 2 } });
    await expect(cell).toHaveAttribute('aria-sort', 'ascending');
    await openDevice(page, node(), device.id);
    const column = page.getByRole('grid', { name: 'Readings' }).getByRole('columnheader', { name: 'pH' });
    await column.click({ position: { x: 3, y: height / 2 } });
    await expect(column).toHaveAttribute('aria-sort', 'ascending');
  });
});
