import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { chart, drawnHeights } from '../support/charts.ts';
import { MINUTE_MS, registered, send } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
const DAYS = 30;
const EVERY_MS = 10 * MINUTE_MS;
const PER_DAY = DAY_MS / EVERY_MS;
const now = Date.now();

let device: SimulatedDevice;
const node = ownerNode(async (started) => {
  device = await registered(started, ['local'], { name: 'A month old' }, { publishTo: 0 });
  // Cold nights and warm days: lines to and fro for each of them would be a solid block in a year's chart.
  const count = DAYS * PER_DAY;
  const blocks = Array.from({ length: count }, (_, index) =>
    device.block({
      seq: index + 1,
      timestamp: now - (count - 1 - index) * EVERY_MS,
      plain: { tempAmbient: Number((20 + 8 * Math.sin((2 * Math.PI * index) / PER_DAY) + index / count).toFixed(2)) },
    }),
  );
  await send(started, 'local', blocks);
});

test('a month in a chart of a year is a readable line at every width', async ({ page }) => {
  await openOwner(page, node(), `#/device/${device.id}?range=1y`);
  for (const width of [390, 768, 1024, 1440]) {
    await test.step(`${width} pixels`, async () => {
      await page.setViewportSize({ width, height: 900 });
      const ambient = chart(page, 'Air temperature');
      await expect(ambient).toBeVisible();
      await expect(page.getByText(/^Line: means of (1 day|2 days)\./)).toBeVisible();
      const year = await drawnHeights(ambient);
      const drawn = year.filter((height) => height > 0);
      expect(drawn.length).toBeGreaterThan(0.06 * year.length);
      expect(Math.max(...drawn)).toBeLessThan(0.4);

      // What there is fills the chart at a press, and the way back is the browser's.
      await page.getByRole('button', { name: 'Zoom in on them' }).click();
      await expect(page).toHaveURL(/from=.*to=/);
      await expect
        .poll(async () => {
          const month = await drawnHeights(ambient);
          return month.filter((height) => height > 0).length / month.length;
        })
        .toBeGreaterThan(0.95);
      await expect(page.getByRole('button', { name: 'Zoom in on them' })).toBeHidden();
      await page.goBack();
      await expect(page.getByText(/^Line: means of (1 day|2 days)\./)).toBeVisible();
    });
  }
});
