import type { Page } from '@playwright/test';
import { CHART_COLOURS } from '../../src/renderer/charts/drawing/chart-colours.ts';
import { lineStyle } from '../../src/renderer/charts/drawing/line-styles.ts';
import type { RuleInput } from '../../src/shared/alerts/rule.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { RANGE_RULE } from '../../test/support/alerts.ts';
import { call } from '../../test/support/owner-client.ts';
import { complaints } from '../support/axe.ts';
import { dottedRows, palePixels } from '../support/charts.ts';
import { minutes, registered, send } from '../support/devices.ts';
import { SCHEMES } from '../support/matrix.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openOwner, sidewaysScroll, test } from '../support/owner-test.ts';

let bed: SimulatedDevice;
let tank: SimulatedDevice;
const node = ownerNode(async (started) => {
  bed = await registered(started, ['local'], { name: 'Tomato bed' }, { publishTo: 0 });
  tank = await registered(started, ['local'], { name: 'Rain tank' }, { publishTo: 0 });
  for (const device of [bed, tank]) await send(started, 'local', minutes(device, { count: 120 }));
});

const writeRule = (change: Partial<Extract<RuleInput, { kind: 'range' }>>) =>
  call(node().process, 'writeAlertRule', { rule: { ...RANGE_RULE, ...change } });
const panel = (page: Page) => page.locator('figure').first();
const row = (page: Page, device: SimulatedDevice) => page.locator(`[data-line="${device.id}:ph"]`);
const dotted = (page: Page, colour: string) => dottedRows(panel(page).getByRole('group'), colour);
const pale = (page: Page, colour: string) => palePixels(panel(page).getByRole('group'), colour);

test('comparing charts draw the allowed range: one for all lines, or each line’s own', async ({ page }) => {
  const { allowed } = CHART_COLOURS.light;
  const [first, second] = [lineStyle('light', 0).colour, lineStyle('light', 1).colour];
  await openOwner(page, node(), `#/compare?lines=${bed.id}:ph,${tank.id}:ph&range=8h`);
  await expect(row(page, tank)).toContainText('120 values');
  expect(await pale(page, allowed)).toBe(0);

  // Beside the lines of the grid, which would mix with them.
  const all = await writeRule({ low: 5.93, high: 6.43 });
  for (const device of [bed, tank]) await expect(row(page, device)).toContainText('Allowed: 5.93 to 6.43');
  await expect.poll(() => pale(page, allowed)).toBeGreaterThan(500);
  expect([await dotted(page, allowed), await dotted(page, second)]).toEqual([2, 0]);

  // What is right for one of them alone has the colour of its line.
  await writeRule({ low: 6.07, high: null, margin: 0, scope: { kind: 'device', device: tank.id } });
  await expect(row(page, tank)).toContainText('Allowed: 5.93 to 6.43; at least 6.07');
  await expect.poll(() => dotted(page, second)).toBe(1);
  expect([await dotted(page, allowed), await dotted(page, first)]).toEqual([2, 0]);

  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await complaints(page, colorScheme), `${width} ${colorScheme}`).toEqual([]);
      expect(await sidewaysScroll(page), `${width} ${colorScheme}`).toBe(0);
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/compare-${width}-${colorScheme}.png` });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await call(node().process, 'writeAlertRule', { rule: { ...all, isOn: false } as RuleInput });
  await expect(row(page, bed)).not.toContainText('Allowed');
  await expect.poll(() => pale(page, allowed)).toBe(0);
  expect(await dotted(page, second)).toBe(1);
});
