import { CHART_COLOURS } from '../../src/renderer/charts/drawing/chart-colours.ts';
import { call } from '../../test/support/owner-client.ts';
import { complaints } from '../support/axe.ts';
import { chart, drawnColumns, palePixels } from '../support/charts.ts';
import { expectSound } from '../support/matrix.ts';
import { expect, openDevice, openOwner, test, tile } from '../support/owner-test.ts';
import { listed, PhDevice, withoutRules, writeRule } from '../support/ph-device.ts';

test('alerts are sorted, found and snoozed, and are on the device’s page with its rules', async ({
  page,
  freshNode,
}) => {
  await test.step('the worst alerts come first; the history can be filtered by device and rule, also by its address', async () => {
    const basil = await PhDevice.on(freshNode, 'Chard bed');
    const mint = await PhDevice.on(freshNode, 'Mint bed');
    await writeRule(freshNode, { name: 'Mild' });
    await writeRule(freshNode, { name: 'Grave', low: 4, high: null, severity: 'critical' });
    await mint.send(3.9);
    await basil.send(5.1);
    await openOwner(page, freshNode, '#/alerts');
    const items = listed(page);
    await expect(items).toHaveCount(3);
    await expect(items.nth(0)).toContainText('Grave');
    await expect(items.nth(1)).toContainText('Chard bed');
    await basil.send(6);
    await mint.send(6);
    await expect(page.getByText('No active alerts')).toBeVisible();

    await page.getByRole('tab', { name: 'History' }).click();
    await expect(items).toHaveCount(3);
    await page.getByLabel('Device', { exact: true }).selectOption('Mint bed');
    await expect(items).toHaveCount(2);
    await page.getByLabel('Rule', { exact: true }).selectOption('Mild');
    await expect(items).toHaveCount(1);
    await page.reload();
    await expect(items).toHaveCount(1);
    await expect(items).toContainText('Mint bed');
  });
  await test.step('an alert can be snoozed for an hour, until tomorrow, or until a time', async () => {
    await withoutRules(freshNode);
    const basil = await PhDevice.on(freshNode, 'Dill bed');
    await writeRule(freshNode);
    await basil.send(7);
    await openOwner(page, freshNode, '#/alerts');
    const item = listed(page);
    await expect(item).toContainText('pH of Dill bed is above 6.5');
    const until = async () => (await call(freshNode.process, 'alerts', {})).alerts[0]!.snoozedUntil ?? 0;

    const choose = async (name: string) => {
      await item.getByRole('button', { name: /^Snooze/ }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('For an hour');
    await expect(item).toContainText('snoozed until');
    expect(Math.abs((await until()) - Date.now() - 3_600_000)).toBeLessThan(60_000);

    await choose('Until tomorrow, 8:00');
    await expect
      .poll(async () => page.evaluate((ms) => new Date(ms).toTimeString().slice(0, 5), await until()))
      .toBe('08:00');

    await choose('Until a time …');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Tell me again at').fill('2020-01-01T12:00');
    await dialog.getByRole('button', { name: 'Snooze' }).click();
    await expect(dialog.getByText('Choose a time in the future')).toBeVisible();
    expect(await complaints(page)).toEqual([]);
    await dialog.getByLabel('Tell me again at').fill('2090-01-01T12:00');
    await dialog.getByRole('button', { name: 'Snooze' }).click();
    await expect(dialog).toBeHidden();
    await expect(item).toContainText('2090');
  });
  await test.step('a device’s page shows its alerts and rules, marks values, and draws the allowed range in the charts', async () => {
    await withoutRules(freshNode);
    const basil = await PhDevice.on(freshNode, 'Leek bed');
    await writeRule(freshNode, { low: 5.5, high: 6.5 });
    await basil.send(5.6, 5.3);
    await openDevice(page, freshNode, basil.device.id);
    await expect(tile(page, 'pH').getByRole('img', { name: 'below the allowed range' })).toBeVisible();
    const section = page.getByRole('region', { name: 'Alerts' });
    await expect(section.getByRole('list', { name: 'Alerts of this device' })).toContainText('below 5.5');
    const rules = section.getByRole('list', { name: 'Rules for this device' });
    await expect(rules.getByRole('listitem')).toHaveCount(1);
    await expect(chart(page, 'pH')).toHaveAttribute('aria-label', /Allowed: 5\.5 to 6\.5\./);
    await expect(page.locator('figure', { has: chart(page, 'pH') })).toContainText('Allowed: 5.5 to 6.5');
    await expect(chart(page, 'EC')).not.toHaveAttribute('aria-label', /Allowed/);
    expect((await drawnColumns(chart(page, 'pH'))).some(Boolean)).toBe(true);
    // The band is drawn: the colour of what is right, in the plot of the pH alone.
    expect(await palePixels(chart(page, 'pH'), CHART_COLOURS.light.allowed)).toBeGreaterThan(500);
    expect(await palePixels(chart(page, 'EC'), CHART_COLOURS.light.allowed)).toBe(0);

    await expectSound(page);

    // Turned off, nothing is out of range any more.
    await rules.getByRole('switch').click({ force: true });
    await expect(tile(page, 'pH').getByRole('img', { name: 'below the allowed range' })).toHaveCount(0);
    await expect(chart(page, 'pH')).not.toHaveAttribute('aria-label', /Allowed/);
  });
});
