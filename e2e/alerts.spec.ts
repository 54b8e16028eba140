import type { Page } from '@playwright/test';
import { CHART_COLOURS } from '../src/renderer/charts/drawing/chart-colours.ts';
import type { RuleInput } from '../src/shared/alerts/rule.ts';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { RANGE_RULE } from '../test/support/alerts.ts';
import { call } from '../test/support/owner-client.ts';
import { complaints } from './support/axe.ts';
import { chart, drawnColumns, palePixels } from './support/charts.ts';
import { MINUTE_MS, registered, send } from './support/devices.ts';
import { SCHEMES, WIDTHS } from './support/matrix.ts';
import type { OwnerNode } from './support/owner-node.ts';
import { expect, openDevice, openOwner, sidewaysScroll, test, tile } from './support/owner-test.ts';

const OWNER = 'aa'.repeat(32);

/** A device whose pH the test says, reading by reading. */
class PhDevice {
  readonly device: SimulatedDevice;
  readonly #node: OwnerNode;
  #seq = 0;

  private constructor(node: OwnerNode, device: SimulatedDevice) {
    this.#node = node;
    this.device = device;
  }

  static async on(node: OwnerNode, name: string): Promise<PhDevice> {
    const options = { name, ownerPubkey: OWNER };
    const made = new PhDevice(node, await registered(node, ['local'], options, { publishTo: 0 }));
    await made.send(...Array.from({ length: 20 }, (_, index) => 6 + (index % 3) / 10));
    return made;
  }

  /** Sends these, the last of them measured just now and each a minute before the next. */
  async send(...values: number[]): Promise<void> {
    const now = Date.now();
    const blocks = values.map((ph, index) =>
      this.device.block({
        seq: ++this.#seq,
        timestamp: now - (values.length - 1 - index) * MINUTE_MS,
        plain: { ph, ec: 1200 },
      }),
    );
    await send(this.#node, 'local', blocks);
  }
}

async function writeRule(node: OwnerNode, change: Partial<Extract<RuleInput, { kind: 'range' }>> = {}) {
  return call(node.process, 'writeAlertRule', { rule: { ...RANGE_RULE, name: '', ...change } });
}

/** Takes the rules away that a step wrote, and with them the alerts that they have. */
async function withoutRules(node: OwnerNode): Promise<void> {
  const { rules } = await call(node.process, 'alertRules', {});
  // The built-in ones stay.
  for (const { rule } of rules) if (rule.kind === 'range') await call(node.process, 'deleteAlertRule', { id: rule.id });
  await expect.poll(async () => (await call(node.process, 'alerts', {})).alerts).toEqual([]);
}

const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Alerts/ });
/** The alerts of a tab, without what else is listed there. */
const listed = (page: Page) =>
  page
    .getByRole('tabpanel')
    .getByRole('region', { name: /alert|acknowledged/i })
    .getByRole('listitem');
const needs = (page: Page) => page.getByRole('region', { name: 'Needs you now' });

test('alerts appear at once and end in the history; they can be sorted, found, opened by a link and snoozed, and are on the device’s page', async ({
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
  await test.step('a new alert appears at once in the header, the overview and the alerts page, and ends in the history', async () => {
    await withoutRules(freshNode);
    const basil = await PhDevice.on(freshNode, 'Basil bed');
    await writeRule(freshNode);
    await openOwner(page, freshNode);
    await expect(bell(page)).toHaveAccessibleName('Alerts');
    await expect(needs(page)).toHaveCount(0);

    await basil.send(5.1);
    await expect(bell(page)).toHaveAccessibleName('Alerts: 1 active');
    await expect(needs(page).getByRole('link', { name: 'pH of Basil bed is below 5.5' })).toBeVisible();
    const cell = page.getByRole('article', { name: 'Basil bed' }).locator('dd').first();
    await expect(cell).toContainText('5.10');
    await expect(cell.getByRole('img', { name: 'below the allowed range' })).toBeVisible();
    expect(await complaints(page)).toEqual([]);

    await needs(page).getByRole('button', { name: 'Acknowledge' }).click();
    await expect(needs(page)).toHaveCount(0);
    await expect(bell(page)).toHaveAccessibleName('Alerts');

    await bell(page).click();
    const item = listed(page);
    await expect(item).toContainText('pH of Basil bed is below 5.5');
    await expect(item).toContainText('now 5.10');
    await expect(item).toContainText('acknowledged');
    await basil.send(5.0);
    await basil.send(5.2);
    await expect(item).toContainText('worst 5.00');

    await basil.send(6);
    await expect(page.getByText('No active alerts')).toBeVisible();
    await page.getByRole('tab', { name: 'History' }).click();
    await expect(page.getByRole('region', { name: 'Earlier alerts' })).toContainText('pH of Basil bed is below 5.5');
    expect(await complaints(page)).toEqual([]);
  });
  await test.step('a link opens its alert, live or ended; an unknown one is reported', async () => {
    await withoutRules(freshNode);
    const basil = await PhDevice.on(freshNode, 'Fern bed');
    await writeRule(freshNode, { name: 'Lettuce', severity: 'critical' });
    await basil.send(5.1);
    await expect.poll(async () => (await call(freshNode.process, 'alerts', {})).alerts.length).toBe(1);
    const { id } = (await call(freshNode.process, 'alerts', {})).alerts[0]!;
    await openOwner(page, freshNode, `#/alerts/${id}`);
    const shown = page.getByRole('region', { name: 'Active now' });
    await expect(shown).toContainText('pH of Fern bed is below 5.5');
    await expect(shown).toContainText('Rule: Lettuce');
    await expect(shown.getByRole('img', { name: 'Critical' })).toBeVisible();
    expect(await complaints(page)).toEqual([]);
    await basil.send(6);
    await expect(page.getByRole('region', { name: 'Ended' })).toContainText('Lasted');
    await page.reload();
    await expect(page.getByRole('region', { name: 'Ended' })).toContainText('pH of Fern bed is below 5.5');
    await page.getByRole('link', { name: 'To Fern bed' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Fern bed' })).toBeVisible();
    await page.goto(`${freshNode.url('local')}/ui/#/alerts/0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11`);
    await expect(page.getByText('There is no such alert')).toBeVisible();
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

    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        expect(await complaints(page, colorScheme), `${width} ${colorScheme}`).toEqual([]);
        expect(await sidewaysScroll(page), `${width} ${colorScheme}`).toBeLessThanOrEqual(0);
      }
    }

    // Turned off, nothing is out of range any more.
    await rules.getByRole('switch').click({ force: true });
    await expect(tile(page, 'pH').getByRole('img', { name: 'below the allowed range' })).toHaveCount(0);
    await expect(chart(page, 'pH')).not.toHaveAttribute('aria-label', /Allowed/);
  });
});
