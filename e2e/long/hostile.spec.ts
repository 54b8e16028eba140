import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { attempt, minutes, registered, send } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openAbout, openDevice, openOwner, sidewaysScroll, test } from '../support/owner-test.ts';

/** Names that a device may give itself, each with what should be seen of it. A node refuses control characters. */
const NAMES: readonly [name: string, shown: string][] = [
  [
    '<img src=x onerror="alert(1)"><script>alert(2)</script>',
    '<img src=x onerror="alert(1)"><script>alert(2)</script>',
  ],
  ['pay\u200Bgnp.exe\u061C[31mred', 'paygnp.exe[31mred'],
  [`Long ${'x'.repeat(1000)}`, `Long ${'x'.repeat(54)}…`],
  ['line one\u2028line two\u2029end', 'line one line two end'],
  ['{{count}} $t(demo.stop) %s %{x}', '{{count}} $t(demo.stop) %s %{x}'],
  [`Z${'\u0351'.repeat(300)}algo`, `Z${'\u0351'.repeat(3)}algo`],
  ['=1+1', '=1+1'],
];

/** Characters that no text of the page may have: controls but the line feed and the tab, and those that turn a line. */
const UNSEEN = /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

const devices: SimulatedDevice[] = [];
const node = ownerNode(async (started) => {
  for (const [name] of NAMES) {
    const device = await registered(
      started,
      ['local'],
      { name },
      {
        publishTo: 0,
        ownerName: `${name.slice(0, 200)}\u200Bowner`,
        hardware: { model: `<b>${name.slice(0, 100)}</b>`, firmware_version: '\u200B9' },
        location: 0xffff_ffff_ffff_ffffn,
      },
    );
    devices.push(device);
    await send(started, 'local', minutes(device, { count: 2 }));
    // The greatest numbers that the wire has.
    const extreme = device.block({
      seq: 18_446_744_073_709_551_615n,
      timestamp: 18_446_744_073_709_551_615n,
      plain: { ph: 3.4e38, ec: -3.4e38, humidity: 1e-38 },
    });
    await attempt(started, 'local', extreme);
  }
});

test('device names are shown as text: cleaned, cut and never run; their pages stay intact', async ({ page }) => {
  page.on('dialog', () => {
    throw new Error('a name was run');
  });
  await page.setViewportSize({ width: 1440, height: 2400 });
  await openOwner(page, node());
  const names = page.getByRole('list', { name: 'Your devices' }).locator('[data-device]');
  await expect(names).toHaveCount(NAMES.length);
  const shown = await names.allTextContents();
  expect(shown.toSorted()).toEqual(NAMES.map(([, text]) => text).toSorted());
  await expect(page.locator('main img, main script, main b')).toHaveCount(0);
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
  for (const [index, [, shown]] of NAMES.entries()) {
    await test.step(`the page of hostile device ${index}`, async () => {
      const device = devices[index]!;
      await openDevice(page, node(), device.id);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(shown);
      await openAbout(page);
      await expect(page.getByRole('region', { name: 'Location' })).toContainText('not a valid H3 cell');
      expect(await page.locator('body').innerText()).not.toMatch(UNSEEN);
      await expect(page.locator('main img, main script, main b')).toHaveCount(0);
      // All have the same readings.
      for (const range of index === 0 ? ['1 h', '1 y', 'All'] : []) {
        await page.getByRole('group', { name: 'Time range of the charts' }).getByText(range, { exact: true }).click();
        await expect(page.locator('.uplot canvas, figure').first()).toBeVisible();
      }
      await expect(page.getByRole('grid', { name: 'Readings' }).getByRole('row').nth(1)).toBeVisible();
      expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
    });
  }
});
